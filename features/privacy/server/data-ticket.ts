import * as v from 'valibot'
import { realNow } from '#kit/server/clock.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import { dataExportFormats } from '../privacy.contract.ts'

const ticketSchema = v.object({
  about: v.literal('own-data'),
  userId: v.string(),
  sessionId: v.string(),
  format: v.picklist(dataExportFormats),
  /** When the download ticket expires, in milliseconds since the epoch, in real time. */
  until: v.number(),
})
export type DataTicket = Pick<v.InferOutput<typeof ticketSchema>, 'userId' | 'sessionId' | 'format'>

const ticketLifetimeSeconds = 120
const maxTicketLength = 1_000

/**
 * Creates a download ticket, which proves that the password has just been entered in this session. A browser downloads
 * a file by its URL alone, so the ticket is part of the URL.
 */
export function sealTicket(secrets: Secrets, ticket: DataTicket): string {
  const expiresAtMs = realNow().add({ seconds: ticketLifetimeSeconds }).epochMilliseconds
  const sealedTicket = secrets.seal(JSON.stringify({ about: 'own-data', ...ticket, until: expiresAtMs }))
  return Buffer.from(sealedTicket, 'base64').toString('base64url')
}

export function openTicket(secrets: Secrets, text: string): DataTicket | null {
  if (text.length > maxTicketLength) return null
  try {
    const sealed = Buffer.from(text, 'base64url').toString('base64')
    const ticket = v.parse(ticketSchema, JSON.parse(secrets.open(sealed)))
    return ticket.until > realNow().epochMilliseconds ? ticket : null
  } catch {
    return null
  }
}
