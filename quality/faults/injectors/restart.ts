import { pollUntil } from '#quality/support/poll-until.ts'
import type { FaultCluster, Injector } from '../injector.ts'
import { waitForRecovery } from '../measure-recovery.ts'
import { interruptiblePause } from '../interruptible-pause.ts'
import { runUntilStopped } from './run-until-stopped.ts'

export const databaseRestart: Injector = {
  name: 'restart',
  needs: ['cluster'],
  settlesWithin: 120,
  lasts: 30,
  start: (world, random) =>
    runUntilStopped(world, async (stopping) => {
      const cluster = world.database?.cluster as FaultCluster
      await interruptiblePause(random.between(5, 30) / 10, stopping)
      const seconds = random.between(0, 6)
      world.log(`restart: the server is down for ${seconds} s`)
      await cluster.stop('immediate')
      await interruptiblePause(seconds, stopping)
      // Try to start again, because another fault may have filled the server's disk for a moment.
      await pollUntil(() =>
        cluster.start().then(
          () => true,
          () => false,
        ),
      )
      await waitForRecovery(world, { fault: 'restart', end: 'the start' }, stopping)
      await interruptiblePause(random.between(1, 8), stopping)
    }),
}
