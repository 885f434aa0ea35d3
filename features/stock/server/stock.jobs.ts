import { dueInRealTimeBy } from '#kit/server/due.ts'
import type { JobDefinition } from '#kit/server/jobs.ts'
import { retryNow, type RowJob } from '#kit/server/retries.ts'
import { transact } from '#kit/server/db.ts'
import { allowing, forManyRows } from '#kit/server/statement-bounds.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import { setTasks } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { hasUnusedSims } from '#features/services/server/sim-packs.store.ts'
import { stepOf } from './load-steps.ts'
import { markTwice } from './sim-load-lines.store.ts'
import { extendLease, findLoad, findLoadsDue, leaseLoad, simLoadRetries } from './sim-loads.store.ts'
import type { StockDeps } from './stock.deps.ts'

/** A worker of the queue has a load for so long, then it is another job's turn. */
const turnMs = 2_000
/** Several times in a lease. */
const heartbeatMs = 1_500

export const stockJobs = (deps: StockDeps): JobDefinition[] => [
  { name: simLoadRetries.queue, run: ({ key }: RowJob) => allowing(forManyRows, () => workOnLoad(deps, key)) },
]

/** Finds what a process that died has left, and files that stopped coming. One of several jobs for a load does nothing. */
export const stockUpkeep = (deps: StockDeps): Upkeep[] => [
  levelUpkeep(deps),
  {
    name: 'sim-loads.retries',
    everyMs: 1_000,
    isDue: dueInRealTimeBy('sim_loads', 'retry_at'),
    isQuick: true,
    async run() {
      for (const key of await findLoadsDue(deps.db, deps.jobs.wants(simLoadRetries.queue)))
        deps.jobs.takeOver(deps.db, simLoadRetries.queue, { key } satisfies RowJob)
    },
  },
]

const levelUpkeep = (deps: StockDeps): Upkeep => ({
  name: 'sim-packs.level',
  everyMs: deps.thresholds.lookMs,
  run: () => keepStockTask(deps),
})

/** Fewer unused SIM packs than the level are a task, until there are more. */
async function keepStockTask({ db, simStockLevel: level }: StockDeps): Promise<void> {
  const isLow = level > 0 && !(await hasUnusedSims(db, level))
  const task = { kind: 'stock', subject: 'sims', reason: `fewer than ${level} SIM packs are unused` } as const
  await setTasks(db, { kind: 'stock' }, isLow ? [task] : [])
}

async function workOnLoad(deps: StockDeps, loadId: string): Promise<void> {
  const worker = await leaseLoad(deps.db, loadId)
  if (!worker) return
  // Without a connection the lease runs out, and what it is about is done again.
  const heartbeat = setInterval(() => void extendLease(deps.db, loadId, worker).catch(() => {}), heartbeatMs)
  try {
    const load = await findLoad(deps.db, loadId)
    // On its own, as it looks at the whole file; a second time it finds nothing more.
    if (load?.state === 'checking' && load.done_line === 1) await markTwice(deps.db, loadId)
    for (const end = performance.now() + turnMs; performance.now() < end;)
      // Packs that were just loaded may end the stock task: the operator is not mailed about it any more.
      if (!(await stepOf(deps, loadId, worker))) return await keepStockTask(deps)
  } finally {
    clearInterval(heartbeat)
  }
  await transact(deps.db, async (trx) => {
    // A load that now waits for its staff, until a time in `retry_at`, is no worker's any more.
    const isOurs = await retryNow(trx, simLoadRetries, { id: loadId, leased_by: worker })
    if (isOurs) await deps.jobs.send(trx, simLoadRetries, loadId)
  })
}
