import { beforeAll, expect, test } from 'vitest'
import { ConfigError } from '#kit/server/config.ts'
import { fantail } from '#quality/support/provider.ts'
import { aRig } from '#quality/support/route-rig.ts'
import { endTask, listOpenTasksOfKind } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { startWithFolder } from './server/start-with-folder.ts'
import { applyCatalogue } from './server/catalogue.ts'
import { findProduct } from './server/plans.store.ts'

// The tests build on each other: each starts in the state that the previous one left.

const rig = aRig(() => [])
beforeAll(() => rig().db.deleteFrom('catalogue_versions').execute())
const id = 'plan-30-5gb'
const at = (cents: number) => ({
  ...fantail.catalogue,
  products: fantail.catalogue.products.map((product) =>
    product.unique_id === id ? { ...product, price_cents: cents } : product,
  ),
})
const price = async () => (await findProduct(rig().db, id))?.price_cents
const start = (cents: number) => startWithFolder(rig(), { catalogue: at(cents) })
const tasks = async () => (await listOpenTasksOfKind(rig().db, 'folder')).map(({ reason }) => reason)
const versions = async () => (await rig().db.selectFrom('catalogue_versions').select('number').execute()).length
const differs = 'The provider’s folder differs from what is on sale. To see how: npm run operator -- catalogue diff'
const faults = ['plans.json: 4.price_cents: must not be below 0.']

test('the first start loads the folder’s catalogue, unless it has faults', async () => {
  await expect(startWithFolder(rig(), { faults })).rejects.toThrow(ConfigError)
  expect(await start(2_200)).toBeNull()
  expect([await price(), await tasks()]).toEqual([2_200, []])
})

test('a later start ignores an edited folder and raises one task per edit', async () => {
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

test('a start ends the folder task when the folder matches the catalogue on sale again', async () => {
  expect(await start(2_200)).toBeNull()
  expect(await tasks()).toEqual([])
})

test('a faulty folder does not stop a start when the database has a catalogue', async () => {
  expect(await startWithFolder(rig(), { faults })).toMatchObject({ faults })
  expect([await price(), await tasks()]).toEqual([
    2_200,
    [`The provider’s folder differs from what is on sale, and its catalogue has faults. ${faults[0]}`],
  ])
  await start(2_200)
  expect(await tasks()).toEqual([])
})

test('applying the folder’s catalogue ends the folder task, and a scheduled folder counts as no difference', async () => {
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

test('a folder with an earlier catalogue is not put on sale again', async () => {
  expect(await start(2_200)).not.toBeNull()
  expect([await price(), await tasks()]).toEqual([2_100, [differs]])
})
