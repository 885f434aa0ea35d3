import type { FaultWorld, Recovery } from './injector.ts'
import { rest } from './rest.ts'

const longestSeconds = 120
/** Longer than this the next fault does not wait for work to go on after the last. */
const patienceSeconds = 40
const lookSeconds = 0.1

// By what stands in the books: whoever was told so has it there.
const counts = `
  select count(*) filter (where state not in ('paying', 'payment_unknown', 'refused')) as acknowledged,
         count(*) filter (where state in ('completed', 'refused', 'undone', 'cancelled', 'held')) as settled
  from orders`

/** Looks on from a fault's end, and resolves when work has gone on, or it is time to stop; it is told to the run's log in either case. */
export async function seeRecovery(
  world: FaultWorld,
  told: { fault: string; end: string },
  stopping: AbortSignal,
): Promise<void> {
  const enough = new AbortController()
  const seen = watchRecovery(world, told).finally(() => enough.abort())
  await rest(patienceSeconds, AbortSignal.any([stopping, enough.signal]))
  // Who was told to stop does not wait: it is looked at beside what comes next.
  if (enough.signal.aborted) await seen
}

/**
 * Looks on from a fault's end until one more order is acknowledged and one more is settled, and tells the run's log how long it took. It is
 * only as good as the load: where nobody buys, nothing is acknowledged.
 */
async function watchRecovery(world: FaultWorld, { fault, end }: { fault: string; end: string }): Promise<Recovery> {
  const began = performance.now()
  const since = () => performance.now() - began
  const recovery: Recovery = { acknowledgedMs: null, settledMs: null }
  const before = await countOrders(world)
  if (!before) return recovery
  while (!world.signal.aborted && since() < longestSeconds * 1_000) {
    const now = await countOrders(world)
    if (now && now.acknowledged > before.acknowledged) recovery.acknowledgedMs ??= since()
    if (now && now.settled > before.settled) recovery.settledMs ??= since()
    if (recovery.acknowledgedMs !== null && recovery.settledMs !== null) break
    await rest(lookSeconds, world.signal)
  }
  world.tellRecovery(fault, recovery)
  const told = (ms: number | null) => (ms === null ? 'not seen' : `${(ms / 1_000).toFixed(1)} s`)
  world.log(
    `${fault}: after ${end} first acknowledged ${told(recovery.acknowledgedMs)}, first settled ${told(recovery.settledMs)}`,
  )
  return recovery
}

/** Null where it cannot be known: the database is embedded, or away again. */
async function countOrders({ database }: FaultWorld): Promise<{ acknowledged: number; settled: number } | null> {
  const [row] = (await database?.run(counts).catch(() => [])) ?? []
  return row ? { acknowledged: Number(row['acknowledged']), settled: Number(row['settled']) } : null
}
