import { type Clock, realNow } from '#kit/server/clock.ts'
import { approvalState } from '#desk/features/approvals/server/approvals.present.ts'
import type { Batch } from '../batches.contract.ts'
import type { ToldBatch } from './batches.view.ts'
import { nameIn } from './loads.present.ts'

type Ground = { clock: Clock; market: { zone: string } }

/** Approved codes are to be taken within so long. */
const takeHours = 24

/** Until when the codes of an approved batch can be taken; null where nobody has approved it. */
export function takeUntil({ asked }: Pick<ToldBatch, 'asked'>): Temporal.Instant | null {
  if (asked?.decision !== 'approved' || !asked.decided_at) return null
  return Temporal.Instant.fromEpochMilliseconds(asked.decided_at.getTime()).add({ hours: takeHours })
}

/** What has become of a batch: of one that is made its own state, before that what was said of it. */
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
    // Of one that is given up or taken back nothing can be used any more.
    unused: state === 'complete' ? use.unused : 0,
  }
}

/** The last day on which its vouchers are good: they end as the next one begins. */
function lastDayOf({ asked, made }: ToldBatch, zone: string): Temporal.PlainDate {
  if (!made) return Temporal.PlainDate.from(asked?.payload.expires ?? '1970-01-01')
  const end = Temporal.Instant.fromEpochMilliseconds(made.expires_at.getTime()).toZonedDateTimeISO(zone)
  return end.subtract({ nanoseconds: 1 }).toPlainDate()
}
