import { isDeepStrictEqual } from 'node:util'
import { type AuditEvent, listActs } from '#kit/server/audit.ts'
import { unauthorised } from '#kit/server/refusal.ts'
import type { Visit } from '#kit/server/visit.ts'
import type { SecurityEvent } from '../security.contract.ts'
import { eventWords } from './event-words.ts'
import type { SecurityDeps } from './security.deps.ts'

const entriesShown = 20
// Enough that guessing at a password does not push what else happened off the page.
const actsRead = 500

const told = (Object.keys(eventWords) as AuditEvent[]).filter((event) => eventWords[event] !== null)

/** What happened in the customer's account lately that they should know of. The same several times in a row is one entry. */
export async function recentEvents({ db }: SecurityDeps, { user }: Visit): Promise<SecurityEvent[]> {
  if (!user) throw unauthorised()
  const entries: SecurityEvent[] = []
  for (const { at, event, browser, system } of await listActs(db, user.id, told, actsRead)) {
    const text = eventWords[event]
    if (text === null) continue
    const last = entries.at(-1)
    if (last && isDeepStrictEqual([last.text, last.browser, last.system], [text, browser, system])) last.times += 1
    else entries.push({ at: at.toISOString(), text, times: 1, browser, system })
  }
  return entries.slice(0, entriesShown)
}
