import type { Db, Trx } from '#kit/server/db.ts'
import type { ExternalService } from '#kit/server/external-calls.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import { type Message, retryOneDelayedMessage, retryDelayedMessages } from '#features/messages/server/messages.store.ts'
import { type EndedOutage, listOutages } from '#features/operator-tasks/server/outages.store.ts'

/*
 * A message that keeps failing is retried at growing intervals, up to an hour. Once the mail or text relay recovers
 * from a long outage, all waiting messages are retried immediately.
 */

const channels: Partial<Record<ExternalService, Message['channel']>> = { mail: 'email', sms: 'sms' }

/**
 * An outage of at least this many milliseconds counts as long. After a shorter one, no message waits more than two
 * minutes for its next retry anyway.
 */
const longOutageMs = 60_000

/**
 * Whether a failure concerns only one message: the relay responded, and rejected that message's recipient or content.
 * Such a message keeps its back-off.
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
