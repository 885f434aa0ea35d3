import type { Market } from '#kit/contract/bootstrap.ts'
import { audit } from '#kit/server/audit.ts'
import { type Clock, realNow } from '#kit/server/clock.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { conflict, forbidden, notFound } from '#kit/server/http-error.ts'
import { createLeadTask } from '#features/operator-tasks/server/lead-tasks.store.ts'
import { accessReasonLabel } from '#desk/features/customers/server/access-reason.labels.ts'
import { insertAccessEntry } from '#desk/features/staff/server/access.store.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { toStaffActor } from '#desk/features/staff/server/staff.guard.ts'
import { lockPerson } from '#desk/features/staff/server/staff.store.ts'
import { reviewMessages, reviewsPerWeek } from '../access-reviews.contract.ts'
import {
  storeReviewDecision,
  findReviewedAccess,
  insertReview,
  insertReviewedAccess,
  hasWeeklySample,
  listPastReviews,
  type ReviewDecision,
} from './access-reviews.store.ts'
import {
  countCandidates,
  listReviewedAccess,
  selectReviewedAccess,
  listViewsWithoutAction,
} from './access-reviews.view.ts'
import { drawSample } from './draw-sample.ts'

type WeeklySampleDeps = { db: Db; market: Pick<Market, 'zone'> }
export type AccessReviewDeps = WeeklySampleDeps & { clock: Clock }

const maxWeeksShown = 12

/** Returns this week's review sample, which is the same for all team leads. @throws 403 unless the caller is a team lead */
export async function readWeeklyReview(deps: AccessReviewDeps, staff: SignedInStaff) {
  if (!staff.isLead) throw forbidden(reviewMessages.leads)
  const { db } = deps
  const monday = thisMonday(deps)
  const week = monday.toString()
  await drawWeeklySample(deps)
  await insertAccessEntry(db, { staffId: staff.id, act: 'trail_seen', detail: 'check' })
  return {
    week: monday.subtract({ days: 7 }),
    found: await countCandidates(db, week),
    looks: await listReviewedAccess(db, week),
    past: await listPastReviews(db, { before: week, limit: maxWeeksShown }),
  }
}

const thisMonday = ({ market }: WeeklySampleDeps): Temporal.PlainDate => {
  const today = realNow().toZonedDateTimeISO(market.zone).toPlainDate()
  return today.subtract({ days: today.dayOfWeek - 1 })
}

export async function drawWeeklySample(deps: WeeklySampleDeps): Promise<void> {
  const { db, market } = deps
  const monday = thisMonday(deps)
  const week = monday.toString()
  if (await hasWeeklySample(db, week)) return
  const midnight = (day: Temporal.PlainDate): Temporal.Instant => day.toZonedDateTime(market.zone).toInstant()
  await transact(db, async (trx) => {
    const candidates = await listViewsWithoutAction(trx, {
      from: midnight(monday.subtract({ days: 7 })),
      to: midnight(monday),
    })
    if (await insertReview(trx, { week, found: candidates.length }))
      await insertReviewedAccess(trx, week, drawSample(candidates, reviewsPerWeek))
  })
}

/**
 * Records a team lead's decision about one reviewed view.
 * @throws 403 unless the caller is a team lead, or if the view is their own
 * @throws 404 if there is no such view, 409 if someone else decided first
 */
export async function recordReviewDecision(
  { db, clock, market }: AccessReviewDeps,
  staff: SignedInStaff,
  { id, decision }: { id: string; decision: ReviewDecision },
): Promise<void> {
  if (!staff.isLead) throw forbidden(reviewMessages.leads)
  const reviewedAccess = await findReviewedAccess(db, id)
  if (!reviewedAccess) throw notFound()
  if (reviewedAccess.staff_id === staff.id) throw forbidden(reviewMessages.own)
  await transact(db, async (trx) => {
    await lockPerson(trx, reviewedAccess.staff_id)
    if (!(await storeReviewDecision(trx, id, { by: staff.id, decision }))) throw conflict(reviewMessages.decided)
    if (decision === 'asked') await createFollowUpTask(trx, reviewedAccess, market.zone)
    const details = { look: reviewedAccess.look_id, decision, person: reviewedAccess.staff_id }
    await audit(trx, clock, { event: 'look_checked', actor: toStaffActor(staff), details })
  })
}

async function createFollowUpTask(trx: Trx, look: { look_id: string; staff_id: string }, zone: string): Promise<void> {
  const access = await selectReviewedAccess(trx, look.look_id)
  if (!access) throw notFound()
  const at = Temporal.Instant.fromEpochMilliseconds(access.at.getTime()).toZonedDateTimeISO(zone)
  const why = accessReasonLabel(access.reason, access.detail) || 'none'
  const when = `${at.toPlainDate().toString()} at ${at.toPlainTime().toString({ smallestUnit: 'minute' })}`
  await createLeadTask(trx, {
    kind: 'look',
    staffId: look.staff_id,
    of: `look-${look.look_id}`,
    reason: [
      `Ask ${access.name} about view ${look.look_id}, of customer …${access.user_id?.slice(-4) ?? ''} on ${when}.`,
      `Reason given: ${why}. ${access.name} took no action afterwards.`,
    ].join(' '),
  })
}
