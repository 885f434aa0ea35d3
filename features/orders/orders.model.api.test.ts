// @module-tag slow
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { advanceClockTo, stopAutoRenewals, zone } from '#quality/support/auto-renewal.ts'
import { orderCommands } from '#quality/support/order-commands.ts'
import { createShopper } from '#quality/support/shopper.ts'
import { startWorld, type World } from '#quality/support/world.ts'

// Set FUZZ_RUNS=500 for more and longer runs.
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 5)
/** A world is replaced after some runs: its clock only goes forward, and the test cards expire. */
const runsInAWorld = 20

let world: World | undefined
let runs = 0
afterAll(() => world?.close())

async function worldForARun(): Promise<World> {
  if (world && runs++ < runsInAWorld) return world
  await world?.close()
  runs = 0
  world = await startWorld({ env: { LEASE_SECONDS: '2' } })
  // Each run begins in the morning, so that its first day does not end during the run.
  await advanceClockTo(
    world,
    world.deps.clock.now().toZonedDateTimeISO(zone).add({ days: 1 }).withPlainTime({ hour: 10 }),
  )
  return world
}

/** Removes everything that is due for this customer, so that the next run's time affects only its own customer. */
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
        // The leftovers of the failed run would affect the shorter sequences that are tried next.
        await place.close()
        world = undefined
        throw fault
      }
    })
    // The search for a shorter sequence has a time limit, so that a failure is always reported.
    await fc.assert(property, { numRuns, interruptAfterTimeLimit: Math.max(180_000, numRuns * 15_000) })
    expect(runs).toBeGreaterThan(0)
  },
)
