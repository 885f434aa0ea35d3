import type { FaultWorld, Recovery } from './injector.ts'
import { interruptiblePause } from './interruptible-pause.ts'

const maxSeconds = 120
/** The maximum seconds that an injector waits for orders to recover after a fault. */
const maxWaitSeconds = 40
const pollSeconds = 0.1

// The database shows which orders customers were told about, because each response is recorded there.
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
  // If the measurement is not finished yet, don't wait for it any longer: it continues during the next fault.
  if (stopWaiting.signal.aborted) await seen
}

/**
 * Measures how long it takes from the end of a fault until the next order is acknowledged and the next is settled, and logs the result.
 * This depends on the load: without purchases, no order is acknowledged.
 */
async function measureRecovery(world: FaultWorld, { fault, end }: { fault: string; end: string }): Promise<Recovery> {
  const began = performance.now()
  const since = () => performance.now() - began
  const recovery: Recovery = { acknowledgedMs: null, settledMs: null }
  const initialCount = await countOrders(world)
  if (!initialCount) return recovery
  while (!world.signal.aborted && since() < maxSeconds * 1_000) {
    const now = await countOrders(world)
    if (now && now.acknowledged > initialCount.acknowledged) recovery.acknowledgedMs ??= since()
    if (now && now.settled > initialCount.settled) recovery.settledMs ??= since()
    if (recovery.acknowledgedMs !== null && recovery.settledMs !== null) break
    await interruptiblePause(pollSeconds, world.signal)
  }
  world.tellRecovery(fault, recovery)
  const told = (ms: number | null) => (ms === null ? 'not seen' : `${(ms / 1_000).toFixed(1)} s`)
  world.log(
    `${fault}: next order after ${end}: acknowledged ${told(recovery.acknowledgedMs)}, settled ${told(recovery.settledMs)}`,
  )
  return recovery
}

/** Counts the orders. Returns null if the database is embedded or unreachable. */
async function countOrders({ database }: FaultWorld): Promise<{ acknowledged: number; settled: number } | null> {
  const [row] = (await database?.run(orderCountsSql).catch(() => [])) ?? []
  return row ? { acknowledged: Number(row['acknowledged']), settled: Number(row['settled']) } : null
}
