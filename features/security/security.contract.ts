import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

export const securityMessages = {
  own: 'You’re using this device now. To log out of it, use Logout.',
} as const

const deviceSchemaEntries = {
  /** A browser name from our own list, such as `Chrome`; `null` when the browser is unknown. */
  browser: v.nullable(v.string()),
  system: v.nullable(v.string()),
}

const sessionSchema = v.object({
  /** The session's id for `endSession`. Knowing the id does not grant access. */
  id: v.string(),
  ...deviceSchemaEntries,
  /** When the session was last active, accurate to ten minutes. */
  last_seen: v.string(),
  is_current: v.boolean(),
})
export type OwnSession = v.InferOutput<typeof sessionSchema>

const sessionsSchema = v.object({ sessions: v.array(sessionSchema) })

const securityEventSchema = v.object({
  /** When the event happened; for several identical events in a row, when the last one happened. */
  at: v.string(),
  text: v.string(),
  /** How many identical events happened in a row. */
  times: v.number(),
  ...deviceSchemaEntries,
})
export type SecurityEvent = v.InferOutput<typeof securityEventSchema>

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/account/sessions/',
  summary: 'Lists the customer’s sessions, the current one first',
  output: sessionsSchema,
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/account/sessions/:id/',
  summary: 'Ends another session of the customer and returns the remaining sessions',
  params: v.object({ id: v.pipe(v.string(), v.maxLength(100)) }),
  output: sessionsSchema,
})

export const endOtherSessions = endpoint({
  method: 'POST',
  path: '/api/account/end_other_sessions/',
  summary: 'Ends every session of the customer except the current one',
  output: sessionsSchema,
})

export const listSecurityEvents = endpoint({
  method: 'GET',
  path: '/api/account/security_events/',
  summary: 'Lists the account’s latest security events, newest first, at most 20',
  output: v.object({ events: v.array(securityEventSchema) }),
})
