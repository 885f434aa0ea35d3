import { isDeepStrictEqual } from 'node:util'
import { type AuditEvent, countAuditEvents, listAuditEvents } from '#kit/server/audit.ts'
import type { SignedInContext } from '#kit/server/request-context.ts'
import type { SecurityEvent } from '../security.contract.ts'
import { unauthenticatedEvents, eventLabels } from './event.labels.ts'
import type { SecurityDeps } from './security.deps.ts'

const maxEntries = 20
const maxEventsRead = 200
/**
 * For events that anyone can cause, such as failed logins: how many days to look back, and how many events to count at
 * most.
 */
const anonymousEventLimits = { days: 30, most: 1_000 }

const isUnauthenticatedEvent = (event: AuditEvent): boolean => unauthenticatedEvents.includes(event)
const shownEvents = (Object.keys(eventLabels) as AuditEvent[]).filter(
  (event) => eventLabels[event] !== null && !isUnauthenticatedEvent(event),
)

/**
 * Lists the account's recent security events, newest first. Identical events in a row form one entry. Events that
 * anyone can cause form one entry per kind, so that a stranger cannot push other entries off the page.
 */
export async function listRecentEvents(deps: SecurityDeps, { user }: SignedInContext): Promise<SecurityEvent[]> {
  const entries = [...(await listOwnEvents(deps, user.id)), ...(await listAnonymousEvents(deps, user.id))]
  return entries.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, maxEntries)
}

async function listOwnEvents({ db }: SecurityDeps, userId: string): Promise<SecurityEvent[]> {
  const entries: SecurityEvent[] = []
  for (const { at, event, browser, system } of await listAuditEvents(db, userId, shownEvents, maxEventsRead)) {
    const text = eventLabels[event]
    if (text === null) continue
    const lastEntry = entries.at(-1)
    if (lastEntry && isDeepStrictEqual([lastEntry.text, lastEntry.browser, lastEntry.system], [text, browser, system]))
      lastEntry.times += 1
    else entries.push({ at: at.toISOString(), text, times: 1, browser, system })
  }
  return entries
}

async function listAnonymousEvents({ db, clock }: SecurityDeps, userId: string): Promise<SecurityEvent[]> {
  const since = clock.now().subtract({ hours: anonymousEventLimits.days * 24 })
  const entries: SecurityEvent[] = []
  for (const event of unauthenticatedEvents) {
    const eventCount = await countAuditEvents(db, userId, event, { since, most: anonymousEventLimits.most })
    const text = eventLabels[event]
    if (eventCount && text !== null)
      entries.push({ at: eventCount.at.toISOString(), text, times: eventCount.times, browser: null, system: null })
  }
  return entries
}
