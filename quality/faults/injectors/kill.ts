import { setTimeout as pause } from 'node:timers/promises'
import type { Injector } from '../injector.ts'
import { runUntilStopped } from './run-until-stopped.ts'

export const kill: Injector = {
  name: 'kill',
  needs: [],
  settlesWithin: 120,
  lasts: 30,
  start: (world, random) =>
    runUntilStopped(world, async (stopping) => {
      await pause(random.between(500, 6_000), undefined, { signal: stopping })
      const victim = random.pick(world.processes)
      if (victim.pid() === null) return
      world.log(`kill: ${victim.name}`)
      await victim.kill()
    }),
}
