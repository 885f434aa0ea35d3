import type { FaultProcess, Injector } from '../injector.ts'
import { interruptiblePause } from '../interruptible-pause.ts'
import { runUntilStopped } from './run-until-stopped.ts'

/**
 * How far off a host's clock is, in seconds. Fantail reports differences of more than 30 seconds, so it reports all of these except ±20.
 * ±3,600 is longer than any lease.
 */
const skews = [-3_600, -90, -20, 20, 90, 3_600] as const

export const skew: Injector = {
  name: 'skew',
  needs: ['processes'],
  settlesWithin: 150,
  lasts: 40,
  async start(world, random) {
    const [victim, seconds] = [random.pick(world.processes), random.pick(skews)]
    world.log(`skew: ${victim.name} by ${seconds} s`)
    await victim.restart({ CLOCK_SKEW_SECONDS: String(seconds) })
    return { stop: () => victim.restart() }
  },
}

export const step: Injector = {
  name: 'step',
  needs: [],
  settlesWithin: 150,
  lasts: 40,
  async start(world, random) {
    for (const each of world.processes) await each.restart({ CLOCK_SKEW_SECONDS: '0' })
    return runUntilStopped(
      world,
      async (stopping) => {
        const [victim, seconds] = [random.pick(world.processes), random.pick([...skews, 0])]
        world.log(`step: ${victim.name} to ${seconds} s`)
        await setClock(victim, seconds)
        await interruptiblePause(random.between(1, 8), stopping)
      },
      async () => {
        for (const each of world.processes) await each.restart()
      },
    )
  },
}

/** Sets a process's clock and ignores errors. If the process is dead, or dies during the call, it starts again with the correct time. */
const setClock = (victim: FaultProcess, seconds: number): Promise<void> =>
  Promise.race([victim.skewClock(seconds).catch(() => {}), interruptiblePause(2, new AbortController().signal)])
