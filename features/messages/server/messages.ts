import { randomUUID } from 'node:crypto'
import type { Clock } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import { composeMail, type MailContent } from './compose.ts'
import { insertMessage } from './messages.store.ts'
import { sendMessageJob } from './messages.queue.ts'

type MessageDeps = { clock: Clock; jobs: Jobs; secrets: Secrets; brandName: string; publicUrl: string }

export type NewMail = MailContent & {
  /** Names the business event: the same event never makes a second mail. */
  eventKey: string
  to: string
  subject: string
}

/** Whoever signs up chooses the name, for an address that may be another's: one that reads as a link is left out. */
export const greet = (firstName: string): string => (/[/@]|\.\p{L}{2}/u.test(firstName) ? 'Kia ora' : `Kia ora ${firstName}`)

/** Puts a mail into the outbox, in the transaction of the change that it reports. */
export async function queueMail(trx: Trx, deps: MessageDeps, mail: NewMail): Promise<void> {
  const body = composeMail({ brandName: deps.brandName, publicUrl: deps.publicUrl }, mail)
  const id = randomUUID()
  const isNew = await insertMessage(
    trx,
    {
      id,
      eventKey: mail.eventKey,
      messageId: `<${id}@${new URL(deps.publicUrl).hostname}>`,
      channel: 'email',
      recipient: mail.to,
      subject: mail.subject.replace(/[\r\n]+/g, ' '),
      sealedBody: deps.secrets.seal(JSON.stringify(body)),
    },
    deps.clock.now(),
  )
  if (isNew) await deps.jobs.send(trx, sendMessageJob, { messageId: id })
}
