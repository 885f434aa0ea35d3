/* @module-tag slow */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  attackAroundWindowEnd,
  attackSequences,
  attackBeforePasswordChange,
} from '#quality/support/guessing-commands.ts'
import { runAttack } from '#quality/support/guessing-model.ts'
import { createModelDeps } from '#quality/support/model-deps.ts'
import { useRouteServer } from '#quality/support/route-server.ts'

// FUZZ_RUNS sets how many random attacks to run, for example 500.
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 12)

const rig = useRouteServer(() => [])

async function startOver(): Promise<void> {
  const { db, clock } = rig()
  clock.setOffset(0)
  for (const table of ['messages', 'audit_events', 'users', 'sessions', 'rate_limits', 'browser_failures'] as const)
    await db.deleteFrom(table).execute()
}

/*
 * The attacker has many IP addresses, an account with the owner's email address, browsers known to that account, and
 * the owner's old cookies. The owner logs in from a known browser or a new one, and shares an IP address with the
 * attacker.
 */
test(
  'attackers can test at most 100 guesses of the owner’s password in any 15 minutes, and the owner can always log in',
  { timeout: 600_000 },
  async () => {
    const guesses: number[] = []
    const property = fc.asyncProperty(attackSequences(), async (commands) => {
      await startOver()
      guesses.push(await runAttack(createModelDeps(rig()), commands))
    })
    await fc.assert(property, { numRuns, examples: [[attackAroundWindowEnd], [attackBeforePasswordChange]] })
    // If no attack reached the limit, the test would prove nothing.
    expect(Math.max(...guesses)).toBeGreaterThanOrEqual(100)
  },
)
