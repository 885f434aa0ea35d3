import { deskRoute, type DeskRoute } from '#desk/features/staff/server/staff.guard.ts'
import { decideReview, readAccessReviews } from '../access-reviews.contract.ts'
import { type AccessReviewDeps, readWeeklyReview, recordReviewDecision } from './access-reviews.ts'
import { presentAccessReviews } from './access-reviews.present.ts'

/** Only staff with one of these roles can be team leads. The use case also checks that the caller is a team lead. */
const leads = { who: ['support', 'finance'] } as const

export const accessReviewRoutes = (deps: AccessReviewDeps): DeskRoute[] => [
  deskRoute(readAccessReviews, leads, async ({ staff }) =>
    presentAccessReviews(await readWeeklyReview(deps, staff), staff),
  ),
  deskRoute(decideReview, leads, async ({ staff, params, body }) => {
    await recordReviewDecision(deps, staff, { id: params.id, decision: body.decision })
    return {}
  }),
]
