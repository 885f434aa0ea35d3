// @module-tag slow
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { advanceTo, stopAutoRenewals, zone } from '#quality/support/auto-renewal.ts'
import { commands } from '#quality/support/order-commands.ts'
import { aShopper } from '#quality/support/shopper.ts'
import { startWorld, type World } from '#quality/support/world.ts'

// More of them, and longer ones, when there is time: FUZZ_RUNS=500.
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 5)
/** The clock only goes forward, and cards of tests expire. */
const runsInAWorld = 20

let world: World | undefined
let runs = 0
afterAll(() => world?.close())

async function worldForARun(): Promise<World> {
  if (world && runs++ < runsInAWorld) return world
  await world?.close()
  runs = 0
  world = await startWorld({ env: { LEASE_SECONDS: '2' } })
  // No run begins so late that its first day ends on the way.
  await advanceTo(world, world.deps.clock.now().toZonedDateTimeISO(zone).add({ days: 1 }).withPlainTime({ hour: 10 }))
  return world
}

/** The next run's time is for its own customer. */
async function leaveInPeace(left: World): Promise<void> {
  await stopAutoRenewals(left)
  await left.db.deleteFrom('service_deadlines').execute()
  await left.db.deleteFrom('operator_tasks').execute()
}

test(
  'whatever is done and whatever fails: each purchase is paid for and carried out once, or not at all',
  { timeout: 3_600_000 },
  async () => {
    const property = fc.asyncProperty(commands(numRuns > 20 ? 25 : 12), async (sequence) => {
      const place = await worldForARun()
      try {
        const shopper = await aShopper(place)
        for (const command of sequence) await shopper.obey(command)
        await shopper.obey({ do: 'calm' })
        await leaveInPeace(place)
      } catch (fault) {
        // What it left would be in the way of the shorter sequences that are tried now.
        await place.close()
        world = undefined
        throw fault
      }
    })
    // However long a shorter sequence is looked for, what was found is told.
    await fc.assert(property, { numRuns, interruptAfterTimeLimit: Math.max(180_000, numRuns * 15_000) })
    expect(runs).toBeGreaterThan(0)
  },
)
