/* @module-tag slow */
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { advanceClockTo, stopAutoRenewals, zone } from '#quality/support/auto-renewal.ts'
import { orderCommands } from '#quality/support/order-commands.ts'
import { createShopper } from '#quality/support/shopper.ts'
import { startWorld, type World } from '#quality/support/world.ts'

// Set the environment variable FUZZ_RUNS=500 for more and longer runs.
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 5)
/** Test runs after which a new test environment is started: the clock of an environment only moves forward, and its test cards expire. */
const runsInAWorld = 20

let world: World | undefined
let runs = 0
afterAll(() => world?.close())

async function worldForARun(): Promise<World> {
  if (world && runs++ < runsInAWorld) return world
  await world?.close()
  runs = 0
  world = await startWorld({ env: { LEASE_SECONDS: '2' } })
  // Each run begins in the morning, so that the run's first day does not end halfway.
  await advanceClockTo(
    world,
    world.deps.clock.now().toZonedDateTimeISO(zone).add({ days: 1 }).withPlainTime({ hour: 10 }),
  )
  return world
}

/** Removes all work that is still due for this customer, so that moving the clock in the next run does not affect the customer. */
async function leaveInPeace(left: World): Promise<void> {
  await stopAutoRenewals(left)
  await left.db.deleteFrom('service_deadlines').execute()
  await left.db.deleteFrom('operator_tasks').execute()
}

test(
  'each purchase is paid and delivered exactly once or not at all, whatever is done and whatever fails',
  { timeout: 3_600_000 },
  async () => {
    const property = fc.asyncProperty(orderCommands(numRuns > 20 ? 25 : 12), async (sequence) => {
      const place = await worldForARun()
      try {
        const shopper = await createShopper(place)
        for (const command of sequence) await shopper.obey(command)
        await shopper.obey({ do: 'calm' })
        await leaveInPeace(place)
      } catch (fault) {
        // Leftovers of the failed run would affect the shorter sequences that are tried next, so they get a new test environment.
        await place.close()
        world = undefined
        throw fault
      }
    })
    // The search for a shorter failing sequence is limited in time, so that a failure is always reported.
    await fc.assert(property, { numRuns, interruptAfterTimeLimit: Math.max(180_000, numRuns * 15_000) })
    expect(runs).toBeGreaterThan(0)
  },
)
