import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { serviceSchema } from '#features/services/services.contract.ts'

/** Why a next plan cannot be cancelled online. `call` is the part of the sentence that says which number to call. */
export const nextPlanMessages = {
  none: 'There is no next Prepay Plan to cancel. It may have started or been cancelled already.',
  unfinished: 'Your next Prepay Plan is still being confirmed. Please try again in a minute.',
  tooLate: (call: string): string =>
    `Your next Prepay Plan starts within a day, so it can’t be cancelled here any more. To cancel it, ${call}.`,
  disputed: (call: string): string =>
    `Your payment for your next Prepay Plan is disputed with your bank, so the plan can’t be cancelled here. To cancel it, ${call}.`,
  owed: (call: string): string =>
    `A refund for your next Prepay Plan didn’t reach you, so the plan can’t be cancelled here. To cancel it, ${call}.`,
  tooOften: (call: string): string =>
    `Three next plans for this number were cancelled in the last 30 days, so this one can’t be cancelled here. To cancel it, ${call}.`,
} as const

const serviceParams = v.object({ uuid: v.pipe(v.string(), v.maxLength(100)) })

const cancelTermsSchema = v.object({
  /**
   * What cancelling the plan would do, or why the customer cannot cancel it online. Each line is a paragraph; `**…**` marks
   * emphasis.
   */
  lines: v.array(v.string()),
  button: v.nullable(v.picklist(['Cancel and refund', 'Cancel next plan'])),
})
export type CancelTerms = v.InferOutput<typeof cancelTermsSchema>

export const readCancelTerms = endpoint({
  method: 'GET',
  path: '/api/services/next_plan/:uuid/',
  summary: 'Shows what is refunded if the queued plan is cancelled now, and what then happens to the service',
  params: serviceParams,
  output: cancelTermsSchema,
})

export const cancelNextPlan = endpoint({
  method: 'DELETE',
  path: '/api/services/next_plan/:uuid/',
  summary: 'Cancels the queued plan and refunds its payment; possible until a day before it starts',
  params: serviceParams,
  output: serviceSchema,
})
