import type { Injector } from '../injector.ts'
import { waitForRecovery } from '../measure-recovery.ts'
import { interruptiblePause } from '../interruptible-pause.ts'
import { requireDatabase } from '../database-session.ts'
import { alone, promoteStandby } from './failover.ts'
import { runUntilStopped } from './run-until-stopped.ts'

export const databaseUnreachable: Injector = {
  name: 'vanish',
  needs: ['postgres'],
  settlesWithin: 150,
  lasts: 60,
  start: (world, random) =>
    runUntilStopped(world, async (stopping) => {
      const { pair, lines } = requireDatabase(world)
      if (pair)
        return alone(pair, stopping, async () => {
          world.log('vanish: the host of the primary is not heard of any more')
          await pair.vanish()
          await promoteStandby(world, pair, random, { fault: 'vanish', goOn: stopping })
        })
      const seconds = random.between(3, 45)
      world.log(`vanish: the database is not heard of for ${seconds} s`)
      for (const line of lines) line.silence()
      await interruptiblePause(seconds, stopping)
      await Promise.all(lines.map((line) => line.mend()))
      await waitForRecovery(world, { fault: 'vanish', end: 'its return' }, stopping)
      await interruptiblePause(random.between(1, 10), stopping)
    }),
}
