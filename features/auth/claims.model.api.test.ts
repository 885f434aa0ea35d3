import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { transact } from '#kit/server/db.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { markets } from '#kit/server/markets.ts'
import { endRequests, reassignAll } from '#app/accounts.ts'
import { findContactPhone } from '#features/account/server/contact-phone.store.ts'
import { importCatalogue } from '#features/plans/server/plans.store.ts'
import { wholeWithoutParts } from '#testing/account-parts.ts'
import { ordersOfEvents } from '#testing/claims-commands.ts'
import { remembering, twoPeople } from '#testing/claims-model.ts'
import type { ModelDeps } from '#testing/claims-people.ts'
import { fantail } from '#testing/provider.ts'
import { aRig } from '#testing/rig.ts'

// Two people and one address: in whichever order they sign up, by wizard or signed in, whichever links are pressed
// in which order. More of them when there is time: FUZZ_RUNS=5000.
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 500)

const rig = aRig(() => [], { before: ({ db }) => transact(db, (trx) => importCatalogue(trx, fantail.catalogue)) })

function depsOf(): ModelDeps {
  const { db, clock, secrets, passwords } = rig()
  const phone = (msisdn: string | null) => (msisdn ? { phone: msisdn, phone_display: formatNational(msisdn) } : null)
  return {
    db,
    clock,
    secrets,
    passwords: remembering(passwords),
    // What is queued is done by hand, or is a message that the model reads in the outbox.
    jobs: {
      send: async () => {},
      takeOver: () => {},
      fetchMore: () => {},
      work: async () => {},
      unfinished: async () => 0,
      rewrite: async () => 0,
      isLively: () => false,
      wants: () => null,
      stop: async () => {},
    },
    log: { info() {}, warn() {}, error() {} },
    brandName: fantail.brand.name,
    brandShortName: fantail.brand.shortName,
    colours: fantail.look.colours,
    help: fantail.brand.help,
    publicUrl: 'https://portal.example.nz',
    market: markets.NZ,
    accountParts: {
      card: async () => null,
      phone: async (userId, trx) => phone(await findContactPhone(trx ?? db, userId)),
      whole: wholeWithoutParts(db),
      reassignAll,
      endRequests: (trx, userId) => endRequests(trx, userId, clock.now()),
    },
  } as ModelDeps
}

/** No account is there yet. */
async function startOver(): Promise<void> {
  const { db, clock } = rig()
  clock.setOffset(0)
  for (const table of ['messages', 'audit_events', 'services', 'orders', 'users', 'sessions', 'sim_packs'] as const)
    await db.deleteFrom(table).execute()
}

test('neither gets at what the other has activated, and both into what they have', { timeout: 600_000 }, async () => {
  const deps = depsOf()
  let done = 0
  const property = fc.asyncProperty(ordersOfEvents(), async (events) => {
    await startOver()
    const people = twoPeople(deps)
    for (const event of events) await people.obey(event)
    await people.endsWell()
    done++
  })
  await fc.assert(property, { numRuns })
  expect(done).toBeGreaterThanOrEqual(numRuns)
})
