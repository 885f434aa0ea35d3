import { setTimeout as pause } from 'node:timers/promises'
import { startAfterLeases } from './end-leases.ts'
import type { CallName } from './killable-outside.ts'
import type { KillableWorld } from './killable.ts'

/** A moment at which the product is killed: lays the trap, and answers what resolves when it is dead. */
export type Moment = () => Promise<{ dead: Promise<void> }>

/** The moments of a world that is started by then. */
export function momentsIn(world: () => KillableWorld) {
  const atCall =
    (call: CallName, when: 'before' | 'after'): Moment =>
    async () => {
      const held = world().hold(call, when)
      return { dead: held.reached.then(() => world().product.kill()).then(held.drop) }
    }
  /** What the database has by then is what it had before the transaction of this statement. */
  const beforeWriting =
    (statement: RegExp): Moment =>
    async () => {
      const dead = world().product.death()
      await world().product.dieBefore(statement)
      return { dead }
    }
  return {
    before: (call: CallName): Moment => atCall(call, 'before'),
    lost: (call: CallName): Moment => atCall(call, 'after'),
    beforeWriting,
    /** An order comes to it. */
    beforeState: (state: string): Moment =>
      beforeWriting(new RegExp(`^update "orders" set .* ${state} \\d+ [\\da-f-]{36} `)),
  }
}

/** So long a life may take to come to what is waited for, however many lives there are: a busy machine needs seconds to start one. */
const longestLifeMs = 90_000

/**
 * Runs an act through these moments, one after another: the product is killed at each, and started again.
 * @throws when a life does not come to its moment
 */
export async function throughMoments<Answer>(
  world: KillableWorld,
  moments: Moment[],
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
      tooLate(`it did not come to its moment ${at + 1} of ${moments.length}`),
    ])
  }
  await startAfterLeases(world)
  return end ?? act()
}

async function tooLate(why: string): Promise<never> {
  await pause(longestLifeMs, undefined, { ref: false })
  throw new Error(why)
}

/**
 * Asks again and again, over all deaths of the product, until the answer is not null or undefined.
 * @throws when a life has none
 */
export async function acrossLives<Answer>(
  { product }: KillableWorld,
  ask: () => Promise<Answer | null | undefined>,
): Promise<Answer> {
  let [life, end] = [product.pid(), performance.now() + longestLifeMs]
  for (;;) {
    const answer = await ask().catch(onBrokenConnection)
    if (answer !== null && answer !== undefined) return answer
    // What was asked of one life may have ended in the next.
    if (product.pid() !== life) [life, end] = [product.pid(), performance.now() + longestLifeMs]
    if (performance.now() > end) throw new Error(`there is no outcome within ${longestLifeMs} ms of a life`)
    await pause(100)
  }
}

/** What `fetch` throws of every connection that was refused, reset or cut. */
export function onBrokenConnection(error: unknown): null {
  if (error instanceof TypeError) return null
  throw error
}
