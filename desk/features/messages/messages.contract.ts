import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

/** `refused` messages were rejected and will not be retried. `stuck` messages have been waiting longer than a message normally does. */
export const messageLists = ['refused', 'stuck'] as const
export type MessageList = (typeof messageLists)[number]

export const topicNames = {
  purchases: 'Purchases, cards and refunds',
  transfers: 'Number transfers',
  plans: 'Plans and auto-renewal',
  account: 'Sign-in and account',
} as const
export type MessageTopic = keyof typeof topicNames
export const messageTopics = Object.keys(topicNames) as [MessageTopic, ...MessageTopic[]]

/** The domain filter's value for text messages, which have no domain. */
export const textMessagesFilter = 'texts'

/** Minutes after which a message that has been neither sent nor refused counts as stuck. */
export const stuckMinutes = 10
export const refusedPeriodDays = 7

const instantSchema = v.string()

const rowSchema = v.object({
  id: v.string(),
  channel: v.picklist(['email', 'sms']),
  what: v.string(),
  /** When the message was refused, or since when a stuck message has been waiting. */
  at: instantSchema,
  /** The domain of the recipient's email address. `null` for a text message. */
  domain: v.nullable(v.string()),
  /** The recipient. `name` is masked. `id` is `null` if the message does not belong to a known customer. */
  customer: v.object({ id: v.nullable(v.string()), name: v.string() }),
  /** The mail relay's or carrier's response to the last attempt, without addresses and phone numbers. `null` if unknown. */
  answer: v.nullable(v.string()),
  tries: v.number(),
  next_try: v.nullable(instantSchema),
  /** Whether a later message has reached the customer through the same channel. */
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
    about: v.optional(v.picklist(messageTopics)),
    before: v.optional(v.pipe(v.string(), v.maxLength(140))),
  }),
  output: v.object({ rows: v.array(rowSchema), next: v.nullable(v.string()) }),
})
export type MessagePage = v.InferOutput<typeof listMessages.output>

/** Messages sent today. Half of them were sent within `half_seconds` of being queued, and 95 per cent within `most_seconds`. */
const sendingTimesSchema = v.object({ sent: v.number(), half_seconds: v.number(), most_seconds: v.number() })
export type SendingTimes = v.InferOutput<typeof sendingTimesSchema>

const domainSchema = v.object({
  domain: v.nullable(v.string()),
  refused: v.number(),
  stuck: v.number(),
  oldest_seconds: v.nullable(v.number()),
  /** `null` if no message was sent to this domain today. */
  pace: v.nullable(sendingTimesSchema),
})
export type DomainRow = v.InferOutput<typeof domainSchema>

export const readDomains = endpoint({
  method: 'GET',
  path: '/api/desk/messages/domains/',
  summary:
    'Returns how many messages to each domain were refused in the last seven days or are stuck now, and how long sending takes today',
  output: v.object({
    /**
     * The `refused` and `stuck` counts stop at this number. The newest refused messages and the longest-waiting stuck messages are counted.
     */
    most_counted: v.number(),
    refused: v.number(),
    stuck: v.number(),
    /** How long emails took to send, measured on the newest ten thousand of today's messages. */
    mails: v.nullable(sendingTimesSchema),
    texts: v.nullable(sendingTimesSchema),
    /** At most twenty email domains, worst first. */
    domains: v.array(domainSchema),
    others: v.number(),
  }),
})
export type DomainStatistics = v.InferOutput<typeof readDomains.output>

export const resendRefusedMessage = endpoint({
  method: 'POST',
  path: '/api/desk/messages/:id/again/',
  summary:
    'Sends a refused message again to the account’s current email address, with current details or, for a reminder, as a copy',
  params: v.object({ id: v.pipe(v.string(), v.uuid()) }),
  output: v.object({ said: v.string() }),
})
