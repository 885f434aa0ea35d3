import type { Db, Trx } from '#kit/server/db.ts'
import type { OutsideService } from '#kit/server/outside-calls.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import { type Message, retryOneWaiting, retryWaiting } from '#features/messages/server/messages.store.ts'
import { type EndedOutage, listOutages } from '#features/operator-tasks/server/outages.store.ts'

// A message that keeps failing is retried ever more slowly, in the end once an hour. After an outage of its relay it is retried at once.

const channels: Partial<Record<OutsideService, Message['channel']>> = { mail: 'email', sms: 'sms' }

/** After a shorter outage the back-off is still below two minutes. */
const longOutageMs = 60_000

/**
 * The relay responded, and rejected one message for its recipient or content. Other messages can be sent, and this message keeps its
 * back-off.
 */
const isAboutOneMessage = (why: string): boolean => /^(?:EENVELOPE|EMESSAGE)\b/.test(why)

export async function retryWaitingMessages(trx: Trx, service: OutsideService, { ms, why }: EndedOutage): Promise<void> {
  const channel = channels[service]
  if (channel && ms >= longOutageMs && !isAboutOneMessage(why)) await retryWaiting(trx, channel)
}

export const relayUpkeep = (db: Db): Upkeep => ({
  name: 'messages.relays',
  everyMs: 60_000,
  async run() {
    for (const { service, why } of await listOutages(db)) {
      const channel = channels[service]
      if (channel && !isAboutOneMessage(why)) await retryOneWaiting(db, channel)
    }
  },
})
