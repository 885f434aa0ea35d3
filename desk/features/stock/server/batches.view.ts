import { type Clock, realNow } from '#kit/server/clock.ts'
import { approvalState } from '#desk/features/approvals/server/approvals.view.ts'
import type { Batch } from '#desk/features/stock/batches.contract.ts'
import { nameIn } from './loads.present.ts'
import type { Db } from '#kit/server/db.ts'
import { findBatch, listBatches, type VoucherBatch } from '#features/vouchers/server/voucher-batches.store.ts'
import { type AskedApproval, lastApprovalOf, latestApprovals } from '#desk/features/approvals/server/approvals.store.ts'
import { plansOf } from './asked-vouchers.view.ts'

type Ground = { clock: Clock; market: { zone: string } }

/** Hours after the approval during which the codes can be taken. */
const takeHours = 24

export function takeUntil({ asked }: Pick<ToldBatch, 'asked'>): Temporal.Instant | null {
  if (asked?.decision !== 'approved' || !asked.decided_at) return null
  return Temporal.Instant.fromEpochMilliseconds(asked.decided_at.getTime()).add({ hours: takeHours })
}

export function stateOfBatch(batch: Pick<ToldBatch, 'asked' | 'made'>): Batch['state'] {
  const { asked, made } = batch
  if (made) return made.state
  const state = asked ? approvalState(asked) : 'lapsed'
  if (state === 'open') return 'asked'
  if (state === 'refused') return 'declined'
  const until = takeUntil(batch)
  return until && Temporal.Instant.compare(realNow(), until) < 0 ? 'approved' : 'lapsed'
}

export function presentBatch(batch: ToldBatch, { clock, market }: Ground): Batch {
  const { id, asked, made, plan, use } = batch
  const expires = lastDayOf(batch, market.zone)
  const today = clock.now().toZonedDateTimeISO(market.zone).toPlainDate()
  const state = stateOfBatch(batch)
  return {
    id,
    state,
    plan: plan.title,
    count: made?.wanted ?? asked?.payload.count ?? 0,
    expires: expires.toString(),
    days_left: today.until(expires).days,
    made_by: asked?.asker ?? nameIn(made?.actor ?? ''),
    approved_by: asked?.decision === 'approved' ? asked.decider : null,
    created: (asked?.asked_at ?? made?.created_at)?.toISOString() ?? '',
    redeemed: use.redeemed,
    held: use.held,
    // Only vouchers of a complete batch can be used.
    unused: state === 'complete' ? use.unused : 0,
  }
}

/** Last day on which the vouchers are valid. They expire when the next day begins. */
function lastDayOf({ asked, made }: ToldBatch, zone: string): Temporal.PlainDate {
  if (!made) return Temporal.PlainDate.from(asked?.payload.expires ?? '1970-01-01')
  const end = Temporal.Instant.fromEpochMilliseconds(made.expires_at.getTime()).toZonedDateTimeISO(zone)
  return end.subtract({ nanoseconds: 1 }).toPlainDate()
}

/** A batch that was requested, was made, or both. A batch from the command line was never requested. */
export type ToldBatch = {
  id: string
  asked: AskedApproval<'vouchers'> | null
  made: VoucherBatch | null
  plan: { title: string; cents: number }
  use: Use
}
type Use = { redeemed: number; held: number; unused: number }

const nothing: Use = { redeemed: 0, held: 0, unused: 0 }

export async function readOneBatch(db: Db, id: string): Promise<ToldBatch | null> {
  const asked = (await lastApprovalOf(db, 'vouchers', id)) ?? null
  const made = (await findBatch(db, id)) ?? null
  return asked || made ? ((await told(db, [{ id, asked, made }]))[0] ?? null) : null
}

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
