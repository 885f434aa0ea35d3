import { newEmail } from '#quality/support/visitor.ts'
import { activateSim, signIn } from './activate-sim.ts'
import type { RunRecords, SimulatedCustomer } from './simulated-customer.ts'
import { RetriesExhaustedError, withRetries } from './retrying-visitor.ts'
import { dispute, erase, refundActivation, refundPartially, transferNumber } from './provider-actions.ts'
import type { Random } from './random.ts'
import { enableAutoRenewal, buyAddOn, removeCard, renew, saveCard, readService } from './customer-actions.ts'
import type { FaultTestWorld } from './fault-world.ts'

export async function live(
  world: FaultTestWorld,
  diary: RunRecords,
  random: Random,
  { atATime, until }: { atATime: number; until: () => boolean },
): Promise<void> {
  let nth = 0
  const lane = async (): Promise<void> => {
    while (diary.begun < diary.most && !until() && !world.signal.aborted) {
      nth += 1
      const name = `life ${nth}`
      try {
        await simulateCustomer(world, diary, random.branch(name), until)
      } catch (error) {
        if (world.signal.aborted) return
        const what =
          error instanceof RetriesExhaustedError ? `gave up: ${error.message}` : String((error as Error).stack ?? error)
        diary.puzzles.push(`${name}: ${what}`)
        world.log(`${name} ended: ${what.split('\n')[0]}`)
      }
    }
  }
  await Promise.all(Array.from({ length: atATime }, lane))
}

/** The actions of customers, and of staff on their behalf. An action listed twice is chosen twice as often. */
const acts = [
  renew,
  renew,
  renew,
  buyAddOn,
  buyAddOn,
  buyAddOn,
  enableAutoRenewal,
  enableAutoRenewal,
  saveCard,
  removeCard,
  refundActivation,
  refundPartially,
  transferNumber,
  dispute,
]

async function simulateCustomer(
  world: FaultTestWorld,
  diary: RunRecords,
  random: Random,
  isOver: () => boolean,
): Promise<void> {
  const life: SimulatedCustomer = {
    world,
    random,
    diary,
    email: newEmail(),
    browser: withRetries(world.visitor(), diary.figures, world.signal),
  }
  const done = await activateSim(life)
  if (!done || random.chance(0.2)) return
  const customer = await signIn(life)
  for (let left = random.between(1, 5); left > 0 && diary.begun < diary.most && !isOver(); left--) {
    const service = await readService(customer)
    if (!service) return
    await random.pick(acts)(customer, service, done)
  }
  if (random.chance(0.03)) await erase(customer)
}
