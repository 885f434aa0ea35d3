import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

/** Those that will never arrive as they are, and those that wait for longer than a message does. */
export const messageLists = ['refused', 'stuck'] as const
export type MessageList = (typeof messageLists)[number]

/** What messages are about. */
export const subjectNames = {
  purchases: 'Purchases, cards and refunds',
  transfers: 'Number transfers',
  plans: 'Plans and auto-renewal',
  account: 'Sign-in and account',
} as const
export type Subject = keyof typeof subjectNames
export const subjects = Object.keys(subjectNames) as [Subject, ...Subject[]]

/** In the place of a domain: texts have none. */
export const texts = 'texts'

/** From then on a message that is neither sent nor refused is stuck. */
export const stuckMinutes = 10
/** So far back those that were refused are counted. */
export const countedDays = 7

const instant = v.string()

const rowSchema = v.object({
  id: v.string(),
  channel: v.picklist(['email', 'sms']),
  /** What it is about, in words. */
  what: v.string(),
  /** When it was refused, or since when it waits. */
  at: instant,
  /** The mailbox's domain; null: it is a text. */
  domain: v.nullable(v.string()),
  /** Masked. `id` is null for whom there is no page. */
  customer: v.object({ id: v.nullable(v.string()), name: v.string() }),
  /** What relay or carrier said to the last try, without an address or a number; null: nothing is known. */
  answer: v.nullable(v.string()),
  tries: v.number(),
  /** When it is tried again; null: it is not. */
  next_try: v.nullable(instant),
  /** Something else has reached its customer on the same way since. */
  is_reached: v.boolean(),
  may_again: v.boolean(),
})
export type MessageRow = v.InferOutput<typeof rowSchema>

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/desk/messages/',
  summary: 'Messages that were refused, the newest first, or that are stuck, the oldest first; fifty a page',
  query: v.object({
    of: v.optional(v.picklist(messageLists), 'refused'),
    /** A domain, or `texts`. */
    to: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(253))),
    about: v.optional(v.picklist(subjects)),
    before: v.optional(v.pipe(v.string(), v.maxLength(140))),
  }),
  output: v.object({ rows: v.array(rowSchema), next: v.nullable(v.string()) }),
})
export type MessagePage = v.InferOutput<typeof listMessages.output>

/** Of those that were sent today: half of them, and 95 of 100, had left within so many seconds. */
const paceSchema = v.object({ sent: v.number(), half_seconds: v.number(), most_seconds: v.number() })
export type Pace = v.InferOutput<typeof paceSchema>

const domainSchema = v.object({
  /** Null: texts. */
  domain: v.nullable(v.string()),
  refused: v.number(),
  stuck: v.number(),
  /** How long the oldest of those that are stuck has waited. */
  oldest_seconds: v.nullable(v.number()),
  /** Null: nothing was sent there today. */
  pace: v.nullable(paceSchema),
})
export type DomainRow = v.InferOutput<typeof domainSchema>

export const readDomains = endpoint({
  method: 'GET',
  path: '/api/desk/messages/domains/',
  summary: 'How many messages were refused in seven days and are stuck now, by domain, and how long they take today',
  output: v.object({
    /** More is not counted: these are of the newest that were refused, and of the oldest that wait. */
    most_counted: v.number(),
    refused: v.number(),
    stuck: v.number(),
    /** Of the newest ten thousand of today. */
    mails: v.nullable(paceSchema),
    texts: v.nullable(paceSchema),
    /** The worst first, and at most twenty. */
    domains: v.array(domainSchema),
    /** How many more there are. */
    others: v.number(),
  }),
})
export type Domains = v.InferOutput<typeof readDomains.output>

export const sendAgain = endpoint({
  method: 'POST',
  path: '/api/desk/messages/:id/again/',
  summary: 'Has a refused message composed anew, and sent to the address that the account has now',
  params: v.object({ id: v.pipe(v.string(), v.uuid()) }),
  output: v.object({ said: v.string() }),
})
