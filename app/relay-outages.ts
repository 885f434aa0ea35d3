import type { Db, Trx } from '#kit/server/db.ts'
import type { OutsideService } from '#kit/server/outside-calls.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import { type Message, retryOneWaiting, retryWaiting } from '#features/messages/server/messages.store.ts'
import { listOutages } from '#features/operator-tasks/server/outages.store.ts'

// A message that fails again and again is tried ever more slowly, in the end once an hour. After an outage of its relay it goes at once.

const channels: Partial<Record<OutsideService, Message['channel']>> = { mail: 'email', sms: 'sms' }

/** After a shorter outage nothing waits for two minutes. Refusals of single messages between others that are taken are shorter. */
const longOutageMs = 60_000

/** Sends what waited for a relay that answers again. */
export async function sendWhatWaited(trx: Trx, service: OutsideService, ms: number): Promise<void> {
  const channel = channels[service]
  if (channel && ms >= longOutageMs) await retryWaiting(trx, channel)
}

/** Tries one message a minute while its relay is away. */
export const relayUpkeep = (db: Db): Upkeep => ({
  name: 'messages.relays',
  everyMs: 60_000,
  async run() {
    for (const { service } of await listOutages(db)) {
      const channel = channels[service]
      if (channel) await retryOneWaiting(db, channel)
    }
  },
})
