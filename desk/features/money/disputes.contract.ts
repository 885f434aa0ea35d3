import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { requiredText, decimalAmountSchema } from '#kit/contract/schema.ts'
import { calendarDaySchema } from '#kit/contract/day-schema.ts'
import { disputeOutcomes } from '#features/disputes/disputes.states.ts'
import { tones } from '#desk/features/customers/customer-history.contract.ts'
import { disputeReasonFields, checkReasonNote } from '#desk/features/staff/reasons.contract.ts'

const instantSchema = v.string()

const disputeMessages = {
  evidence: 'Please enter the reference that the gateway’s site gave you.',
  characters: 'A reference can have letters, digits and hyphens, up to 64 characters.',
  day: 'Please enter the day you submitted the evidence.',
  outcome: 'Please choose the outcome.',
} as const

const params = v.object({ reference: v.pipe(v.string(), v.regex(/^[\w-]{1,80}$/)) })

const evidenceSection = v.object({
  title: v.string(),
  rows: v.array(v.object({ at: v.nullable(instantSchema), what: v.string(), said: v.string() })),
  none: v.string(),
})
export type EvidenceSection = v.InferOutput<typeof evidenceSection>

const disputeSchema = v.object({
  reference: v.string(),
  order: v.string(),
  title: v.string(),
  customer: v.object({ id: v.nullable(v.string()), name: v.string() }),
  amount: decimalAmountSchema(),
  paid: decimalAmountSchema(),
  currency: v.string(),
  reason: v.string(),
  state: v.string(),
  words: v.string(),
  tone: v.picklist(tones),
  told: instantSchema,
  due: v.nullable(instantSchema),
  left_seconds: v.nullable(v.number()),
  said: v.array(v.string()),
  evidence: v.array(evidenceSection),
  /** `accept_why`, `contest_why` and `close_why` are `null` if that action is possible; otherwise they say why it is not. */
  accept_why: v.nullable(v.string()),
  contest_why: v.nullable(v.string()),
  close_why: v.nullable(v.string()),
  outcomes: v.array(v.picklist(disputeOutcomes)),
  today: v.string(),
})
export type DeskDispute = v.InferOutput<typeof disputeSchema>

export const readDispute = endpoint({
  method: 'GET',
  path: '/api/desk/money/disputes/:reference/',
  summary: 'Returns a dispute with its payment and what was delivered for it',
  params,
  output: disputeSchema,
})

export const downloadEvidence = endpoint({
  method: 'GET',
  path: '/api/desk/money/disputes/:reference/evidence/',
  summary: 'Returns the evidence as a PDF, to be submitted on the gateway’s site',
  params,
  output: v.any(),
})

export const acceptDisputeBody = v.pipe(v.object(disputeReasonFields()), checkReasonNote())
export const acceptDispute = endpoint({
  method: 'POST',
  path: '/api/desk/money/disputes/:reference/accept/',
  summary: 'Accepts a dispute: the bank keeps the money, so it cannot be refunded as well',
  params,
  body: acceptDisputeBody,
  output: v.object({}),
})

export const contestDisputeBody = v.pipe(
  v.object({
    evidence: v.pipe(requiredText(disputeMessages.evidence), v.regex(/^[\w-]{1,64}$/, disputeMessages.characters)),
    handed_in: v.pipe(v.optional(v.string(disputeMessages.day), ''), calendarDaySchema(disputeMessages.day)),
    ...disputeReasonFields(),
  }),
  checkReasonNote(),
)
export const contestDispute = endpoint({
  method: 'POST',
  path: '/api/desk/money/disputes/:reference/contest/',
  summary: 'Records that evidence was submitted on the gateway’s site, which has no API for it',
  params,
  body: contestDisputeBody,
  output: v.object({}),
})

export const closeDisputeBody = v.pipe(
  v.object({ outcome: v.picklist(disputeOutcomes, disputeMessages.outcome), ...disputeReasonFields() }),
  checkReasonNote(),
)
export const closeDispute = endpoint({
  method: 'POST',
  path: '/api/desk/money/disputes/:reference/close/',
  summary: 'Closes a dispute when the gateway will report nothing more about it',
  params,
  body: closeDisputeBody,
  output: v.object({}),
})
