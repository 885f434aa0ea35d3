import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { decimalToCents } from '#kit/contract/money.ts'
import { createFieldIssue, decimalAmountSchema } from '#kit/contract/schema.ts'
import { amountInputSchema } from '#desk/features/orders/orders.contract.ts'
import { limitReasonFields, checkReasonNote } from '#desk/features/staff/reasons.contract.ts'

export const limitsMessages = {
  adminsOnly: 'Only admins can change these limits.',
  oneself: 'You can’t change the limits of a role you have. Ask another admin.',
  same: 'These limits are already in place.',
  changed: 'Someone else changed these limits. Refresh to see them.',
  day: 'The daily limit must be at least the limit per order.',
  most: 'Enter at most $100,000.00.',
} as const

const role = v.picklist(['support', 'finance'])
const limitAmountFields = { order: decimalAmountSchema(), day: decimalAmountSchema() }

const roleSchema = v.object({
  role,
  ...limitAmountFields,
  changed: v.nullable(v.object({ at: v.string(), by: v.string(), approved_by: v.nullable(v.string()) })),
  why_not: v.nullable(v.string()),
  /**
   * The open request, if there is one. `is_stale` means that the limits changed after the request was made, so it can
   * only be declined or replaced.
   */
  asked: v.nullable(
    v.object({
      by: v.string(),
      ...limitAmountFields,
      left_seconds: v.number(),
      is_own: v.boolean(),
      is_stale: v.boolean(),
    }),
  ),
  deciders: v.array(v.string()),
})
export type RoleLimits = v.InferOutput<typeof roleSchema>

const personSchema = v.object({
  id: v.string(),
  name: v.string(),
  roles: v.array(v.picklist(['support', 'finance', 'admin'])),
  /** How much this person refunded without approval in the last 24 hours, and the limit on that amount. */
  given: decimalAmountSchema(),
  day: decimalAmountSchema(),
})
export type PersonLimits = v.InferOutput<typeof personSchema>

export const readLimits = endpoint({
  method: 'GET',
  path: '/api/desk/limits/',
  summary: 'Returns each role’s refund limits, and how much each staff member refunded in the last 24 hours',
  output: v.object({
    roles: v.array(roleSchema),
    people: v.array(personSchema),
  }),
})
export type Limits = v.InferOutput<typeof readLimits.output>

const maxCents = 10_000_000
const limitInputSchema = () => v.pipe(amountInputSchema(), v.maxValue(maxCents, limitsMessages.most))
const currentAmountSchema = () => v.pipe(decimalAmountSchema(), v.transform(decimalToCents))

export const changeLimitsBody = v.pipe(
  v.object({
    order: limitInputSchema(),
    day: limitInputSchema(),
    was_order: currentAmountSchema(),
    was_day: currentAmountSchema(),
    ...limitReasonFields(),
  }),
  checkReasonNote(),
  v.rawCheck(({ dataset, addIssue }) => {
    if (dataset.typed && dataset.value.day < dataset.value.order)
      addIssue(createFieldIssue(dataset.value, 'day', limitsMessages.day))
  }),
)

export const changeLimits = endpoint({
  method: 'POST',
  path: '/api/desk/limits/:role/',
  summary:
    'Lowers a role’s refund limits at once, or requests higher limits, which another admin or a team lead can approve',
  params: v.object({ role }),
  body: changeLimitsBody,
  output: v.object({
    outcome: v.picklist(['changed', 'asked']),
    /** When the request takes effect unless someone declines it. `null` if the limits were changed immediately. */
    lapses: v.nullable(v.string()),
  }),
})
