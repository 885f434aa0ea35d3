import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

export const messageListErrors = {
  place: 'That page of messages doesn’t exist. Please go back to your latest messages.',
} as const

const sentMessageSchema = v.object({
  id: v.string(),
  at: v.string(),
  by: v.picklist(['email', 'text']),
  /** The message's recipient: an email address, or a phone number in national format. */
  to: v.string(),
  /** The subject of an email, or the topic of a text message. */
  about: v.string(),
  state: v.picklist(['sent', 'refused', 'not_needed', 'waiting']),
})
export type SentMessage = v.InferOutput<typeof sentMessageSchema>

const messagesSchema = v.object({
  messages: v.array(sentMessageSchema),
  next: v.nullable(v.string()),
})
export type MessagesView = v.InferOutput<typeof messagesSchema>

export const readMessages = endpoint({
  method: 'GET',
  path: '/api/account/privacy/messages/',
  summary:
    'Lists the emails and texts sent to the customer, newest first, 20 at a time; 400 when `before` is not a valid cursor',
  query: v.object({
    before: v.optional(v.pipe(v.string(messageListErrors.place), v.maxLength(100, messageListErrors.place))),
  }),
  output: messagesSchema,
})
