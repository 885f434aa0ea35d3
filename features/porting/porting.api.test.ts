import { expect, test } from 'vitest'
import { markets } from '#kit/server/markets.ts'
import { fantailProvider } from '#quality/support/provider.ts'
import { useRouteServer } from '#quality/support/route-server.ts'
import { findProcessingStart } from './server/porting-hours.ts'
import { portingRoutes } from './server/porting.routes.ts'
import { importDonors, donorExists } from './server/porting.store.ts'

const { donors } = fantailProvider
const rig = useRouteServer((parts) => portingRoutes({ ...parts, market: markets.NZ }), {
  before: ({ db }) => importDonors(db, donors),
})

test('GET /api/account/porting_providers/ lists the other mobile providers in the configured order', async () => {
  const { status, body } = await rig().visitor().get('/api/account/porting_providers/')
  expect({ status, body }).toEqual({
    status: 200,
    body: { providers: donors, looked_at_from: body.looked_at_from },
  })
  expect(body.looked_at_from).toBe(findProcessingStart(rig().clock.now(), markets.NZ)?.toString() ?? null)
  expect(body.providers[0]).toEqual({ id: 'spark', name: 'Spark' })
})

test('importing other mobile providers renames existing ones, adds new ones and keeps the rest', async () => {
  const { db } = rig()
  await importDonors(db, [
    { id: 'orcon', name: 'Orcon Mobile' },
    { id: 'kea-mobile', name: 'Kea Mobile' },
  ])
  const { providers } = (await rig().visitor().get('/api/account/porting_providers/')).body
  expect(providers).toHaveLength(donors.length + 1)
  expect(providers).toContainEqual({ id: 'orcon', name: 'Orcon Mobile' })
  expect(await donorExists(db, 'kea-mobile')).toBe(true)
  expect(await donorExists(db, 'vodafone')).toBe(false)
})
