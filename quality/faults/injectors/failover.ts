import type { FailoverControls, FaultWorld, Injector } from '../injector.ts'
import type { Random } from '../random.ts'
import { waitForRecovery } from '../measure-recovery.ts'
import { interruptiblePause } from '../interruptible-pause.ts'
import { runUntilStopped } from './run-until-stopped.ts'

/**
 * Kills the primary and, a few seconds later, promotes its standby. Once Fantail is working again, the old primary comes back as the new
 * standby.
 */
export const failover: Injector = {
  name: 'failover',
  needs: ['pair'],
  settlesWithin: 120,
  lasts: 35,
  start: (world, random) =>
    runUntilStopped(world, async (stopping) => {
      const pair = world.database?.pair as FailoverControls
      await alone(pair, stopping, async () => {
        world.log('failover: the primary is killed')
        await pair.killPrimary()
        await promoteStandby(world, pair, random, { fault: 'failover', goOn: stopping })
      })
    }),
}

const busy = new WeakSet<FailoverControls>()

export async function alone(pair: FailoverControls, stopping: AbortSignal, act: () => Promise<void>): Promise<void> {
  if (busy.has(pair)) return interruptiblePause(1, stopping)
  busy.add(pair)
  try {
    await act()
  } finally {
    busy.delete(pair)
  }
}

/** Complete a failover that has already begun, because Fantail needs a primary. */
export async function promoteStandby(
  world: FaultWorld,
  pair: FailoverControls,
  random: Random,
  { fault, goOn }: { fault: string; goOn: AbortSignal },
): Promise<void> {
  await interruptiblePause(random.between(0, 50) / 10, goOn)
  await pair.promote()
  world.log(`${fault}: the standby is promoted`)
  await waitForRecovery(world, { fault, end: 'the promotion' }, goOn)
  await interruptiblePause(random.between(1, 10), goOn)
  await pair.rebuild()
  world.log(`${fault}: a standby is running again`)
  await interruptiblePause(random.between(2, 6), goOn)
}
