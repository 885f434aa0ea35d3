import type { Db, Trx } from '#kit/server/db.ts'
import type { ExternalService } from '#kit/server/external-calls.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import { type Message, retryOneDelayedMessage, retryDelayedMessages } from '#features/messages/server/messages.store.ts'
import { type EndedOutage, listOutages } from '#features/operator-tasks/server/outages.store.ts'

// A message that keeps failing is retried ever more slowly, in the end once an hour. After an outage of its relay it is retried at once.

const channels: Partial<Record<ExternalService, Message['channel']>> = { mail: 'email', sms: 'sms' }

/** After a shorter outage the back-off is still below two minutes. */
const longOutageMs = 60_000

/**
 * The relay responded, and rejected one message for its recipient or content. Other messages can be sent, and this message keeps its
 * back-off.
 */
const isMessageSpecific = (why: string): boolean => /^(?:EENVELOPE|EMESSAGE)\b/.test(why)

export async function retryWaitingMessages(
  trx: Trx,
  service: ExternalService,
  { ms, why }: EndedOutage,
): Promise<void> {
  const channel = channels[service]
  if (channel && ms >= longOutageMs && !isMessageSpecific(why)) await retryDelayedMessages(trx, channel)
}

export const relayUpkeep = (db: Db): Upkeep => ({
  name: 'messages.relays',
  everyMs: 60_000,
  async run() {
    for (const { service, why } of await listOutages(db)) {
      const channel = channels[service]
      if (channel && !isMessageSpecific(why)) await retryOneDelayedMessage(db, channel)
    }
  },
})
