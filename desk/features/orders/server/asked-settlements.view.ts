import type { Db } from '#kit/server/db.ts'
import type { AskedApproval, Payloads } from '#desk/features/approvals/server/approvals.store.ts'

type Settlement = Payloads['settlement']

export type AskedSettlement = { kind: 'settlement' } & Pick<Settlement, 'of' | 'said' | 'cents' | 'reference'> & {
    pspReference: string
    title: string
    fullName: string
  }

export async function describeSettlements(
  db: Db,
  approvals: AskedApproval<'settlement'>[],
): Promise<[string, AskedSettlement][]> {
  if (approvals.length === 0) return []
  const codes = approvals.map(({ subject }) => subject)
  const orders = await db
    .selectFrom('orders')
    .select(['order_code', 'product', 'full_name'])
    .where('order_code', 'in', codes)
    .execute()
  const byCode = new Map(orders.map((order) => [order.order_code, order]))
  return approvals.map(({ id, subject, payload: { psp_reference: pspReference, ...asked } }) => [
    id,
    {
      kind: 'settlement',
      ...asked,
      pspReference,
      title: byCode.get(subject)?.product.title ?? '',
      fullName: byCode.get(subject)?.full_name ?? '',
    },
  ])
}
