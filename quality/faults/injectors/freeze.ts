import { setTimeout as pause } from 'node:timers/promises'
import type { FaultProcess, Injector } from '../injector.ts'
import { runUntilStopped } from './run-until-stopped.ts'

/**
 * Stops a process with SIGSTOP until long after its leases have run out, and then lets it continue. By then, other processes have taken
 * over the work that it resumes.
 */
export const processFreeze: Injector = {
  name: 'freeze',
  needs: [],
  settlesWithin: 120,
  lasts: 30,
  start(world, random) {
    let frozen: FaultProcess | null = null
    const thaw = (): void => {
      frozen?.thaw()
      frozen = null
    }
    return runUntilStopped(
      world,
      async (stopping) => {
        await pause(random.between(500, 4_000), undefined, { signal: stopping })
        const victim = random.pick(world.processes)
        if (victim.pid() === null) return
        const seconds = world.leaseSeconds + random.between(1, 6)
        world.log(`freeze: ${victim.name} for ${seconds} s`)
        frozen = victim
        victim.freeze()
        try {
          await pause(seconds * 1_000, undefined, { signal: stopping })
        } finally {
          thaw()
        }
      },
      thaw,
    )
  },
}
