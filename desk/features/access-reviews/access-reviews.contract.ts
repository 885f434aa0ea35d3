import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

export const reviewMessages = {
  leads: 'Only team leads can check which customers staff viewed.',
  own: 'You viewed this customer yourself, so another team lead has to check this view.',
  decided: 'This view was already checked. Refresh to see the decision.',
} as const

export const reviewsPerWeek = 10

const instantSchema = v.string()

const reviewedAccessSchema = v.object({
  id: v.string(),
  who: v.string(),
  is_own: v.boolean(),
  customer: v.object({ text: v.string(), path: v.string() }),
  why: v.string(),
  at: instantSchema,
  decision: v.nullable(v.picklist(['in_order', 'asked'])),
  decided_by: v.nullable(v.string()),
})
export type ReviewedAccess = v.InferOutput<typeof reviewedAccessSchema>

const pastReviewSchema = v.object({
  /** The Monday of the week from which the reviewed customer views were drawn. */
  week: v.string(),
  looks: v.number(),
  in_order: v.number(),
  asked: v.number(),
})
export type PastReview = v.InferOutput<typeof pastReviewSchema>

export const readAccessReviews = endpoint({
  method: 'GET',
  path: '/api/desk/audit/checks/',
  summary:
    'Returns up to ten cases from last week in which staff viewed a customer but took no action, and earlier results',
  output: v.object({
    week: v.string(),
    found: v.number(),
    looks: v.array(reviewedAccessSchema),
    past: v.array(pastReviewSchema),
  }),
})
export type AccessReviews = v.InferOutput<typeof readAccessReviews.output>

export const decideReview = endpoint({
  method: 'POST',
  path: '/api/desk/audit/checks/:id/',
  summary: 'Marks as OK that a person viewed a customer, or creates a task to ask them about it',
  params: v.object({ id: v.pipe(v.string(), v.uuid()) }),
  body: v.object({ decision: v.picklist(['in_order', 'asked']) }),
  output: v.object({}),
})
