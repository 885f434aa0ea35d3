import { accessReasonLabel } from '#desk/features/customers/server/access-reason.labels.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import type { ReviewedAccess, AccessReviews } from '../access-reviews.contract.ts'
import type { readWeeklyReview } from './access-reviews.ts'
import type { ListedAccess } from './access-reviews.view.ts'

type ReviewData = Awaited<ReturnType<typeof readWeeklyReview>>

export const presentAccessReviews = (
  { week, found, looks, past }: ReviewData,
  staff: Pick<SignedInStaff, 'id'>,
): AccessReviews => ({
  week: week.toString(),
  found,
  looks: looks.map((access) => presentReviewedAccess(access, staff)),
  past: past.map(({ week: monday, looks: total, in_order, asked }) => ({
    week: Temporal.PlainDate.from(monday).subtract({ days: 7 }).toString(),
    looks: Number(total),
    in_order: Number(in_order),
    asked: Number(asked),
  })),
})

const presentReviewedAccess = (look: ListedAccess, { id }: Pick<SignedInStaff, 'id'>): ReviewedAccess => ({
  id: look.id,
  who: look.who,
  is_own: look.staff_id === id,
  customer: { text: `Customer …${look.user_id?.slice(-4) ?? ''}`, path: `/customers/${look.user_id}/` },
  why: accessReasonLabel(look.reason, look.detail),
  at: look.at.toISOString(),
  decision: look.decision,
  decided_by: look.decided_by,
})
