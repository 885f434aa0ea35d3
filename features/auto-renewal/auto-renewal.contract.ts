import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { serviceSchema } from '#features/services/services.contract.ts'

export const autoRenewalMessages = {
  noCard: 'Please add a credit card before you enable Auto Renewal.',
  cardExpired: 'Your saved credit card has expired. Please update it before you enable Auto Renewal.',
  addCard: 'Update payment method',
  expired: 'This Prepay Plan has expired. Please renew it first.',
  renew: 'Renew Prepay Plan',
} as const

const scheduleParams = v.object({
  uuid: v.pipe(v.string(), v.maxLength(100)),
  scheduleId: v.pipe(v.string(), v.maxLength(100)),
})

export const enableAutoRenewal = endpoint({
  method: 'PUT',
  path: '/api/services/auto_renew/:uuid/:scheduleId/',
  summary: 'Turns on auto-renewal; requires a saved card that has not expired',
  params: scheduleParams,
  output: serviceSchema,
})

export const disableAutoRenewal = endpoint({
  method: 'DELETE',
  path: '/api/services/auto_renew/:uuid/:scheduleId/',
  summary: 'Turns off auto-renewal, so the plan expires on its expiry date',
  params: scheduleParams,
  output: serviceSchema,
})

const linkSchema = v.object({ text: v.string(), url: v.string() })

const offerSchema = v.object({
  lead: v.string(),
  rows: v.array(
    v.object({ label: v.string(), value: v.string(), note: v.nullable(v.string()), link: v.nullable(linkSchema) }),
  ),
  promises: v.array(v.string()),
  /** Why auto-renewal cannot be switched on, or why its first charge would fail; `null` if neither is the case. */
  trouble: v.nullable(v.string()),
  can_enable: v.boolean(),
  button: v.nullable(linkSchema),
})
export type AutoRenewalOffer = v.InferOutput<typeof offerSchema>

export const readAutoRenewalOffer = endpoint({
  method: 'GET',
  path: '/api/services/auto_renew/:uuid/:scheduleId/',
  summary: 'Returns the plan that auto-renewal would buy, its price, the time of the charge and the card',
  params: scheduleParams,
  output: offerSchema,
})
