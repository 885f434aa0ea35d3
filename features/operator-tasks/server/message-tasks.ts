import { realNow } from '#kit/server/clock.ts'
import { firstRefused, isRefusedStill, isTriedSince } from '#features/messages/server/messages.store.ts'
import type { OperatorTasksDeps } from './operator-tasks.deps.ts'
import { lastDoneAt, type NewTask, openTasksOfKind, setTasks } from './operator-tasks.store.ts'

const channels = {
  email: { refused: 'the mail relay refused this message for good', waiting: 'emails have been tried' },
  sms: { refused: 'the SMS carrier refused this message for good', waiting: 'texts have been tried' },
}
type Channel = keyof typeof channels

/**
 * Keeps the tasks about undelivered messages. Each channel has one task while messages have been waiting for long. It
 * has another task for the first refused message, until a later message on the channel reaches that customer.
 * Closing the second task also covers all earlier refusals.
 */
export async function keepMessageTasks(deps: OperatorTasksDeps): Promise<void> {
  const tasks: NewTask[] = []
  for (const channel of Object.keys(channels) as Channel[]) {
    tasks.push(...(await waitingOn(deps, channel)), ...(await refusedOn(deps, channel)))
  }
  await setTasks(deps.db, { kind: 'message' }, tasks)
}

async function waitingOn({ db, clock, thresholds }: OperatorTasksDeps, channel: Channel): Promise<NewTask[]> {
  const { unsentHours: hours } = thresholds
  if (!(await isTriedSince(db, channel, clock.now().subtract({ hours })))) return []
  return [
    {
      kind: 'message',
      subject: channel,
      reason: `${channels[channel].waiting} for ${hours} hours and are still not sent`,
    },
  ]
}

async function refusedOn({ db }: OperatorTasksDeps, channel: Channel): Promise<NewTask[]> {
  const reason = channels[channel].refused
  const open = (await openTasksOfKind(db, 'message')).find((task) => task.reason === reason)
  if (open?.subject && (await isRefusedStill(db, open.subject)))
    return [{ kind: 'message', subject: open.subject, reason }]
  const yesterday = realNow().subtract({ hours: 24 })
  const doneAt = await lastDoneAt(db, 'message', reason)
  const after = doneAt && Temporal.Instant.compare(doneAt, yesterday) > 0 ? doneAt : yesterday
  const subject = await firstRefused(db, channel, after)
  return subject ? [{ kind: 'message', subject, reason }] : []
}
