import { transact, type Db } from '#kit/server/db.ts'
import type { JobDefinition, Jobs } from '#kit/server/jobs.ts'
import type { Log } from '#kit/server/log.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import type { MailSender } from '#providers/mail/mail.port.ts'
import { sendMessageJob } from './messages.queue.ts'
import { endMessage, findUnsent, takeMessagesDue, tryMessageAgain } from './messages.store.ts'

type Deps = { db: Db; jobs: Jobs; secrets: Secrets; mail: MailSender; mailFrom: string; log: Log }

/** Sends what is in the outbox. A repeat carries the same Message-ID, so that a mailbox shows it once. */
export const messageJobs = (deps: Deps): JobDefinition[] => [
  {
    name: sendMessageJob,
    async run({ messageId }: { messageId: string }) {
      const message = await findUnsent(deps.db, messageId)
      if (!message?.sealed_body) return
      const { text, html } = JSON.parse(deps.secrets.open(message.sealed_body)) as { text: string; html: string }
      try {
        const outcome = await deps.mail.send({ messageId: message.message_id, from: deps.mailFrom, to: message.recipient, subject: message.subject, text, html })
        await endMessage(deps.db, message.id, outcome)
      } catch (error) {
        deps.log.warn({ message: message.id, tries: message.tries, reason: String(error) }, 'a message could not be sent yet')
        await tryMessageAgain(deps.db, message)
      }
    },
  },
]

export const messageUpkeep = (deps: Deps): Upkeep => ({
  name: 'messages.due',
  everyMs: 1_000,
  run: () =>
    transact(deps.db, async (trx) => {
      for (const messageId of await takeMessagesDue(trx)) await deps.jobs.send(trx, sendMessageJob, { messageId })
    }),
})
