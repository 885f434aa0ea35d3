import { type Clock, realNow } from '#kit/server/clock.ts'
import { approvalState } from '#desk/features/approvals/server/approvals.view.ts'
import type { Batch } from '#desk/features/stock/batches.contract.ts'
import { actorName } from './sim-loads.present.ts'
import type { Db } from '#kit/server/db.ts'
import { findBatch, listBatches, type VoucherBatch } from '#features/vouchers/server/voucher-batches.store.ts'
import {
  type ApprovalRequest,
  findLastApproval,
  listLatestApprovals,
} from '#desk/features/approvals/server/approvals.store.ts'
import { findPlans } from './voucher-requests.view.ts'

type PresentBatchDeps = { clock: Clock; market: { zone: string } }

/** For how many hours after the approval the voucher codes can be downloaded. */
const downloadPeriodHours = 24

export function getDownloadDeadline({ asked }: Pick<BatchRecord, 'asked'>): Temporal.Instant | null {
  if (asked?.decision !== 'approved' || !asked.decided_at) return null
  return Temporal.Instant.fromEpochMilliseconds(asked.decided_at.getTime()).add({ hours: downloadPeriodHours })
}

export function getBatchState(batch: Pick<BatchRecord, 'asked' | 'made'>): Batch['state'] {
  const { asked, made } = batch
  if (made) return made.state
  const state = asked ? approvalState(asked) : 'lapsed'
  if (state === 'open') return 'asked'
  if (state === 'refused') return 'declined'
  const until = getDownloadDeadline(batch)
  return until && Temporal.Instant.compare(realNow(), until) < 0 ? 'approved' : 'lapsed'
}

export function presentBatch(batch: BatchRecord, { clock, market }: PresentBatchDeps): Batch {
  const { id, asked, made, plan, use } = batch
  const lastValidDay = getLastValidDay(batch, market.zone)
  const today = clock.now().toZonedDateTimeISO(market.zone).toPlainDate()
  const state = getBatchState(batch)
  return {
    id,
    state,
    plan: plan.title,
    count: made?.wanted ?? asked?.payload.count ?? 0,
    expires: lastValidDay.toString(),
    days_left: today.until(lastValidDay).days,
    made_by: asked?.asker ?? actorName(made?.actor ?? ''),
    approved_by: asked?.decision === 'approved' ? asked.decider : null,
    created: (asked?.asked_at ?? made?.created_at)?.toISOString() ?? '',
    redeemed: use.redeemed,
    held: use.held,
    // Vouchers cannot be used until their batch is complete.
    unused: state === 'complete' ? use.unused : 0,
  }
}

/** Returns the last day on which the vouchers are valid. They expire when the next day begins. */
function getLastValidDay({ asked, made }: BatchRecord, zone: string): Temporal.PlainDate {
  if (!made) return Temporal.PlainDate.from(asked?.payload.expires ?? '1970-01-01')
  const end = Temporal.Instant.fromEpochMilliseconds(made.expires_at.getTime()).toZonedDateTimeISO(zone)
  return end.subtract({ nanoseconds: 1 }).toPlainDate()
}

/** A voucher batch that has been requested, created, or both. A batch created with the command line was never requested. */
export type BatchRecord = {
  id: string
  asked: ApprovalRequest<'vouchers'> | null
  made: VoucherBatch | null
  plan: { title: string; cents: number }
  use: VoucherCounts
}
type VoucherCounts = { redeemed: number; held: number; unused: number }

const zeroVoucherCounts: VoucherCounts = { redeemed: 0, held: 0, unused: 0 }

export async function readBatchRecord(db: Db, id: string): Promise<BatchRecord | null> {
  const asked = (await findLastApproval(db, 'vouchers', id)) ?? null
  const made = (await findBatch(db, id)) ?? null
  return asked || made ? ((await addPlansAndCounts(db, [{ id, asked, made }]))[0] ?? null) : null
}

export async function readBatches(db: Db, limit: number): Promise<BatchRecord[]> {
  const requestsById = new Map(
    (await listLatestApprovals(db, 'vouchers', limit)).map((approval) => [approval.subject, approval]),
  )
  const batchesById = new Map((await listBatches(db, limit)).map((batch) => [batch.id, batch]))
  const ids = [...new Set([...requestsById.keys(), ...batchesById.keys()])]
  const records = ids.map((id) => ({ id, asked: requestsById.get(id) ?? null, made: batchesById.get(id) ?? null }))
  const createdAt = ({ asked, made }: (typeof records)[number]): number =>
    (asked?.asked_at ?? made?.created_at)?.getTime() ?? 0
  return addPlansAndCounts(db, records.toSorted((one, other) => createdAt(other) - createdAt(one)).slice(0, limit))
}

async function addPlansAndCounts(
  db: Db,
  batches: Pick<BatchRecord, 'id' | 'asked' | 'made'>[],
): Promise<BatchRecord[]> {
  const getProductId = ({ asked, made }: (typeof batches)[number]): string =>
    made?.product_id ?? asked?.payload.product_id ?? ''
  const plans = await findPlans(db, batches.map(getProductId))
  const counts = await countVouchersByBatch(
    db,
    batches.flatMap(({ id, made }) => (made ? [id] : [])),
  )
  return batches.map((batch) => ({
    ...batch,
    plan: plans.get(getProductId(batch)) ?? { title: getProductId(batch), cents: 0 },
    use: counts.get(batch.id) ?? zeroVoucherCounts,
  }))
}

async function countVouchersByBatch(db: Db, ids: string[]): Promise<Map<string | null, VoucherCounts>> {
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
