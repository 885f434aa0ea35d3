import type { Db } from '#kit/server/db.ts'
import type { Log } from '#kit/server/log.ts'
import { createTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { isTransferOver } from '#features/porting/porting.states.ts'
import { findLatestPort } from '#features/porting/server/porting.store.ts'
import type { UsageDeps } from '#features/usage/server/usage.deps.ts'

const maxLoggedKeys = 10_000

/**
 * Reports that the network's list of usage or balances for one phone line contains entries for other lines. Each process logs this once per
 * requested line and list, and creates one operator task. Nothing is reported while a transfer of the number to us is open, because the
 * network may already be using the line's new number.
 */
export function createOtherLineUsageReporter({ db, log }: { db: Db; log: Log }): UsageDeps['foreignUsage'] {
  const loggedKeys = new Set<string>()
  return async ({ id }, list, count) => {
    const deduplicationKey = `${list} ${id}`
    const port = loggedKeys.has(deduplicationKey) ? undefined : await findLatestPort(db, id)
    if (loggedKeys.has(deduplicationKey) || (port && !isTransferOver(port.status))) return
    if (loggedKeys.size >= maxLoggedKeys) loggedKeys.clear()
    loggedKeys.add(deduplicationKey)
    log.warn(
      { service: id, list, count },
      'the network’s list for a line contains entries of other lines or of no line; the product ignores these entries',
    )
    await createTask(db, {
      kind: 'network',
      subject: `network ${list}`,
      reason:
        `When asked for one line’s ${list}, the network also returns entries for other lines or for no line. ` +
        'Fantail ignores these entries and shows them to nobody.',
    })
  }
}
