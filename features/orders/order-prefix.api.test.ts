/* @module-tag slow */
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { activate } from '#quality/support/activation-journey.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { makeDatabase, type TestDatabase } from '#quality/support/database.ts'
import { newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { createKeaProvider } from '#quality/support/kea-provider.ts'
import { runCommand } from '#quality/support/operator-command.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { sendGatewayItems } from '#quality/support/simulators.ts'
import { startWorld, type World } from '#quality/support/world.ts'

const dataDir = createDataFolder('fantail-prefix-')
const provider = createKeaProvider()
let database: TestDatabase | null
let world: World
let before: string
let after: string

/** Sells a plan as Fantail, and then one as the made-up provider, with the same data folder and database. */
beforeAll(async () => {
  database = process.env['DATABASE_URL'] ? await makeDatabase(process.env['DATABASE_URL']) : null
  const env = { DATA_DIR: dataDir, DESK_PORT: '0', ...(database && { DATABASE_URL: database.url }) }
  world = await startWorld({ env })
  before = (await activate(world)).orderCode
  await world.close()
  world = await startWorld({ env: { ...env, PROVIDER_DIR: provider } })
  after = (await activate(world, { plan: 'nest' })).orderCode
})
afterAll(async () => {
  await world.close()
  await database?.drop()
  for (const folder of [dataDir, provider]) rmSync(folder, { recursive: true, force: true })
})

test('new order codes start with the prefix in the provider’s folder, and earlier orders keep their codes', async () => {
  expect(before).toMatch(/^FT[\dA-Z]{10}$/)
  expect(after).toMatch(/^KEA[\dA-Z]{10}$/)
  expect(await findFaultsWhenIdle(world)).toEqual([])
})

test('staff can find orders by codes with the current prefix and with an earlier one', async () => {
  const staff = await newStaffVisitor(world.deskUrl ?? '')
  for (const code of [before, after]) {
    const { groups } = (await staff.get(`/api/desk/search/?q=${code.slice(0, 8).toLowerCase()}`)).body
    expect(groups).toMatchObject([{ rows: [{ kind: 'order', hit: code }] }])
    expect((await staff.get(`/api/desk/orders/${code}/`)).status).toBe(200)
  }
})

test('a payment missing from our tables counts as ours with a current or an earlier prefix, but not with an unknown one', async () => {
  const references = ['FT00000000AA-1', 'KEA00000000AA-1', 'XYZ00000000AA-1']
  await sendGatewayItems(
    world,
    references.map((reference) => ({ event: 'CAPTURE', reference, value: 2200, psp_reference: `P${reference}` })),
  )
  const subjects = await pollUntil(async () => {
    const tasks = await world.db.selectFrom('operator_tasks').select('subject').where('kind', '=', 'payment').execute()
    return tasks.length === references.length && tasks.map(({ subject }) => subject)
  })
  expect(subjects.toSorted()).toEqual(['FT00000000AA-1', 'KEA00000000AA-1', 'card gateway'])
})

test('the operator can refund an order whose code has an earlier prefix', async () =>
  expect(await runCommand(dataDir, ['orders', 'refund', before, '--amount', '5.00', '--yes'])).toMatchObject({
    exit: 0,
    complaints: [],
  }))
