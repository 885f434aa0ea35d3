import type { Injector } from '../injector.ts'
import { interruptiblePause } from '../interruptible-pause.ts'
import { requireDatabase } from '../database-session.ts'
import { ignoreOutages } from './ignore-outages.ts'
import { runUntilStopped } from './run-until-stopped.ts'

const anyOf = `
  select pg_terminate_backend(pid) as ended from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
  order by random() limit $1`

export const sessionTermination: Injector = {
  name: 'terminate',
  needs: ['postgres'],
  settlesWithin: 120,
  lasts: 20,
  start: (world, random) =>
    runUntilStopped(world, async (stopping) => {
      await interruptiblePause(random.between(2, 25) / 10, stopping)
      const most = random.between(1, 12)
      await ignoreOutages(world, 'terminate', async () => {
        const ended = await requireDatabase(world).run(anyOf, [most])
        world.log(`terminate: ${ended.length} connections`)
      })
    }),
}
