import type { Db } from '#kit/server/db.ts'
import type { Log } from '#kit/server/log.ts'
import { reportToOperator } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { isOver } from '#features/porting/porting.states.ts'
import { latestPort } from '#features/porting/server/porting.store.ts'
import type { UsageDeps } from '#features/usage/server/usage.deps.ts'

const mostLines = 10_000

/**
 * Reports a network that lists items of other lines. Each process logs this once per requested line and list, and creates one operator
 * task.
 * While a transfer of the number to us is open, nothing is reported: the network may already use the line's new number.
 */
export function createForeignUsage({ db, log }: { db: Db; log: Log }): UsageDeps['foreignUsage'] {
  const told = new Set<string>()
  return async ({ id }, list, count) => {
    const about = `${list} ${id}`
    const port = told.has(about) ? undefined : await latestPort(db, id)
    if (told.has(about) || (port && !isOver(port.status))) return
    if (told.size >= mostLines) told.clear()
    told.add(about)
    log.warn(
      { service: id, list, count },
      'the network lists entries of other lines or of none; they are shown to nobody',
    )
    await reportToOperator(db, {
      kind: 'network',
      subject: `network ${list}`,
      reason: `Asked for the ${list} of one line, the network also lists entries of other lines or of none. We show them to nobody.`,
    })
  }
}
