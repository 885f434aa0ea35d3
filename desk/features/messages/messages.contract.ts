import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

/**
 * `refused` messages will never arrive as they are. `stuck` messages have waited for longer than a message normally
 * does.
 */
export const messageLists = ['refused', 'stuck'] as const
export type MessageList = (typeof messageLists)[number]

export const subjectNames = {
  purchases: 'Purchases, cards and refunds',
  transfers: 'Number transfers',
  plans: 'Plans and auto-renewal',
  account: 'Sign-in and account',
} as const
export type Subject = keyof typeof subjectNames
export const subjects = Object.keys(subjectNames) as [Subject, ...Subject[]]

/** Stands in place of a domain, because text messages have none. */
export const textsFilter = 'texts'

/** After this many minutes, a message that is neither sent nor refused is stuck. */
export const stuckMinutes = 10
export const countedDays = 7

const instant = v.string()

const rowSchema = v.object({
  id: v.string(),
  channel: v.picklist(['email', 'sms']),
  what: v.string(),
  /** When the message was refused, or since when it has been waiting. */
  at: instant,
  /** The domain of the mailbox. `null` for a text message. */
  domain: v.nullable(v.string()),
  /** `name` is masked. `id` is `null` when the message belongs to no known customer. */
  customer: v.object({ id: v.nullable(v.string()), name: v.string() }),
  /**
   * What the mail relay or the carrier answered to the last try, without addresses and numbers. `null` when unknown.
   */
  answer: v.nullable(v.string()),
  tries: v.number(),
  next_try: v.nullable(instant),
  /** A later message has reached the customer through the same channel. */
  is_reached: v.boolean(),
  may_again: v.boolean(),
})
export type MessageRow = v.InferOutput<typeof rowSchema>

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/desk/messages/',
  summary: 'Lists refused messages (newest first) or stuck messages (oldest first), 50 per page',
  query: v.object({
    of: v.optional(v.picklist(messageLists), 'refused'),
    to: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(253))),
    about: v.optional(v.picklist(subjects)),
    before: v.optional(v.pipe(v.string(), v.maxLength(140))),
  }),
  output: v.object({ rows: v.array(rowSchema), next: v.nullable(v.string()) }),
})
export type MessagePage = v.InferOutput<typeof listMessages.output>

/** Messages sent today. Half of them left within `half_seconds`, and 95 of 100 within `most_seconds`. */
const paceSchema = v.object({ sent: v.number(), half_seconds: v.number(), most_seconds: v.number() })
export type Pace = v.InferOutput<typeof paceSchema>

const domainSchema = v.object({
  domain: v.nullable(v.string()),
  refused: v.number(),
  stuck: v.number(),
  oldest_seconds: v.nullable(v.number()),
  /** `null` when nothing was sent there today. */
  pace: v.nullable(paceSchema),
})
export type DomainRow = v.InferOutput<typeof domainSchema>

export const readDomains = endpoint({
  method: 'GET',
  path: '/api/desk/messages/domains/',
  summary:
    'Returns how many messages were refused in seven days and are stuck now, by domain, and how long sending takes today',
  output: v.object({
    /** The maximum that is counted: the newest refused messages, and the oldest waiting messages. */
    most_counted: v.number(),
    refused: v.number(),
    stuck: v.number(),
    /** Measured on the newest ten thousand messages of today. */
    mails: v.nullable(paceSchema),
    texts: v.nullable(paceSchema),
    /** At most twenty domains, worst first. */
    domains: v.array(domainSchema),
    others: v.number(),
  }),
})
export type Domains = v.InferOutput<typeof readDomains.output>

export const resendRefusedMessage = endpoint({
  method: 'POST',
  path: '/api/desk/messages/:id/again/',
  summary: 'Sends a refused message again, rewritten with current details, to the current address of the account',
  params: v.object({ id: v.pipe(v.string(), v.uuid()) }),
  output: v.object({ said: v.string() }),
})
