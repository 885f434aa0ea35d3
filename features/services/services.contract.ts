import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { formatDays } from '#kit/contract/plans.ts'

const scheduleSchema = v.object({
  short_id: v.string(),
  unique_id: v.string(),
  auto_recharge_enabled: v.boolean(),
  /**
   * The plan's first day as `YYYY-MM-DD` in the market's time zone. Clients use this date to compute the remaining
   * cycles.
   */
  starts_on: v.string(),
  product: v.object({
    title: v.string(),
    length: v.number(),
    /** The plan's data allowance in GB per cycle. */
    data_gb: v.number(),
    colour: v.string(),
    unique_id: v.string(),
    next_product_unique_id: v.nullable(v.string()),
  }),
  /** The queued next plan, which is already paid for. It starts without a gap when the current plan ends. */
  next_plan: v.nullable(
    v.object({
      title: v.string(),
      /** Days. */
      length: v.number(),
      /** When the next plan starts, as an ISO 8601 instant. */
      starts_on: v.string(),
    }),
  ),
  service: v.string(),
})
export type Schedule = v.InferOutput<typeof scheduleSchema>

const portingProgressSchema = v.object({
  /**
   * The current step of the transfer: sent to the other provider, waiting for corrected details, waiting for the
   * customer's confirmation, moving, or moved.
   */
  step: v.picklist(['sent', 'information', 'reply', 'moving', 'moved']),
  /** When the current step began, if known. This field and the fields below are ISO 8601 instants. */
  since: v.nullable(v.string()),
  found_at: v.nullable(v.string()),
  confirmed_at: v.nullable(v.string()),
  reply_by: v.nullable(v.string()),
  /** When the other provider starts to process the transfer request; `null` means immediately. */
  looked_at_from: v.nullable(v.string()),
  /** Whether a cancellation has been sent to the network, which has not decided yet. */
  is_cancelling: v.boolean(),
})
export type PortingProgress = v.InferOutput<typeof portingProgressSchema>

const portingRequestSchema = v.object({
  /** The transfer's status: 1 NEW, 2 SUBMITTED, 3 COMPLETED, 4 FAILED. */
  status: v.picklist([1, 2, 3, 4]),
  failure_acknowledged_at: v.nullable(v.string()),
  msisdn: v.string(),
  /**
   * Why the transfer failed, if the reason is known: a field that the other provider rejected, the customer's reply, or
   * a cancellation.
   */
  reason: v.nullable(v.picklist(['sim_number', 'account_number', 'no_reply', 'said_no', 'cancelled'])),
  /** The `reason` as a sentence; empty when no reason is known. */
  reason_text: v.string(),
  /**
   * The name of the customer's current provider. `billing_method` is how they pay that provider: 1 prepay, 2 account.
   */
  donor: v.string(),
  billing_method: v.picklist([1, 2]),
  /** When the transfer was requested, as an ISO 8601 instant. */
  requested_at: v.string(),
  /** Progress of the transfer while it is open, and for a week after the number has moved. */
  progress: v.nullable(portingProgressSchema),
})
export type PortingRequestView = v.InferOutput<typeof portingRequestSchema>

const toneSchema = v.picklist(['calm', 'good', 'soon', 'bad'])

const planStatusSchema = v.object({
  /** The first state that applies to the plan. States that ask the customer to act come before states that do not. */
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
  /** The status as text: one paragraph per line, with `**strong**` for emphasis. */
  text: v.string(),
  line: v.string(),
  badge: v.nullable(v.object({ text: v.string(), tone: toneSchema })),
  card_button: v.nullable(v.picklist(['Update card', 'Add credit card'])),
  /** The next charge to the saved card for this service: `'on 10 Jan 2027: $109.65'`; `null` for none. */
  card_charge: v.nullable(v.string()),
  /**
   * A note shown before a manual renewal, with `**strong**` for emphasis. It says that auto-renewal will renew the
   * plan, or would cost less. `null` when auto-renewal is off and saves nothing, or cannot renew this plan.
   */
  auto_renewal_note: v.nullable(v.string()),
  can_cancel_next_plan: v.boolean(),
  /**
   * This field is set while the customer can replace the queued plan. The purchase request must include `instead_of`,
   * and `line` says what will happen to the queued plan.
   */
  change_next_plan: v.nullable(v.object({ instead_of: v.string(), line: v.string() })),
  last_day: v.string(),
  /** Days left on the plan, including today; 0 once the plan has expired. */
  days_left: v.number(),
})
export type PlanStatusView = v.InferOutput<typeof planStatusSchema>

export const serviceSchema = v.object({
  uuid: v.string(),
  /** The phone number with its country code. */
  msisdn: v.string(),
  /** The phone number in national format. */
  phone_number: v.string(),
  name: v.nullable(v.string()),
  plan_short_id: v.string(),
  is_expired: v.boolean(),
  /** When the plan ends, as an ISO 8601 instant. */
  expiry_date: v.string(),
  /** How many days the number is kept after the plan's end, and the last of these days as `YYYY-MM-DD`. */
  number_kept: v.object({ days: v.number(), last_day: v.string() }),
  porting_request: v.nullable(portingRequestSchema),
  schedules: v.record(v.string(), scheduleSchema),
  outlook: planStatusSchema,
})
export type Service = v.InferOutput<typeof serviceSchema>

export const numbersPerPage = 50

export const serviceIdPattern = /^(?:[0-9a-f-]{36}|\d[0-9a-z]{7})$/
/** The uuid of a service, or the short id of its schedule. */
export const serviceNameSchema = v.pipe(v.string(), v.regex(serviceIdPattern))

export const servicesPartQuerySchema = v.object({
  limit: v.optional(v.pipe(v.string(), v.regex(/^\d{1,2}$/), v.toNumber())),
  /**
   * The uuid of the first number in the list. If missing or unknown, the list starts with the customer's first number.
   */
  from: v.optional(serviceNameSchema),
})

export const listServices = endpoint({
  method: 'GET',
  path: '/api/services/',
  summary:
    'Lists the customer’s services by uuid, oldest first: all of them, or at most `limit` starting with ' +
    'the uuid `from`, plus the service that `named` identifies by its uuid or by the short id of its schedule',
  query: v.object({ ...servicesPartQuerySchema.entries, named: v.optional(serviceNameSchema) }),
  output: v.record(v.string(), serviceSchema),
})

export const numberRetentionMessages = {
  reserved: (days: number): string =>
    `Your Phone Number will be reserved for ${formatDays(days)} past your Prepay Plan expiry.`,
  lastDay: (day: string): string => `The last day to keep it is ${day}.`,
}
