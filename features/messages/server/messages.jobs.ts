import type { Market } from '#kit/contract/bootstrap.ts'
import type { Clock } from '#kit/server/clock.ts'
import { type Db, transact } from '#kit/server/db.ts'
import { isDueByApplicationClock } from '#kit/server/due-conditions.ts'
import { batchLoader } from '#kit/server/batch-loader.ts'
import { type JobDefinition, type Jobs, createRowJob } from '#kit/server/jobs.ts'
import type { Log } from '#kit/server/log.ts'
import { type SendingHours, usageMessageHours, computeNextSendingTime } from '#kit/server/sending-hours.ts'
import { computeBackOffSeconds, scheduleRetry, pollDueRows } from '#kit/server/retry-queue.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { Sweep, Upkeep } from '#kit/server/sweeps.ts'
import { runUnderLease } from '#kit/server/run-under-lease.ts'
import type { Attachment, MailSender, RejectedMessage } from '#providers/mail/mail.port.ts'
import type { SmsSender } from '#providers/sms/sms.port.ts'
import { scrubResponse } from './provider-response.ts'
import type { MailBody, SmsBody } from './messages.ts'
import {
  type ConditionSubject,
  recordMessageOutcomes,
  type MessageOutcome,
  findUnsentMessages,
  postponeMessage,
  type Message,
  messageQueue,
  findNextDueMessage,
  queueDueMessages,
} from './messages.store.ts'

type MessageJobDeps = {
  db: Db
  clock: Clock
  market: Market
  jobs: Jobs
  secrets: Secrets
  mail: MailSender
  mailFrom: string
  sms: SmsSender
  log: Log
  /** Creates the document to attach to a message. @throws when the document does not exist */
  attachmentOf(ref: string): Promise<Attachment>
  /**
   * Returns the current state for each of `messages`, in order. The caller compares it with the message's send condition. `null` means that
   * the message's subject no longer exists.
   */
  readSendConditions(db: Db, messages: readonly ConditionSubject[], now: Temporal.Instant): Promise<(string | null)[]>
}

const sendingHoursByKind: Readonly<Record<string, SendingHours>> = { 'usage-alert': usageMessageHours }

// The factor by which concurrency is raised for messages found by polling: thousands of reminders become due on a single morning.
const polledConcurrencyMultiplier = 5

/**
 * Defines the job that sends messages. A retry keeps the same Message-ID, so that a mailbox shows the email only once and a
 * carrier sends the text only once.
 */
export function messageJobs(deps: MessageJobDeps): JobDefinition[] {
  const outbox = createOutbox(deps)
  return [
    createRowJob(
      messageQueue,
      ({ key, until }) => {
        const send = (): Promise<void> => sendMessage(deps, outbox, key)
        // If a slow relay delayed this job beyond its lease, another process may be sending the message by now.
        return until === undefined ? send() : runUnderLease(deps.db, messageQueue, { key, until }, send)
      },
      { foundMultiplier: polledConcurrencyMultiplier },
    ),
  ]
}

type Outbox = ReturnType<typeof createOutbox>

const createOutbox = ({ db, clock, readSendConditions }: MessageJobDeps) => ({
  find: batchLoader((ids: readonly string[]) => findUnsentMessages(db, ids)),
  premiseOf: batchLoader((messages: readonly ConditionSubject[]) => readSendConditions(db, messages, clock.now())),
  end: batchLoader((ends: readonly MessageOutcome[]) => recordMessageOutcomes(db, ends).then(() => ends)),
})

async function sendMessage(deps: MessageJobDeps, outbox: Outbox, id: string): Promise<void> {
  const message = await outbox.find(id)
  if (!message?.sealed_body) return
  const sendingTime = message.by_day
    ? computeNextSendingTime(deps.clock.now(), deps.market.zone, sendingHoursByKind[message.kind ?? ''])
    : null
  if (sendingTime) return postponeMessage(deps.db, id, sendingTime)
  if (!(await isSendConditionMet(outbox, message))) return void (await outbox.end({ id, outcome: 'dropped' }))
  const body: unknown = JSON.parse(deps.secrets.open(message.sealed_body))
  try {
    const result = await deliverMessage(deps, message, body)
    const messageOutcome =
      result === 'sent' ? { outcome: result } : { ...result, answer: scrubResponse(result.answer, message.recipient) }
    await outbox.end({ id, ...messageOutcome })
  } catch (error) {
    const failureUpdate = { answer: scrubResponse(error, message.recipient) }
    // The number of tries is reset when an outage ends, which may have happened during this attempt, so read it again.
    const { tries } = (await outbox.find(id)) ?? message
    await scheduleRetry(
      deps.db,
      messageQueue,
      { id },
      { seconds: 5 * computeBackOffSeconds(tries, 720), change: failureUpdate },
    )
    // Log this only after the database call. During a database outage that call throws, and only the outage should be logged.
    deps.log.warn({ message: id, tries, reason: String(error) }, 'a message could not be sent yet')
  }
}

/**
 * Whether the send condition still holds. The condition is checked just before sending, because the message may have
 * waited for the morning or for an outage to end.
 */
const isSendConditionMet = async (
  { premiseOf: readSendCondition }: Outbox,
  { service_id: serviceId, ...message }: Message,
): Promise<boolean> =>
  message.premise === null || (await readSendCondition({ serviceId, ...message })) === message.premise

async function deliverMessage(
  deps: MessageJobDeps,
  { channel, message_id: messageId, recipient: to, subject, attachment }: Message,
  body: unknown,
): Promise<'sent' | RejectedMessage> {
  if (channel === 'sms') return deps.sms.send({ messageId, to, ...(body as SmsBody) })
  const attachments = attachment ? [await deps.attachmentOf(attachment)] : []
  return deps.mail.send({ messageId, from: deps.mailFrom, to, subject, ...(body as MailBody), attachments })
}

export const messageUpkeep = (deps: MessageJobDeps): Upkeep => pollDueRows(deps, messageQueue)

export const messageSweeps = ({ db, jobs }: MessageJobDeps): Sweep[] => [
  {
    name: 'messages.due',
    isDue: isDueByApplicationClock('messages', 'due_at'),
    next: () => findNextDueMessage(db),
    run: (now) =>
      transact(db, async (trx) => {
        if (await queueDueMessages(trx, now)) jobs.fetchMore(trx, messageQueue.queue)
      }),
  },
]
