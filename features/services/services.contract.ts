import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { formatDays } from '#kit/contract/plans.ts'

const scheduleSchema = v.object({
  short_id: v.string(),
  unique_id: v.string(),
  auto_recharge_enabled: v.boolean(),
  /** The plan's first day, `YYYY-MM-DD` in the market's zone. Clients use it to compute the remaining cycles. */
  starts_on: v.string(),
  product: v.object({
    title: v.string(),
    length: v.number(),
    /** GB per cycle. */
    data_gb: v.number(),
    colour: v.string(),
    unique_id: v.string(),
    next_product_unique_id: v.nullable(v.string()),
  }),
  /** Already paid: starts without a gap when the current plan ends. */
  next_plan: v.nullable(
    v.object({
      title: v.string(),
      /** Days. */
      length: v.number(),
      /** ISO 8601 instant. */
      starts_on: v.string(),
    }),
  ),
  service: v.string(),
})
export type Schedule = v.InferOutput<typeof scheduleSchema>

const portingProgressSchema = v.object({
  /**
   * The step at which the transfer stands: waiting for the other provider, for corrected details, for the customer's
   * confirmation, for the move, or moved.
   */
  step: v.picklist(['sent', 'information', 'reply', 'moving', 'moved']),
  /** When the step began, if known. This and the fields below are ISO 8601 instants. */
  since: v.nullable(v.string()),
  found_at: v.nullable(v.string()),
  confirmed_at: v.nullable(v.string()),
  reply_by: v.nullable(v.string()),
  /** When the other provider starts to process the request; `null` means immediately. */
  looked_at_from: v.nullable(v.string()),
  /** A cancellation was sent to the network, which has not decided yet. */
  is_cancelling: v.boolean(),
})
export type PortingProgress = v.InferOutput<typeof portingProgressSchema>

const portingRequestSchema = v.object({
  /** 1 NEW, 2 SUBMITTED, 3 COMPLETED, 4 FAILED. */
  status: v.picklist([1, 2, 3, 4]),
  failure_acknowledged_at: v.nullable(v.string()),
  msisdn: v.string(),
  /**
   * Why the transfer failed, if the reason is known: a field that the other provider rejected, the customer's reply, or
   * a cancellation.
   */
  reason: v.nullable(v.picklist(['sim_number', 'account_number', 'no_reply', 'said_no', 'cancelled'])),
  /** `reason` as a sentence; empty without a reason. */
  reason_text: v.string(),
  /** The name of the current provider. `billing_method` is how the number is paid for there: 1 prepay, 2 account. */
  donor: v.string(),
  billing_method: v.picklist([1, 2]),
  /** ISO 8601 instant of the request. */
  requested_at: v.string(),
  /** Progress of an open transfer. After the number has moved, it is kept for a week. */
  progress: v.nullable(portingProgressSchema),
})
export type PortingRequestView = v.InferOutput<typeof portingRequestSchema>

const toneSchema = v.picklist(['calm', 'good', 'soon', 'bad'])

const planStatusSchema = v.object({
  /** The first state that applies. States that ask the customer to act come before states that do not. */
  state: v.picklist([
    'expired',
    'next_plan_paid',
    'next_plan_cancelling',
    'charging',
    'charge_failed',
    'card_trouble',
    'gave_up',
    'withdrawn',
    'renews',
    'last_day',
    'ends_soon',
    'ends',
  ]),
  tone: toneSchema,
  title: v.string(),
  /** One paragraph per line, with `**strong**` for emphasis. */
  text: v.string(),
  line: v.string(),
  badge: v.nullable(v.object({ text: v.string(), tone: toneSchema })),
  card_button: v.nullable(v.picklist(['Update card', 'Add credit card'])),
  /** The next charge of the saved card for this service: `'on Sun 10 Jan: $109.65'`; `null` for none. */
  card_charge: v.nullable(v.string()),
  /**
   * A note for customers before a manual renewal, with `**strong**`: auto-renewal will renew the plan, or would cost
   * less. `null` when auto-renewal is off and saves nothing, or cannot renew this plan.
   */
  auto_renewal_note: v.nullable(v.string()),
  can_cancel_next_plan: v.boolean(),
  /**
   * Set while the queued plan can be replaced. `instead_of` goes into the purchase request, and `line` says what
   * happens to the queued plan.
   */
  change_next_plan: v.nullable(v.object({ instead_of: v.string(), line: v.string() })),
  last_day: v.string(),
  /** Includes today; 0 once the plan has expired. */
  days_left: v.number(),
})
export type PlanStatusView = v.InferOutput<typeof planStatusSchema>

export const serviceSchema = v.object({
  uuid: v.string(),
  /** With country code. */
  msisdn: v.string(),
  /** In national format. */
  phone_number: v.string(),
  name: v.nullable(v.string()),
  plan_short_id: v.string(),
  is_expired: v.boolean(),
  /** ISO 8601 instant at which the plan ends. */
  expiry_date: v.string(),
  /** Days for which the number is kept after the plan's end, and the last of these days as `YYYY-MM-DD`. */
  number_kept: v.object({ days: v.number(), last_day: v.string() }),
  porting_request: v.nullable(portingRequestSchema),
  schedules: v.record(v.string(), scheduleSchema),
  outlook: planStatusSchema,
})
export type Service = v.InferOutput<typeof serviceSchema>

export const numbersPerPage = 50

export const serviceNamePattern = /^(?:[0-9a-f-]{36}|\d[0-9a-z]{7})$/
/** The uuid of a service, or the short id of its schedule. */
export const serviceNameSchema = v.pipe(v.string(), v.regex(serviceNamePattern))

export const servicesPartQuery = v.object({
  limit: v.optional(v.pipe(v.string(), v.regex(/^\d{1,2}$/), v.toNumber())),
  /** The uuid of the first number. Starts with the customer's first number when missing or unknown. */
  from: v.optional(serviceNameSchema),
})

export const listServices = endpoint({
  method: 'GET',
  path: '/api/services/',
  summary:
    'Lists the customer’s services by uuid, oldest first: all of them, or at most `limit` starting with ' +
    'the uuid `from`, plus the service that `named` identifies by its uuid or by the short id of its schedule',
  query: v.object({ ...servicesPartQuery.entries, named: v.optional(serviceNameSchema) }),
  output: v.record(v.string(), serviceSchema),
})

export const numberKeptMessages = {
  reserved: (days: number): string =>
    `Your Phone Number will be reserved for ${formatDays(days)} past your Prepay Plan expiry.`,
  lastDay: (day: string): string => `The last day to keep it is ${day}.`,
}
