import { randomUUID } from 'node:crypto'
import { fromDate, realNow } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { queueMail } from '#features/messages/server/messages.ts'
import { whenSent } from '#features/messages/server/messages.store.ts'
import type { OperatorTasksDeps } from './operator-tasks.deps.ts'
import { hasUnmailedTasks, type OpenTask, takeUnmailedTasks } from './operator-tasks.store.ts'
import { lockLastMail, noteMail } from './operator-mails.store.ts'

/** More than that nobody reads in a mail. */
const mostTasks = 50

/** Tells the operator of new tasks by mail, where there is an address: of all that are new at once, and at most once an hour. */
export async function mailNewTasks(deps: OperatorTasksDeps): Promise<void> {
  const { operatorMail: to } = deps
  if (to === null || !(await hasUnmailedTasks(deps.db))) return
  await transact(deps.db, async (trx) => {
    if (!(await isTimeForMail(trx, deps))) return
    const tasks = await takeUnmailedTasks(trx)
    if (tasks.length === 0) return
    const eventKey = `operator-tasks:${randomUUID()}`
    await queueMail(trx, deps, { eventKey, to, ...mailOf(deps, tasks) })
    await noteMail(trx, eventKey, realNow())
  })
}

/** An hour after the last one has left, and not while it has not: a relay that was down for a day is no reason for 24 of them. */
async function isTimeForMail(trx: Trx, { thresholds }: OperatorTasksDeps): Promise<boolean> {
  const last = await lockLastMail(trx)
  if (!last) return false
  if (!last.mailed_at || !last.event_key) return true
  const { isWaiting, endedAt } = await whenSent(trx, last.event_key)
  const leftAt = fromDate(endedAt ?? last.mailed_at)
  return !isWaiting && realNow().since(leftAt).total('milliseconds') >= thresholds.operatorMailMs
}

function mailOf({ brandName }: OperatorTasksDeps, tasks: OpenTask[]) {
  const shown = tasks
    .slice(0, mostTasks)
    .toSorted((one, other) => (one.kind < other.kind ? -1 : +(one.kind > other.kind)))
  const heading = tasks.length === 1 ? 'A new task' : `${tasks.length} new tasks`
  return {
    subject: `${heading}: ${brandName}`,
    heading,
    paragraphs: [
      'Something waits for a person. All that does, what is due first at its head: npm run operator -- tasks list',
      ...(tasks.length > shown.length ? [`The ${shown.length} that are due first:`] : []),
    ],
    rows: shown.map(({ id, kind, reason, due_at: due }): [string, string] => [
      `${kind} ${id}`,
      due ? `${reason}, due ${due.toISOString()}` : reason,
    ]),
    button: null,
  }
}
