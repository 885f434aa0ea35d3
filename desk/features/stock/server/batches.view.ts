import type { Db } from '#kit/server/db.ts'
import { findBatch, listBatches, type VoucherBatch } from '#features/vouchers/server/voucher-batches.store.ts'
import { type AskedApproval, lastApprovalOf, latestApprovals } from '#desk/features/approvals/server/approvals.store.ts'
import { plansOf } from './asked-vouchers.view.ts'

/** A batch that was asked for, is made, or both: one of the command line was never asked for. */
export type ToldBatch = {
  id: string
  asked: AskedApproval<'vouchers'> | null
  made: VoucherBatch | null
  plan: { title: string; cents: number }
  use: Use
}
type Use = { redeemed: number; held: number; unused: number }

const nothing: Use = { redeemed: 0, held: 0, unused: 0 }

/** A batch by its name; null when there is none. */
export async function readOneBatch(db: Db, id: string): Promise<ToldBatch | null> {
  const asked = (await lastApprovalOf(db, 'vouchers', id)) ?? null
  const made = (await findBatch(db, id)) ?? null
  return asked || made ? ((await told(db, [{ id, asked, made }]))[0] ?? null) : null
}

/** The batches of late, newest first. */
export async function readBatches(db: Db, limit: number): Promise<ToldBatch[]> {
  const asked = new Map((await latestApprovals(db, 'vouchers', limit)).map((approval) => [approval.subject, approval]))
  const made = new Map((await listBatches(db, limit)).map((batch) => [batch.id, batch]))
  const ids = [...new Set([...asked.keys(), ...made.keys()])]
  const all = ids.map((id) => ({ id, asked: asked.get(id) ?? null, made: made.get(id) ?? null }))
  const begunAt = ({ asked, made }: (typeof all)[number]): number =>
    (asked?.asked_at ?? made?.created_at)?.getTime() ?? 0
  return told(db, all.toSorted((one, other) => begunAt(other) - begunAt(one)).slice(0, limit))
}

async function told(db: Db, batches: Pick<ToldBatch, 'id' | 'asked' | 'made'>[]): Promise<ToldBatch[]> {
  const planOf = ({ asked, made }: (typeof batches)[number]): string =>
    made?.product_id ?? asked?.payload.product_id ?? ''
  const plans = await plansOf(db, batches.map(planOf))
  const uses = await usesOf(
    db,
    batches.flatMap(({ id, made }) => (made ? [id] : [])),
  )
  return batches.map((batch) => ({
    ...batch,
    plan: plans.get(planOf(batch)) ?? { title: planOf(batch), cents: 0 },
    use: uses.get(batch.id) ?? nothing,
  }))
}

async function usesOf(db: Db, ids: string[]): Promise<Map<string | null, Use>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('vouchers')
    .select(({ fn }) => [
      'batch_id',
      fn.count('id').filterWhere('redeemed_at', 'is not', null).as('redeemed'),
      fn.count('id').filterWhere('redeemed_at', 'is', null).filterWhere('order_id', 'is not', null).as('held'),
      fn.count('id').filterWhere('order_id', 'is', null).filterWhere('voided_at', 'is', null).as('unused'),
    ])
    .where('batch_id', 'in', ids)
    .groupBy('batch_id')
    .execute()
  return new Map(
    rows.map(({ batch_id: id, redeemed, held, unused }) => [
      id,
      { redeemed: Number(redeemed), held: Number(held), unused: Number(unused) },
    ]),
  )
}
