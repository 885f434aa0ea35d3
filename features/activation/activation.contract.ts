import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { planMessages, productSchema } from '#features/plans/plans.contract.ts'
import { activationStages, activationStates } from './activation.states.ts'

export const activationMessages = {
  changed: 'Your activation has changed, perhaps in another tab. Please continue from here.',
  underWay: 'Your payment is being processed. Please wait a moment.',
  simUnknown:
    'We couldn’t find an unused SIM with this Phone Number and these last 4 digits. Please check both on your SIM pack.',
} as const

/** A visitor's activation. Every page of the wizard uses this object (specification 3, “Activation checkout”). */
export const activationSchema = v.object({
  state: v.picklist(activationStates),
  activation_state: v.picklist(activationStages),
  product: v.nullable(productSchema),
  /** The plan that the next renewal buys, if it differs from the chosen plan; otherwise `null`. */
  next_product: v.nullable(productSchema),
  /**
   * Whether the visitor may choose plans that are only for new customers. True for every visitor who is not signed in.
   */
  is_new_customer: v.boolean(),
  balance_due: v.string(),
  full_name: v.string(),
  email: v.string(),
  /** The SIM pack's phone number, in national format. */
  phone_number: v.string(),
  setup_porting: v.boolean(),
  porting_request: v.nullable(
    v.object({
      msisdn: v.string(),
      provider: v.string(),
      billing_method: v.picklist([1, 2]),
      prepaid_sim_number: v.string(),
      account_number: v.string(),
    }),
  ),
  porting_providers: v.array(v.object({ id: v.string(), name: v.string() })),
  method: v.nullable(v.picklist(['voucher', 'payment'])),
  using_voucher: v.boolean(),
  /** Why the chosen voucher no longer pays for the plan; `null` if it still does or no voucher was chosen. */
  voucher_refusal: v.nullable(v.string()),
  plan_title: v.string(),
  order_code: v.nullable(v.string()),
  /** The service that the activation has created; `null` until then. */
  uuid: v.nullable(v.string()),
  /** True while the payment's outcome is unknown. The browser must then resume the order. */
  retry: v.boolean(),
})
export type Activation = v.InferOutput<typeof activationSchema>

export const readActivation = endpoint({
  method: 'GET',
  path: '/api/activate/',
  summary: 'Shows the visitor’s activation; 404 when there is none',
  output: activationSchema,
})

export const pollActivation = endpoint({
  method: 'GET',
  path: '/api/activate/activate/',
  summary: 'Returns the activation and its progress',
  output: activationSchema,
})

export const restartActivation = endpoint({
  method: 'POST',
  path: '/api/activate/activate/',
  summary:
    'Retries an activation after a temporary failure; clears an activation that failed permanently or is complete',
  body: v.object({}),
  output: v.nullable(activationSchema),
})

export const planStepSchema = v.object({
  plan: v.pipe(
    v.optional(v.string(planMessages.required), ''),
    v.nonEmpty(planMessages.required),
    v.maxLength(100, planMessages.required),
  ),
})

export const submitPlan = endpoint({
  method: 'POST',
  path: '/api/activate/plan/',
  summary: 'Saves the chosen plan',
  body: planStepSchema,
  output: activationSchema,
})
