import type { Db } from '#kit/server/db.ts'
import type { ApprovalRequest, ApprovalPayloads } from '#desk/features/approvals/server/approvals.store.ts'

type Settlement = ApprovalPayloads['settlement']

export type RequestedSettlement = { kind: 'settlement' } & Pick<Settlement, 'of' | 'said' | 'cents' | 'reference'> & {
    pspReference: string
    title: string
    fullName: string
  }

export async function describeSettlements(
  db: Db,
  approvals: ApprovalRequest<'settlement'>[],
): Promise<[string, RequestedSettlement][]> {
  if (approvals.length === 0) return []
  const codes = approvals.map(({ subject }) => subject)
  const orders = await db
    .selectFrom('orders')
    .select(['order_code', 'product', 'full_name'])
    .where('order_code', 'in', codes)
    .execute()
  const ordersByCode = new Map(orders.map((order) => [order.order_code, order]))
  return approvals.map(({ id, subject, payload: { psp_reference: pspReference, ...request } }) => [
    id,
    {
      kind: 'settlement',
      ...request,
      pspReference,
      title: ordersByCode.get(subject)?.product.title ?? '',
      fullName: ordersByCode.get(subject)?.full_name ?? '',
    },
  ])
}
