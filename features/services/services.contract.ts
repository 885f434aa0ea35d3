import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { formatDays } from '#kit/contract/plans.ts'

const scheduleSchema = v.object({
  short_id: v.string(),
  unique_id: v.string(),
  auto_recharge_enabled: v.boolean(),
  /** The plan's first day, `YYYY-MM-DD` in the market's zone: with its length and data it says which cycles are still to come. */
  starts_on: v.string(),
  product: v.object({
    title: v.string(),
    length: v.number(),
    /** GB of each cycle. */
    data_gb: v.number(),
    colour: v.string(),
    unique_id: v.string(),
    next_product_unique_id: v.nullable(v.string()),
  }),
  /** Paid for already: it begins, without a gap, when the present plan ends. */
  next_plan: v.nullable(
    v.object({
      title: v.string(),
      /** Days. */
      length: v.number(),
      /** ISO 8601 instant. */
      starts_on: v.string(),
    }),
  ),
  /** The service's uuid. */
  service: v.string(),
})
export type Schedule = v.InferOutput<typeof scheduleSchema>

const portingProgressSchema = v.object({
  /** What is waited for: the other provider, more answers, the customer's Yes, the move; or it has moved. */
  step: v.picklist(['sent', 'information', 'reply', 'moving', 'moved']),
  /** ISO 8601 instants, as all below: since when, as far as that is known. */
  since: v.nullable(v.string()),
  /** When the other provider had found the number. */
  found_at: v.nullable(v.string()),
  /** When the Yes was there. */
  confirmed_at: v.nullable(v.string()),
  /** Until when the Yes counts, while it is waited for. */
  reply_by: v.nullable(v.string()),
  /** When the other provider begins with it, where that is not at once. */
  looked_at_from: v.nullable(v.string()),
  /** The network has been asked to call it off, and has not said yet whether it can. */
  is_cancelling: v.boolean(),
})
export type PortingProgress = v.InferOutput<typeof portingProgressSchema>

const portingRequestSchema = v.object({
  /** 1 NEW, 2 SUBMITTED, 3 COMPLETED, 4 FAILED. */
  status: v.picklist([1, 2, 3, 4]),
  failure_acknowledged_at: v.nullable(v.string()),
  msisdn: v.string(),
  /** Why it failed, as far as we have words for that: a field that the other provider has otherwise, the customer's answer, or us. */
  reason: v.nullable(v.picklist(['sim_number', 'account_number', 'no_reply', 'said_no', 'cancelled'])),
  /** The same in a sentence; empty without a reason. */
  reason_text: v.string(),
  /** Where the number is, and how it is paid there: 1 prepay, 2 account. */
  donor: v.string(),
  billing_method: v.picklist([1, 2]),
  /** ISO 8601 instant of the request. */
  requested_at: v.string(),
  /** How far it has come, as the network tells: while it is under way, and for a week once the number has moved. */
  progress: v.nullable(portingProgressSchema),
})
export type PortingRequestView = v.InferOutput<typeof portingRequestSchema>

const tones = v.picklist(['calm', 'good', 'soon', 'bad'])

/** What happens to a service next, in sentences: the same on its page, in the list and in messages. */
const outlookSchema = v.object({
  /** The first that fits; what asks for something stands before what does not. */
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
  tone: tones,
  title: v.string(),
  /** One paragraph a line, with `**strong**` for what it looks like. */
  text: v.string(),
  /** The same in three words, for the list. */
  line: v.string(),
  badge: v.nullable(v.object({ text: v.string(), tone: tones })),
  /** Leads to the card that pays, where that would help. */
  card_button: v.nullable(v.picklist(['Update card', 'Add credit card'])),
  /** When the saved card is charged for it next, and how much: `'on Sun 10 Jan: $109.65'`; null when it is not. */
  card_charge: v.nullable(v.string()),
  /**
   * What a customer should know before renewing by hand, with `**strong**`: that auto-renewal does it, or would do it for less. Null when
   * auto-renewal is off and saves nothing, or cannot renew this plan.
   */
  auto_renewal_note: v.nullable(v.string()),
  /** The plan that waits can be given back, by its customer and now. */
  can_cancel_next_plan: v.boolean(),
  /**
   * While it can: for another plan in its place, `instead_of` of the call that buys that, and what comes of the one that waits then.
   */
  change_next_plan: v.nullable(v.object({ instead_of: v.string(), line: v.string() })),
  /** Calendar day on which the plan works for the last time. */
  last_day: v.string(),
  /** Today included; 0 once the plan has expired. */
  days_left: v.number(),
})
export type OutlookView = v.InferOutput<typeof outlookSchema>

export const serviceSchema = v.object({
  uuid: v.string(),
  /** With country code. */
  msisdn: v.string(),
  /** As it is written at home. */
  phone_number: v.string(),
  /** What its customer calls it; null: nothing. */
  name: v.nullable(v.string()),
  plan_short_id: v.string(),
  is_expired: v.boolean(),
  /** ISO 8601 instant at which the plan ends. */
  expiry_date: v.string(),
  /** For how many days after that end the number is kept, and the last of them as `YYYY-MM-DD`. */
  number_kept: v.object({ days: v.number(), last_day: v.string() }),
  porting_request: v.nullable(portingRequestSchema),
  schedules: v.record(v.string(), scheduleSchema),
  outlook: outlookSchema,
})
export type Service = v.InferOutput<typeof serviceSchema>

/** Numbers that a list shows until its customer asks for more. */
export const numbersPerPage = 50

export const serviceNamePattern = /^(?:[0-9a-f-]{36}|\d[0-9a-z]{7})$/
/** The uuid of a service, or the short id of its schedule. */
export const serviceName = v.pipe(v.string(), v.regex(serviceNamePattern))

/** A part of a customer’s numbers, for a page that shows no more than that. */
export const partQuery = v.object({
  limit: v.optional(v.pipe(v.string(), v.regex(/^\d{1,2}$/), v.toNumber())),
  /** The uuid of the number to start with; without it, or where it is unknown, the first one. */
  from: v.optional(serviceName),
})

export const listServices = endpoint({
  method: 'GET',
  path: '/api/services/',
  summary:
    'The customer’s services by uuid, oldest first: all of them; or with `limit` so many, from the uuid `from` on, and the one that ' +
    '`named` names by its uuid or the short id of its schedule',
  query: v.object({ ...partQuery.entries, named: v.optional(serviceName) }),
  output: v.record(v.string(), serviceSchema),
})

/** What becomes of the number of a plan that has ended; the page says it and the mail. */
export const keptMessages = {
  reserved: (days: number): string =>
    `Your Phone Number will be reserved for ${formatDays(days)} past your Prepay Plan expiry.`,
  lastDay: (day: string): string => `The last day to keep it is ${day}.`,
}
