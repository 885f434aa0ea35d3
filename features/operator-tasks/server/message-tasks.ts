import { realNow } from '#kit/server/clock.ts'
import { findFirstRejectedMessage, isStillRejected, hasFailedSince } from '#features/messages/server/messages.store.ts'
import type { OperatorTasksDeps } from './operator-tasks.deps.ts'
import { findLastDoneTime, type NewTask, listOpenTasksOfKind, syncTasks } from './operator-tasks.store.ts'

const reasonsByChannel = {
  email: { refused: 'the mail relay refused this message for good', waiting: 'emails have been tried' },
  sms: { refused: 'the SMS carrier refused this message for good', waiting: 'texts have been tried' },
}
type Channel = keyof typeof reasonsByChannel

/**
 * Creates and ends tasks about undelivered messages. Each channel has up to two tasks. One is open while messages have been
 * waiting too long. The other is about the first rejected message, and ends when a later message on that channel reaches
 * the same customer; when staff close it, earlier rejections get no task either.
 */
export async function updateMessageTasks(deps: OperatorTasksDeps): Promise<void> {
  const tasks: NewTask[] = []
  for (const channel of Object.keys(reasonsByChannel) as Channel[]) {
    tasks.push(...(await findWaitingTasks(deps, channel)), ...(await findRejectedTasks(deps, channel)))
  }
  await syncTasks(deps.db, { kind: 'message' }, tasks)
}

async function findWaitingTasks({ db, clock, thresholds }: OperatorTasksDeps, channel: Channel): Promise<NewTask[]> {
  const { unsentHours: unsentLimitHours } = thresholds
  if (!(await hasFailedSince(db, channel, clock.now().subtract({ hours: unsentLimitHours })))) return []
  return [
    {
      kind: 'message',
      subject: channel,
      reason: `${reasonsByChannel[channel].waiting} for ${unsentLimitHours} hours and are still not sent`,
    },
  ]
}

async function findRejectedTasks({ db }: OperatorTasksDeps, channel: Channel): Promise<NewTask[]> {
  const reason = reasonsByChannel[channel].refused
  const openTask = (await listOpenTasksOfKind(db, 'message')).find((task) => task.reason === reason)
  if (openTask?.subject && (await isStillRejected(db, openTask.subject)))
    return [{ kind: 'message', subject: openTask.subject, reason }]
  const oneDayAgo = realNow().subtract({ hours: 24 })
  const lastDoneAt = await findLastDoneTime(db, 'message', reason)
  const rejectedSince = lastDoneAt && Temporal.Instant.compare(lastDoneAt, oneDayAgo) > 0 ? lastDoneAt : oneDayAgo
  const subject = await findFirstRejectedMessage(db, channel, rejectedSince)
  return subject ? [{ kind: 'message', subject, reason }] : []
}
