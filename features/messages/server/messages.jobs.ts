import type { Db } from '#kit/server/db.ts'
import type { JobDefinition, Jobs } from '#kit/server/jobs.ts'
import type { Log } from '#kit/server/log.ts'
import { backOff, retryIn, retryUpkeep } from '#kit/server/retries.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import type { Attachment, MailSender } from '#providers/mail/mail.port.ts'
import type { SmsSender } from '#providers/sms/sms.port.ts'
import type { MailBody, SmsBody } from './messages.ts'
import { sendMessageJob } from './messages.queue.ts'
import { endMessage, findUnsent, type Message, messageRetries } from './messages.store.ts'

type Deps = {
  db: Db
  jobs: Jobs
  secrets: Secrets
  mail: MailSender
  mailFrom: string
  sms: SmsSender
  log: Log
  /** Makes the file that a message names. @throws when there is no such thing */
  attachmentOf(ref: string): Promise<Attachment>
}

/** Sends what is in the outbox. A repeat carries the same Message-ID, so that a mailbox shows it and a carrier sends it once. */
export const messageJobs = (deps: Deps): JobDefinition[] => [
  {
    name: sendMessageJob,
    async run({ messageId }: { messageId: string }) {
      const message = await findUnsent(deps.db, messageId)
      if (!message?.sealed_body) return
      const body: unknown = JSON.parse(deps.secrets.open(message.sealed_body))
      try {
        await endMessage(deps.db, message.id, await send(deps, message, body))
      } catch (error) {
        deps.log.warn(
          { message: message.id, tries: message.tries, reason: String(error) },
          'a message could not be sent yet',
        )
        await retryIn(deps.db, messageRetries, { id: message.id }, { seconds: 5 * backOff(message.tries, 720) })
      }
    },
  },
]

async function send(
  deps: Deps,
  { channel, message_id: messageId, recipient: to, subject, attachment }: Message,
  body: unknown,
): Promise<'sent' | 'refused'> {
  if (channel === 'sms') return deps.sms.send({ messageId, to, ...(body as SmsBody) })
  const attachments = attachment ? [await deps.attachmentOf(attachment)] : []
  return deps.mail.send({ messageId, from: deps.mailFrom, to, subject, ...(body as MailBody), attachments })
}

export const messageUpkeep = (deps: Deps): Upkeep =>
  retryUpkeep(deps, messageRetries, 1_000, (messageId) => [sendMessageJob, { messageId }])
