import { setTimeout as pause } from 'node:timers/promises'
import { startAfterLeases } from './end-leases.ts'
import type { CallName } from './killable-simulators.ts'
import type { KillableWorld } from './killable-world.ts'

/** A moment at which the product is killed. Calling it sets the trap. `dead` resolves when the product is dead. */
export type KillMoment = () => Promise<{ dead: Promise<void> }>

export function createKillMoments(world: () => KillableWorld) {
  const atCall =
    (call: CallName, when: 'before' | 'after'): KillMoment =>
    async () => {
      const held = world().hold(call, when)
      return { dead: held.reached.then(() => world().product.kill()).then(held.drop) }
    }
  /** Kills the product before this statement, so that the database still has its state from before the transaction. */
  const beforeWriting =
    (statement: RegExp): KillMoment =>
    async () => {
      const dead = world().product.death()
      await world().product.dieBefore(statement)
      return { dead }
    }
  return {
    before: (call: CallName): KillMoment => atCall(call, 'before'),
    lost: (call: CallName): KillMoment => atCall(call, 'after'),
    beforeWriting,
    beforeState: (state: string): KillMoment =>
      beforeWriting(new RegExp(`^update "orders" set .* ${state} \\d+ [\\da-f-]{36} `)),
  }
}

/**
 * The longest time that a life may take to reach what is waited for, however many lives there are. A busy machine needs seconds to start
 * one.
 */
const maxLifeMs = 90_000

/**
 * Runs an act through these moments, one after another. At each of them the product is killed and started again.
 * @throws when a life does not reach its moment
 */
export async function runThroughKills<Answer>(
  world: KillableWorld,
  moments: KillMoment[],
  act: () => Promise<Answer>,
): Promise<Answer> {
  let end: Promise<Answer> | undefined
  for (const [at, moment] of moments.entries()) {
    const { dead } = await moment()
    if (end) await startAfterLeases(world)
    end ??= act()
    await Promise.race([
      dead,
      end.then(() => dead),
      rejectWhenLate(`it did not come to its moment ${at + 1} of ${moments.length}`),
    ])
  }
  await startAfterLeases(world)
  return end ?? act()
}

async function rejectWhenLate(why: string): Promise<never> {
  await pause(maxLifeMs, undefined, { ref: false })
  throw new Error(why)
}

/**
 * Asks again and again, across all deaths of the product, until the answer is not null or undefined.
 * @throws when a life gives no answer
 */
export async function retryAcrossRestarts<Answer>(
  { product }: KillableWorld,
  ask: () => Promise<Answer | null | undefined>,
): Promise<Answer> {
  let [life, end] = [product.pid(), performance.now() + maxLifeMs]
  for (;;) {
    const answer = await ask().catch(ignoreBrokenConnection)
    if (answer !== null && answer !== undefined) return answer
    // The answer of one life may only come in the next.
    if (product.pid() !== life) [life, end] = [product.pid(), performance.now() + maxLifeMs]
    if (performance.now() > end) throw new Error(`there is no outcome within ${maxLifeMs} ms of a life`)
    await pause(100)
  }
}

export function ignoreBrokenConnection(error: unknown): null {
  if (error instanceof TypeError) return null
  throw error
}
