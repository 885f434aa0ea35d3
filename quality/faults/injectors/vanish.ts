import type { Injector } from '../injector.ts'
import { seeRecovery } from '../recovery.ts'
import { rest } from '../rest.ts'
import { databaseOf } from '../session.ts'
import { alone, takeOver } from './failover.ts'
import { untilStopped } from './until-stopped.ts'

export const vanish: Injector = {
  name: 'vanish',
  needs: ['postgres'],
  settlesWithin: 150,
  lasts: 60,
  start: (world, random) =>
    untilStopped(world, async (stopping) => {
      const { pair, lines } = databaseOf(world)
      if (pair)
        return alone(pair, stopping, async () => {
          world.log('vanish: the host of the primary is not heard of any more')
          await pair.vanish()
          await takeOver(world, pair, random, { fault: 'vanish', goOn: stopping })
        })
      const seconds = random.between(3, 45)
      world.log(`vanish: the database is not heard of for ${seconds} s`)
      for (const line of lines) line.silence()
      await rest(seconds, stopping)
      await Promise.all(lines.map((line) => line.mend()))
      await seeRecovery(world, { fault: 'vanish', end: 'its return' }, stopping)
      await rest(random.between(1, 10), stopping)
    }),
}
