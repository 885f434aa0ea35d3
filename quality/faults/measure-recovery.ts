import type { FaultWorld, Recovery } from './injector.ts'
import { interruptiblePause } from './interruptible-pause.ts'

const maxSeconds = 120
/** Maximum seconds for which a fault's injector waits for orders to recover. */
const maxWaitSeconds = 40
const pollSeconds = 0.1

// The counts come from the database, because the product records every answer to a customer there.
const orderCountsSql = `
  select count(*) filter (where state not in ('paying', 'payment_unknown', 'refused')) as acknowledged,
         count(*) filter (where state in ('completed', 'refused', 'undone', 'cancelled', 'held')) as settled
  from orders`

export async function waitForRecovery(
  world: FaultWorld,
  told: { fault: string; end: string },
  stopping: AbortSignal,
): Promise<void> {
  const stopWaiting = new AbortController()
  const seen = measureRecovery(world, told).finally(() => stopWaiting.abort())
  await interruptiblePause(maxWaitSeconds, AbortSignal.any([stopping, stopWaiting.signal]))
  // When stopped, don't wait, because the measurement continues during the next fault.
  if (stopWaiting.signal.aborted) await seen
}

/**
 * Measures the time from the end of a fault until another order is acknowledged and another is settled, and logs the result. The result
 * depends on the load: without purchases, no order is acknowledged.
 */
async function measureRecovery(world: FaultWorld, { fault, end }: { fault: string; end: string }): Promise<Recovery> {
  const began = performance.now()
  const since = () => performance.now() - began
  const recovery: Recovery = { acknowledgedMs: null, settledMs: null }
  const before = await countOrders(world)
  if (!before) return recovery
  while (!world.signal.aborted && since() < maxSeconds * 1_000) {
    const now = await countOrders(world)
    if (now && now.acknowledged > before.acknowledged) recovery.acknowledgedMs ??= since()
    if (now && now.settled > before.settled) recovery.settledMs ??= since()
    if (recovery.acknowledgedMs !== null && recovery.settledMs !== null) break
    await interruptiblePause(pollSeconds, world.signal)
  }
  world.tellRecovery(fault, recovery)
  const told = (ms: number | null) => (ms === null ? 'not seen' : `${(ms / 1_000).toFixed(1)} s`)
  world.log(
    `${fault}: after ${end} first acknowledged ${told(recovery.acknowledgedMs)}, first settled ${told(recovery.settledMs)}`,
  )
  return recovery
}

/** Counts the orders. Returns null when the counts are unknown, because the database is embedded or unreachable. */
async function countOrders({ database }: FaultWorld): Promise<{ acknowledged: number; settled: number } | null> {
  const [row] = (await database?.run(orderCountsSql).catch(() => [])) ?? []
  return row ? { acknowledged: Number(row['acknowledged']), settled: Number(row['settled']) } : null
}
