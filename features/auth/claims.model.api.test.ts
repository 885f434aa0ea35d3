import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { transact } from '#kit/server/db.ts'
import { importCatalogue } from '#features/plans/server/plans.store.ts'
import { commandSequences } from '#quality/support/claims-commands.ts'
import { createClaimModel } from '#quality/support/claims-model.ts'
import { createModelDeps } from '#quality/support/model-deps.ts'
import { fantailProvider } from '#quality/support/provider.ts'
import { useRouteServer } from '#quality/support/route-server.ts'

/*
 * Two people who use the same email address sign up and open confirmation links in random order, whether or not they are signed in.
 * FUZZ_RUNS sets how many random sequences to run, for example 5000. Without PostgreSQL, as in `npm test`, the default is 50.
 */
const numRuns = Number(process.env['FUZZ_RUNS'] ?? (process.env['DATABASE_URL'] ? 500 : 50))

const rig = useRouteServer(() => [], {
  before: ({ db }) => transact(db, (trx) => importCatalogue(trx, fantailProvider.catalogue)),
})

async function startOver(): Promise<void> {
  const { db, clock } = rig()
  clock.setOffset(0)
  for (const table of ['messages', 'audit_events', 'services', 'orders', 'users', 'sessions', 'sim_packs'] as const)
    await db.deleteFrom(table).execute()
}

test(
  "two people with the same email address cannot see each other's services and can always reach their own",
  { timeout: 600_000 },
  async () => {
    const deps = createModelDeps(rig())
    let done = 0
    const property = fc.asyncProperty(commandSequences(), async (events) => {
      await startOver()
      const people = createClaimModel(deps)
      for (const event of events) await people.obey(event)
      await people.endsWell()
      done++
    })
    await fc.assert(property, { numRuns })
    expect(done).toBeGreaterThanOrEqual(numRuns)
  },
)
