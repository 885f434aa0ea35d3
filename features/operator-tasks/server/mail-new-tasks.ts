import { randomUUID } from 'node:crypto'
import { fromDate, realNow } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { queueMail } from '#features/messages/server/messages.ts'
import { findMessageOutcome } from '#features/messages/server/messages.store.ts'
import { clearLastMail, lockLastMail, recordMail } from './operator-mails.store.ts'
import type { OperatorTasksDeps } from './operator-tasks.deps.ts'
import type { TaskKind } from './operator-tasks.store.ts'
import { createTasksCondition, parseTasksCondition } from './tasks-condition.ts'
import {
  listUnmailedEndedOutages,
  listUnmailedTasks,
  markTasksMailed,
  markTasksUnmailed,
  type UnmailedTask,
} from './unmailed-tasks.store.ts'

const urgentKinds: readonly TaskKind[] = ['outage', 'payment', 'dispute']

const maxListedTasks = 50

/**
 * Emails new tasks to the operator, if an address is configured. An urgent task is emailed immediately, together with all
 * other new tasks. Other tasks are emailed at most once an hour. While an email is still waiting to be sent, no other is queued.
 */
export async function mailNewTasks(deps: OperatorTasksDeps): Promise<void> {
  const { operatorMail: to } = deps
  if (to === null) return
  await transact(deps.db, async (trx) => {
    const mailTiming = await findMailTiming(trx, deps)
    if (mailTiming === 'wait') return
    const tasks = [...(await listUnmailedEndedOutages(trx)), ...(await listUnmailedTasks(trx, urgentKinds))]
    const isUrgent = tasks.some(({ kind }) => urgentKinds.includes(kind))
    if (tasks.length === 0 || (mailTiming === 'urgent only' && !isUrgent)) return
    const eventKey = `operator-tasks:${randomUUID()}`
    const idsOf = (unmailedTasks: UnmailedTask[]) => unmailedTasks.map(({ id }) => id)
    const condition = createTasksCondition({
      open: idsOf(tasks.filter(isOpen)),
      ended: idsOf(tasks.filter((task) => !isOpen(task))),
    })
    const sendCondition = { serviceId: null, premise: condition, byDay: false }
    await queueMail(trx, deps, { eventKey, to, onlyWhile: sendCondition, ...createTaskMail(deps, tasks) })
    await markTasksMailed(trx, idsOf(tasks))
    await recordMail(trx, eventKey, realNow())
  })
}

/**
 * Decides which tasks can be emailed now. If the last email was dropped because one of its tasks had ended, marks all of
 * its tasks as not yet mailed.
 */
async function findMailTiming(trx: Trx, { thresholds }: OperatorTasksDeps): Promise<'wait' | 'urgent only' | 'all'> {
  const last = await lockLastMail(trx)
  if (!last) return 'wait'
  if (!last.mailed_at || !last.event_key) return 'all'
  const message = await findMessageOutcome(trx, last.event_key)
  if (message && !message.endedAt) return 'wait'
  if (message?.isDropped) {
    const { open, ended } = parseTasksCondition(message.premise ?? '')
    await markTasksUnmailed(trx, [...open, ...ended])
    await clearLastMail(trx)
    return 'all'
  }
  const sentAt = fromDate(message?.endedAt ?? last.mailed_at)
  return realNow().since(sentAt).total('milliseconds') >= thresholds.operatorMailMs ? 'all' : 'urgent only'
}

const isOpen = ({ done_at: done }: UnmailedTask): boolean => done === null

function createTaskMail({ brandName }: OperatorTasksDeps, tasks: UnmailedTask[]) {
  const listedTasks = tasks.slice(0, maxListedTasks)
  const heading = taskMailHeading(tasks)
  return {
    subject: `${heading}: ${brandName}`,
    heading,
    paragraphs: [
      ...(tasks.some(isOpen) ? ['To list all open tasks, run: operator tasks list'] : []),
      ...(tasks.length > listedTasks.length ? [`Showing only the first ${listedTasks.length} tasks:`] : []),
    ],
    rows: listedTasks.map((task): [string, string] => [`${task.kind} ${task.id}`, describeTask(task)]),
    button: null,
    isForStaff: true,
  }
}

function taskMailHeading(tasks: UnmailedTask[]): string {
  const open = tasks.filter(isOpen).length
  const ended = tasks.length - open
  const endedOutagesText = ended === 1 ? 'An outage has ended' : `${ended} outages have ended`
  const newTasksText = open === 1 ? 'A new task' : `${open} new tasks`
  if (ended === 0) return newTasksText
  return open === 0
    ? endedOutagesText
    : `${newTasksText}, and ${ended === 1 ? 'an outage that has ended' : `${ended} outages that have ended`}`
}

function describeTask({ reason, due_at: due, done_at: done }: UnmailedTask): string {
  if (done) return `Ended at ${formatWithSeconds(done)}: ${reason}`
  return due ? `${reason}, due ${formatWithSeconds(due)}` : reason
}

const formatWithSeconds = (at: Date): string => fromDate(at).round('second').toString()
