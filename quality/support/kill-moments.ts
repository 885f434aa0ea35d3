import { setTimeout as pause } from 'node:timers/promises'
import { endLeasesAndStartProduct } from './end-leases.ts'
import type { CallName } from './kill-test-simulators.ts'
import type { KillTestWorld } from './kill-test-world.ts'

/** A moment at which Fantail gets killed. Calling the function sets the trap, and `dead` resolves once Fantail is dead. */
export type KillMoment = () => Promise<{ dead: Promise<void> }>

export function createKillMoments(world: () => KillTestWorld) {
  const killDuringRequest =
    (call: CallName, when: 'before' | 'after'): KillMoment =>
    async () => {
      const held = world().hold(call, when)
      return { dead: held.reached.then(() => world().product.kill()).then(held.drop) }
    }
  /** Kills Fantail just before it sends a statement, which leaves the database as it was before the transaction. */
  const killBeforeStatement =
    (statement: RegExp): KillMoment =>
    async () => {
      const dead = world().product.death()
      await world().product.killBeforeStatement(statement)
      return { dead }
    }
  return {
    before: (call: CallName): KillMoment => killDuringRequest(call, 'before'),
    lost: (call: CallName): KillMoment => killDuringRequest(call, 'after'),
    beforeWriting: killBeforeStatement,
    beforeState: (state: string): KillMoment =>
      killBeforeStatement(new RegExp(`^update "orders" set .* ${state} \\d+ [\\da-f-]{36} `)),
  }
}

/** The maximum number of milliseconds from starting Fantail to the expected event. On a busy machine, startup takes several seconds. */
const maxStartToKillMs = 90_000

/**
 * Runs an action through several kill moments in order. Fantail is killed at each of them and then started again.
 * @throws if Fantail does not reach a kill moment in time after a start
 */
export async function runThroughKills<Answer>(
  world: KillTestWorld,
  moments: KillMoment[],
  act: () => Promise<Answer>,
): Promise<Answer> {
  let end: Promise<Answer> | undefined
  for (const [at, moment] of moments.entries()) {
    const { dead } = await moment()
    if (end) await endLeasesAndStartProduct(world)
    end ??= act()
    await Promise.race([
      dead,
      end.then(() => dead),
      rejectAfterTimeout(`it did not come to its moment ${at + 1} of ${moments.length}`),
    ])
  }
  await endLeasesAndStartProduct(world)
  return end ?? act()
}

async function rejectAfterTimeout(why: string): Promise<never> {
  await pause(maxStartToKillMs, undefined, { ref: false })
  throw new Error(why)
}

/**
 * Repeats a request, even across restarts of Fantail, until the result is neither null nor undefined.
 * @throws if there is still no result some time after a restart
 */
export async function retryAcrossRestarts<Answer>(
  { product }: KillTestWorld,
  ask: () => Promise<Answer | null | undefined>,
): Promise<Answer> {
  let [life, end] = [product.pid(), performance.now() + maxStartToKillMs]
  for (;;) {
    const answer = await ask().catch(ignoreBrokenConnection)
    if (answer !== null && answer !== undefined) return answer
    // Extend the time limit after a restart, because the result may come from the restarted process.
    if (product.pid() !== life) [life, end] = [product.pid(), performance.now() + maxStartToKillMs]
    if (performance.now() > end) throw new Error(`there is no outcome within ${maxStartToKillMs} ms of a life`)
    await pause(100)
  }
}

export function ignoreBrokenConnection(error: unknown): null {
  if (error instanceof TypeError) return null
  throw error
}
