import { isDueInRealTime } from '#kit/server/due-conditions.ts'
import type { JobDefinition } from '#kit/server/jobs.ts'
import { retryNow, type RowJob } from '#kit/server/retry-queue.ts'
import { transact } from '#kit/server/db.ts'
import { withTimeouts, bulkTimeouts } from '#kit/server/database-timeouts.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import { syncTasks } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { hasUnusedSims } from '#features/services/server/sim-packs.store.ts'
import { runNextStep } from './sim-load-steps.ts'
import { markDuplicateLines } from './sim-load-lines.store.ts'
import { extendLease, findSimLoad, listDueLoads, leaseSimLoad, simLoadQueue } from './sim-loads.store.ts'
import type { StockDeps } from './stock.deps.ts'

const maxRunMs = 2_000
const heartbeatMs = 1_500

export const stockJobs = (deps: StockDeps): JobDefinition[] => [
  { name: simLoadQueue.queue, run: ({ key }: RowJob) => withTimeouts(bulkTimeouts, () => processSimLoad(deps, key)) },
]

/** If several jobs run for the same SIM load, only the worker that holds the lease does any work. */
export const stockUpkeep = (deps: StockDeps): Upkeep[] => [
  stockLevelUpkeep(deps),
  {
    name: 'sim-loads.retries',
    everyMs: 1_000,
    isDue: isDueInRealTime('sim_loads', 'retry_at'),
    isQuick: true,
    async run() {
      for (const key of await listDueLoads(deps.db, deps.jobs.wants(simLoadQueue.queue)))
        deps.jobs.takeOver(deps.db, simLoadQueue.queue, { key } satisfies RowJob)
    },
  },
]

const stockLevelUpkeep = (deps: StockDeps): Upkeep => ({
  name: 'sim-packs.level',
  everyMs: deps.thresholds.lookMs,
  run: () => updateStockTask(deps),
})

async function updateStockTask({ db, simStockLevel: level }: StockDeps): Promise<void> {
  const isLow = level > 0 && !(await hasUnusedSims(db, level))
  const task = { kind: 'stock', subject: 'sims', reason: `fewer than ${level} unused SIM packs are left` } as const
  await syncTasks(db, { kind: 'stock' }, isLow ? [task] : [])
}

async function processSimLoad(deps: StockDeps, loadId: string): Promise<void> {
  const worker = await leaseSimLoad(deps.db, loadId)
  if (!worker) return
  // If this fails because the database connection is lost, the lease expires and another worker repeats the step.
  const heartbeat = setInterval(() => void extendLease(deps.db, loadId, worker).catch(() => {}), heartbeatMs)
  try {
    const load = await findSimLoad(deps.db, loadId)
    // Marking duplicates reads the whole file, so do it only once, at the start. A repeat would find no new duplicates.
    if (load?.state === 'checking' && load.done_line === 1) await markDuplicateLines(deps.db, loadId)
    for (const deadline = performance.now() + maxRunMs; performance.now() < deadline;)
      // The new packs may resolve the task about low stock, so update that task before the operator is emailed about it.
      if (!(await runNextStep(deps, loadId, worker))) return await updateStockTask(deps)
  } finally {
    clearInterval(heartbeat)
  }
  await transact(deps.db, async (trx) => {
    // A load that is waiting for a staff decision has no worker; its `retry_at` is the deadline for the decision.
    const hasLease = await retryNow(trx, simLoadQueue, { id: loadId, leased_by: worker })
    if (hasLease) await deps.jobs.send(trx, simLoadQueue, loadId)
  })
}
