/* @module-tag slow */
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { advanceClockTo, stopAutoRenewals, zone } from '#quality/support/auto-renewal.ts'
import { orderCommands } from '#quality/support/order-commands.ts'
import { createShopper } from '#quality/support/shopper.ts'
import { startWorld, type World } from '#quality/support/world.ts'

// For more and longer runs, set the environment variable FUZZ_RUNS=500.
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 5)
/**
 * How many more runs use a test environment after its first run. The number is limited, because the environment's clock only moves forward
 * and its test cards expire.
 */
const runsInAWorld = 20

let world: World | undefined
let runs = 0
afterAll(() => world?.close())

async function worldForARun(): Promise<World> {
  if (world && runs++ < runsInAWorld) return world
  await world?.close()
  runs = 0
  world = await startWorld({ env: { LEASE_SECONDS: '2' } })
  // Start in the morning, so that no day ends in the middle of the first run.
  await advanceClockTo(
    world,
    world.deps.clock.now().toZonedDateTimeISO(zone).add({ days: 1 }).withPlainTime({ hour: 10 }),
  )
  return world
}

/** Removes all work that is still due for this customer, so that nothing happens to the customer when the next run moves the clock. */
async function leaveInPeace(left: World): Promise<void> {
  await stopAutoRenewals(left)
  await left.db.deleteFrom('service_deadlines').execute()
  await left.db.deleteFrom('operator_tasks').execute()
}

test(
  'each purchase is paid for and delivered exactly once or not at all, whatever the customer does and whatever fails',
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
        // Start a new test environment, because leftovers from the failed run would affect the shorter sequences tried next.
        await place.close()
        world = undefined
        throw fault
      }
    })
    // Limit the time spent searching for a shorter failing sequence, so that a failure is always reported.
    await fc.assert(property, { numRuns, interruptAfterTimeLimit: Math.max(180_000, numRuns * 15_000) })
    expect(runs).toBeGreaterThan(0)
  },
)
