import * as v from 'valibot'
import { realNow } from '#kit/server/clock.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import { dataFormats } from '../privacy.contract.ts'

const ticketSchema = v.object({
  about: v.literal('own-data'),
  userId: v.string(),
  sessionId: v.string(),
  format: v.picklist(dataFormats),
  /** Real time. */
  until: v.number(),
})
export type DataTicket = Pick<v.InferOutput<typeof ticketSchema>, 'userId' | 'sessionId' | 'format'>

const goodForSeconds = 120
/** Ours are shorter. */
const longest = 1_000

/** Says that the password was entered just now, in this session, for a download: a browser fetches files by an address alone. */
export function writeTicket(secrets: Secrets, ticket: DataTicket): string {
  const until = realNow().add({ seconds: goodForSeconds }).epochMilliseconds
  const sealed = secrets.seal(JSON.stringify({ about: 'own-data', ...ticket, until }))
  return Buffer.from(sealed, 'base64').toString('base64url')
}

/** Null when it is none of ours, or too old. */
export function readTicket(secrets: Secrets, text: string): DataTicket | null {
  if (text.length > longest) return null
  try {
    const sealed = Buffer.from(text, 'base64url').toString('base64')
    const ticket = v.parse(ticketSchema, JSON.parse(secrets.open(sealed)))
    return ticket.until > realNow().epochMilliseconds ? ticket : null
  } catch {
    return null
  }
}
