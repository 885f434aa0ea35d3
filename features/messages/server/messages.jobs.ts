import type { Market } from '#kit/contract/bootstrap.ts'
import type { Clock } from '#kit/server/clock.ts'
import { type Db, transact } from '#kit/server/db.ts'
import { dueBy } from '#kit/server/due.ts'
import { gathered } from '#kit/server/gathered.ts'
import { type JobDefinition, type Jobs, rowJob } from '#kit/server/jobs.ts'
import type { Log } from '#kit/server/log.ts'
import { type Hours, hoursOfUse, nextOpening } from '#kit/server/reminder-hours.ts'
import { backOff, retryIn, retryUpkeep } from '#kit/server/retries.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { Sweep, Upkeep } from '#kit/server/sweeps.ts'
import { whileLeased } from '#kit/server/while-leased.ts'
import type { Attachment, MailSender, Refused } from '#providers/mail/mail.port.ts'
import type { SmsSender } from '#providers/sms/sms.port.ts'
import { answerOf } from './answer.ts'
import type { MailBody, SmsBody } from './messages.ts'
import {
  type AboutMessage,
  endMessages,
  type EndOfMessage,
  findUnsent,
  putOffMessage,
  type Message,
  messageRetries,
  nextDueMessage,
  takeDueMessages,
} from './messages.store.ts'

type Deps = {
  db: Db
  clock: Clock
  market: Market
  jobs: Jobs
  secrets: Secrets
  mail: MailSender
  mailFrom: string
  sms: SmsSender
  log: Log
  /** Creates the file that a message names. @throws when there is no such document */
  attachmentOf(ref: string): Promise<Attachment>
  /** The current send conditions of these messages, in the same sequence; `null` when the subject no longer exists. */
  premisesOf(db: Db, messages: readonly AboutMessage[], now: Temporal.Instant): Promise<(string | null)[]>
}

const hoursOf: Readonly<Record<string, Hours>> = { 'usage-alert': hoursOfUse }

// Reminders become due by the thousand in a night.
const foundAtOnce = 5

/** A repeat has the same Message-ID, so that a mailbox shows it once and a carrier sends it once. */
export function messageJobs(deps: Deps): JobDefinition[] {
  const outbox = outboxOf(deps)
  return [
    rowJob(
      messageRetries,
      ({ key, until }) => {
        const send = (): Promise<void> => sendOne(deps, outbox, key)
        // If a slow relay delayed this job, another process may have leased the row by now.
        return until === undefined ? send() : whileLeased(deps.db, messageRetries, { key, until }, send)
      },
      { foundAtOnce },
    ),
  ]
}

type Outbox = ReturnType<typeof outboxOf>

const outboxOf = ({ db, clock, premisesOf }: Deps) => ({
  find: gathered((ids: readonly string[]) => findUnsent(db, ids)),
  premiseOf: gathered((messages: readonly AboutMessage[]) => premisesOf(db, messages, clock.now())),
  end: gathered((ends: readonly EndOfMessage[]) => endMessages(db, ends).then(() => ends)),
})

async function sendOne(deps: Deps, outbox: Outbox, id: string): Promise<void> {
  const message = await outbox.find(id)
  if (!message?.sealed_body) return
  const opening = message.by_day ? nextOpening(deps.clock.now(), deps.market.zone, hoursOf[message.kind ?? '']) : null
  if (opening) return putOffMessage(deps.db, id, opening)
  if (!(await isStillTrue(outbox, message))) return void (await outbox.end({ id, outcome: 'dropped' }))
  const body: unknown = JSON.parse(deps.secrets.open(message.sealed_body))
  try {
    const sent = await send(deps, message, body)
    const end = sent === 'sent' ? { outcome: sent } : { ...sent, answer: answerOf(sent.answer, message.recipient) }
    await outbox.end({ id, ...end })
  } catch (error) {
    const change = { answer: answerOf(error, message.recipient) }
    // The end of an outage may have restarted the back-off meanwhile.
    const { tries } = (await outbox.find(id)) ?? message
    await retryIn(deps.db, messageRetries, { id }, { seconds: 5 * backOff(tries, 720), change })
    // Logged after the database call: during a database outage that call throws, and only the outage is logged.
    deps.log.warn({ message: id, tries, reason: String(error) }, 'a message could not be sent yet')
  }
}

/** The message may have waited until morning or during an outage, so check its send condition again. */
const isStillTrue = async ({ premiseOf }: Outbox, { service_id: serviceId, ...message }: Message): Promise<boolean> =>
  message.premise === null || (await premiseOf({ serviceId, ...message })) === message.premise

async function send(
  deps: Deps,
  { channel, message_id: messageId, recipient: to, subject, attachment }: Message,
  body: unknown,
): Promise<'sent' | Refused> {
  if (channel === 'sms') return deps.sms.send({ messageId, to, ...(body as SmsBody) })
  const attachments = attachment ? [await deps.attachmentOf(attachment)] : []
  return deps.mail.send({ messageId, from: deps.mailFrom, to, subject, ...(body as MailBody), attachments })
}

export const messageUpkeep = (deps: Deps): Upkeep => retryUpkeep(deps, messageRetries)

export const messageSweeps = ({ db, jobs }: Deps): Sweep[] => [
  {
    name: 'messages.due',
    isDue: dueBy('messages', 'due_at'),
    next: () => nextDueMessage(db),
    run: (now) =>
      transact(db, async (trx) => {
        if (await takeDueMessages(trx, now)) jobs.fetchMore(trx, messageRetries.queue)
      }),
  },
]
