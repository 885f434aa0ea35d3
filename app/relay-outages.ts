import type { Db, Trx } from '#kit/server/db.ts'
import type { ExternalService } from '#kit/server/external-calls.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import { type Message, retryOneDelayedMessage, retryDelayedMessages } from '#features/messages/server/messages.store.ts'
import { type EndedOutage, listOutages } from '#features/operator-tasks/server/outages.store.ts'

/*
 * A message that keeps failing is retried at growing intervals, up to an hour. After an outage of the mail or text relay,
 * waiting messages are retried at once.
 */

const channels: Partial<Record<ExternalService, Message['channel']>> = { mail: 'email', sms: 'sms' }

/** Milliseconds from which an outage counts as long. After a shorter outage, the back-off of messages is still below two minutes. */
const longOutageMs = 60_000

/**
 * Tells whether a failure concerns only one message: the relay responded, and rejected the message's recipient or content.
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
