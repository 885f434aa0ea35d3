import { beforeAll, expect, test } from 'vitest'
import { ConfigError } from '#kit/server/config.ts'
import { fantailProvider } from '#quality/support/provider.ts'
import { useRouteServer } from '#quality/support/route-server.ts'
import { endTask, listOpenTasksOfKind } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { applyFolderAtStartup } from './server/apply-folder-at-startup.ts'
import { applyCatalogue } from './server/catalogue.ts'
import { findProduct } from './server/plans.store.ts'

// These tests build on each other: each one starts in the state that the previous one left behind.

const rig = useRouteServer(() => [])
beforeAll(() => rig().db.deleteFrom('catalogue_versions').execute())
const id = 'plan-30-5gb'
const at = (cents: number) => ({
  ...fantailProvider.catalogue,
  products: fantailProvider.catalogue.products.map((product) =>
    product.unique_id === id ? { ...product, price_cents: cents } : product,
  ),
})
const price = async () => (await findProduct(rig().db, id))?.price_cents
const start = (cents: number) => applyFolderAtStartup(rig(), { catalogue: at(cents) })
const tasks = async () => (await listOpenTasksOfKind(rig().db, 'folder')).map(({ reason }) => reason)
const versions = async () => (await rig().db.selectFrom('catalogue_versions').select('number').execute()).length
const differs =
  'The catalogue folder differs from the catalogue on sale. To see the differences: operator catalogue diff'
const faults = ['plans.json: 4.price_cents: must not be below 0.']

test('the first startup imports the catalogue folder, unless the folder contains errors', async () => {
  await expect(applyFolderAtStartup(rig(), { faults })).rejects.toThrow(ConfigError)
  expect(await start(2_200)).toBeNull()
  expect([await price(), await tasks()]).toEqual([2_200, []])
})

test('a restart ignores an edited catalogue folder and creates one operator task per edit', async () => {
  expect(await start(1)).toEqual({ version: expect.any(Number), faults: [] })
  expect([await price(), await versions(), await tasks()]).toEqual([2_200, 1, [differs]])
  const folderTasks = rig().db.selectFrom('operator_tasks').select('id').where('kind', '=', 'folder')
  const { id: task } = await folderTasks.executeTakeFirstOrThrow()
  await endTask(rig().db, task, { name: 'operator:Tom', note: 'A slip' })
  await start(1)
  expect(await tasks()).toEqual([])
  await start(2)
  expect([await price(), await tasks()]).toEqual([2_200, [differs]])
})

test('a restart closes the operator task about the catalogue folder once the folder matches the catalogue on sale', async () => {
  expect(await start(2_200)).toBeNull()
  expect(await tasks()).toEqual([])
})

test('an invalid catalogue folder does not prevent a restart if the database already contains a catalogue', async () => {
  expect(await applyFolderAtStartup(rig(), { faults })).toMatchObject({ faults })
  expect([await price(), await tasks()]).toEqual([
    2_200,
    [`The catalogue folder differs from the catalogue on sale and has faults. ${faults[0]}`],
  ])
  await start(2_200)
  expect(await tasks()).toEqual([])
})

test('publishing the folder’s catalogue closes the operator task about the folder, and scheduling it prevents a new task', async () => {
  const apply = (cents: number, when: Temporal.Instant | null) =>
    applyCatalogue(rig(), { catalogue: at(cents), at: when, actor: { by: 'operator', name: 'Tom' } })
  await start(2_100)
  expect(await tasks()).toEqual([differs])
  await apply(2_100, null)
  expect([await price(), await tasks()]).toEqual([2_100, []])
  await apply(2_000, rig().clock.now().add({ hours: 1 }))
  expect(await start(2_000)).toBeNull()
  expect([await price(), await tasks()]).toEqual([2_100, []])
})

test('a restart does not put an earlier catalogue from the folder back on sale', async () => {
  expect(await start(2_200)).not.toBeNull()
  expect([await price(), await tasks()]).toEqual([2_100, [differs]])
})
