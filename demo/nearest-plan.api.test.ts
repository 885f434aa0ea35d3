import { describe, expect, test } from 'vitest'
import { transact } from '#kit/server/db.ts'
import { markets } from '#kit/server/markets.ts'
import { readProvider } from '#app/provider/read-provider.ts'
import { importCatalogue } from '#features/plans/server/plans.store.ts'
import { fantail } from '#quality/support/provider.ts'
import { useRouteServer } from '#quality/support/route-rig.ts'
import { findNearestPlan } from './nearest-plan.ts'

describe.each([
  ['Fantail', fantail.catalogue, ['plan-30-5gb', 'plan-90-25gb', 'plan-7-1-5gb', 'plan-30-25gb']],
  [
    'Tūī',
    readProvider('demo/providers/tui', markets.NZ).catalogue,
    ['chirp-30-3gb', 'chorus-180-50gb', 'chirp-7-1gb', 'chorus-30-50gb'],
  ],
])('finding the %s plan closest to a description', (_name, catalogue, nearest) => {
  const rig = useRouteServer(() => [], { before: ({ db }) => transact(db, (trx) => importCatalogue(trx, catalogue)) })

  test('the demo finds the publicly available plan closest to the requested days and data', async () => {
    const wishes = [
      { days: 30, gb: 5 },
      { days: 90, gb: 25 },
      { days: 7, gb: 1.5 },
      { days: 30, gb: 25 },
    ]
    expect(await Promise.all(wishes.map((wish) => findNearestPlan(rig().db, wish)))).toEqual(nearest)
  })
})

describe('looking for a plan when none is on sale', () => {
  const rig = useRouteServer(() => [], {
    async before({ db }) {
      await db.updateTable('products').set({ hidden: true }).execute()
    },
  })
  test('looking for a plan throws an error if none is on sale', async () =>
    expect(findNearestPlan(rig().db, { days: 30, gb: 5 })).rejects.toThrow('no plan is on sale'))
})
