import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { serviceSchema } from '#features/services/services.contract.ts'

/** `call` says where to call, as part of a sentence. */
export const nextPlanMessages = {
  none: 'There is no next Prepay Plan to cancel: it has started, or it is cancelled already.',
  unfinished: 'Your next Prepay Plan is still being confirmed. Please try again in a minute.',
  tooLate: (call: string): string =>
    `Your next Prepay Plan starts within a day, so it can’t be cancelled here any more. To cancel it, ${call}.`,
  disputed: (call: string): string =>
    `What you paid for your next Prepay Plan is disputed with your bank, so it can’t be cancelled here. To cancel it, ${call}.`,
  owed: (call: string): string =>
    `A refund of your next Prepay Plan did not reach you, so it can’t be cancelled here. To cancel it, ${call}.`,
  tooOften: (call: string): string =>
    `Three next plans of this number were cancelled in the last 30 days, so this one can’t be cancelled here. To cancel it, ${call}.`,
} as const

const params = v.object({ uuid: v.pipe(v.string(), v.maxLength(100)) })

const termsSchema = v.object({
  /**
   * The consequences of cancelling, or why it is impossible here: one paragraph each, with `**strong**` for emphasis.
   */
  lines: v.array(v.string()),
  button: v.nullable(v.picklist(['Cancel and refund', 'Cancel next plan'])),
})
export type CancelTerms = v.InferOutput<typeof termsSchema>

export const readCancelTerms = endpoint({
  method: 'GET',
  path: '/api/services/next_plan/:uuid/',
  summary: 'What is given back for the plan that waits if it is cancelled now, and what happens to the service then',
  params,
  output: termsSchema,
})

export const cancelNextPlan = endpoint({
  method: 'DELETE',
  path: '/api/services/next_plan/:uuid/',
  summary: 'Cancels the plan that is paid for and waits, and gives back what paid for it; until a day before it starts',
  params,
  output: serviceSchema,
})
