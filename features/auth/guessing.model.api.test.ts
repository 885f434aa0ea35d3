// @module-tag slow
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  attackAroundWindowEnd,
  attackSequences,
  attackBeforePasswordChange,
} from '#quality/support/guessing-commands.ts'
import { playAttack } from '#quality/support/guessing-model.ts'
import { modelDeps } from '#quality/support/model-deps.ts'
import { aRig } from '#quality/support/route-rig.ts'

// Set FUZZ_RUNS=500 for more runs.
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 12)

const rig = aRig(() => [])

async function startOver(): Promise<void> {
  const { db, clock } = rig()
  clock.setOffset(0)
  for (const table of ['messages', 'audit_events', 'users', 'sessions', 'rate_limits', 'browser_failures'] as const)
    await db.deleteFrom(table).execute()
}

// The attacker has many network addresses, an account on the owner's e-mail address, browsers known to it, and old cookies of
// the owner's. The owner has a known browser, and can use a new one, at a network address that the attacker shares.
test(
  'at most 100 passwords are compared with the owner’s in any 15 minutes, and the owner always gets in',
  { timeout: 600_000 },
  async () => {
    const guesses: number[] = []
    const property = fc.asyncProperty(attackSequences(), async (commands) => {
      await startOver()
      guesses.push(await playAttack(modelDeps(rig()), commands))
    })
    await fc.assert(property, { numRuns, examples: [[attackAroundWindowEnd], [attackBeforePasswordChange]] })
    // The attacks must reach the limit, or the test proves nothing.
    expect(Math.max(...guesses)).toBeGreaterThanOrEqual(100)
  },
)
