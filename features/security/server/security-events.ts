import { isDeepStrictEqual } from 'node:util'
import { type AuditEvent, countActs, listActs } from '#kit/server/audit.ts'
import type { SignedInVisit } from '#kit/server/visit.ts'
import type { SecurityEvent } from '../security.contract.ts'
import { causedByAnybody, eventWords } from './event-words.ts'
import type { SecurityDeps } from './security.deps.ts'

const entriesShown = 20
const actsRead = 200
/** Events that anyone can cause are counted over this many days, up to this number. */
const strangers = { days: 30, most: 1_000 }

const isToldOnce = (event: AuditEvent): boolean => causedByAnybody.includes(event)
const told = (Object.keys(eventWords) as AuditEvent[]).filter(
  (event) => eventWords[event] !== null && !isToldOnce(event),
)

/**
 * Recent events in the customer's account, newest first. Equal events in a row form one entry. All events of a kind
 * that anyone can cause also form one entry, so that a stranger cannot push other entries off the page.
 */
export async function recentEvents(deps: SecurityDeps, { user }: SignedInVisit): Promise<SecurityEvent[]> {
  const entries = [...(await ownEvents(deps, user.id)), ...(await strangersEvents(deps, user.id))]
  return entries.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, entriesShown)
}

async function ownEvents({ db }: SecurityDeps, userId: string): Promise<SecurityEvent[]> {
  const entries: SecurityEvent[] = []
  for (const { at, event, browser, system } of await listActs(db, userId, told, actsRead)) {
    const text = eventWords[event]
    if (text === null) continue
    const last = entries.at(-1)
    if (last && isDeepStrictEqual([last.text, last.browser, last.system], [text, browser, system])) last.times += 1
    else entries.push({ at: at.toISOString(), text, times: 1, browser, system })
  }
  return entries
}

async function strangersEvents({ db, clock }: SecurityDeps, userId: string): Promise<SecurityEvent[]> {
  const since = clock.now().subtract({ hours: strangers.days * 24 })
  const entries: SecurityEvent[] = []
  for (const event of causedByAnybody) {
    const found = await countActs(db, userId, event, { since, most: strangers.most })
    const text = eventWords[event]
    if (found && text !== null)
      entries.push({ at: found.at.toISOString(), text, times: found.times, browser: null, system: null })
  }
  return entries
}
