import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDatabase } from '#quality/support/database.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { fantailFolder } from '#quality/support/provider.ts'
import { aTool } from '#quality/support/operator.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { startWorld, type World } from '#quality/support/world.ts'
import { changePrice } from '#quality/support/changed-price.ts'

const homes = [createDataFolder('fantail-one-'), createDataFolder('fantail-two-')] as const
const folders = homes.map((home) => join(home, 'provider'))
let database: Awaited<ReturnType<typeof makeDatabase>>
let worlds: World[] = []

const start = (at: number) =>
  startWorld({ env: { DATA_DIR: homes[at] ?? '', PROVIDER_DIR: folders[at] ?? '', DATABASE_URL: database.url } })

beforeAll(async () => {
  for (const folder of folders) cpSync(fantailFolder, folder, { recursive: true })
  database = await makeDatabase(process.env['DATABASE_URL'] ?? '')
  changePrice(folders[0] ?? '', 2_300)
  changePrice(folders[1] ?? '', 2_300)
  worlds = await Promise.all([start(0), start(1)])
})
afterAll(async () => {
  for (const world of worlds) await world.close()
  await database?.drop()
  for (const home of homes) rmSync(home, { recursive: true, force: true })
})

const pricesShown = () =>
  Promise.all(
    worlds.map(async (world) => (await world.visitor().get('/api/products/')).body['plan-30-5gb']?.price as string),
  )
const versions = () => worlds[0]?.db.selectFrom('catalogue_versions').select(['number', 'applied_at']).execute()

test('if two processes start at the same time with a changed catalogue folder, the catalogue is applied only once', async () => {
  expect(await pricesShown()).toEqual(['23.00', '23.00'])
  expect((await versions())?.length).toBe(2)
})

test('a catalogue that is applied in one process goes on sale in both processes immediately', async () => {
  changePrice(folders[0] ?? '', 2_500)
  expect((await aTool(homes[0]).run('catalogue apply')).exit).toBe(0)
  expect(await pricesShown()).toEqual(['25.00', '25.00'])
})

test('a process that starts with an older catalogue folder does not bring back the old prices', async () => {
  await worlds.pop()?.close()
  const warned = await start(1)
  worlds.push(warned)
  expect(await pricesShown()).toEqual(['25.00', '25.00'])
})

test('a scheduled catalogue goes on sale in both processes', async () => {
  changePrice(folders[0] ?? '', 2_700)
  const [first] = worlds
  const soon = first?.deps.clock.now().toZonedDateTimeISO('Pacific/Auckland').add({ days: 1 }).toPlainDate()
  expect((await aTool(homes[0]).run(`catalogue apply --at ${soon}`)).exit).toBe(0)
  expect(await pricesShown()).toEqual(['25.00', '25.00'])
  await first?.advance('P1D')
  await pollUntil(async () => (await pricesShown()).every((price) => price === '27.00'))
  expect((await versions())?.filter(({ applied_at: at }) => at === null)).toEqual([])
})

test('after ten simultaneous catalogue commands, both processes have the same prices', async () => {
  await Promise.all(Array.from({ length: 10 }, (_, at) => aTool(homes[at % 2 ? 1 : 0]).run('catalogue apply')))
  const [one, two] = await pricesShown()
  expect(one).toBe(two)
})
