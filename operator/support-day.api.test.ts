/* @module-tag slow */
import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeCustomer, logInAs } from '#quality/support/customer.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { activate, portForm } from '#quality/support/activation-journey.ts'
import { buyAddOn } from '#quality/support/purchases.ts'
import { readProviderRecords, newPortableNumber, sendNotification } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const dataDir = createDataFolder('fantail-support-')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const world = useWorld({ env: { DATA_DIR: dataDir } })

const diary: string[] = []
afterAll(() => console.log(diary.join('\n')))

async function type(...args: string[]): Promise<string> {
  const began = performance.now()
  const { promise, resolve } = Promise.withResolvers<{ exit: unknown; text: string }>()
  execFile(
    process.execPath,
    [join(import.meta.dirname, 'main.ts'), ...args, '--as', 'Hine'],
    { env: { ...process.env, DATA_DIR: dataDir } },
    (error, out, err) => resolve({ exit: error ? error.code : 0, text: out + err }),
  )
  const { exit, text } = await promise
  diary.push(`  ${((performance.now() - began) / 1_000).toFixed(1)} s  operator ${args.join(' ')}`)
  expect([exit, text]).toEqual([0, expect.any(String)])
  return text
}
const find = async (email: string): Promise<string> => (await type('customers', 'find', email)).split(' ')[0] ?? ''
const order = (code: string) =>
  world().db.selectFrom('orders').selectAll().where('order_code', '=', code).executeTakeFirstOrThrow()
const portOf = (reference: string) =>
  world().db.selectFrom('porting_requests').selectAll().where('external_id', '=', reference).executeTakeFirst()
async function aTransfer(behaviour: Parameters<typeof newPortableNumber>[1]) {
  const customer = await makeCustomer(world(), { services: 1 })
  const [service] = customer.services
  const number = await newPortableNumber(world(), behaviour)
  const { status } = await customer.visitor.post(`/api/services/port/${service!.id}/`, portForm(number))
  expect(status).toBe(200)
  return { number, reference: `${service!.id}-port-1`, again: `${service!.id}-port-2` }
}

test('support case 1: the activation email is resent to a customer who did not receive it', async ({ task }) => {
  diary.push(task.name)
  const { email } = await makeCustomer(world(), { services: 1 })
  await pollUntil(async () => (await world().mailTo(email)).length === 1)
  const shown = await type('customers', 'show', await find(email), '--json')
  const { history } = JSON.parse(shown) as { history: { of: string; ref: string }[] }
  const message = history.find(({ of }) => of === 'message')
  expect(await type('customers', 'resend', message?.ref ?? '')).toContain(email)
  await pollUntil(async () => (await world().mailTo(email)).length === 2)
})

test('support case 2: a customer who was locked out after too many attempts can log in once unlocked', async ({
  task,
}) => {
  diary.push(task.name)
  const { email, password } = await makeCustomer(world())
  const visitor = world().visitor()
  const tryIt = (given: string) => visitor.post('/api/account/login/', { username: email, password: given })
  await pollUntil(async () => (await tryIt('not the password')).status === 429)
  await type('customers', 'unlock', await find(email))
  expect((await tryIt(password)).status).toBe(200)
})

test('support case 3: a hijacked account is blocked and signed out, and its owner can log in once it is unblocked', async ({
  task,
}) => {
  diary.push(task.name)
  const customer = await makeCustomer(world(), { services: 1 })
  const id = await find(customer.email)
  await type('customers', 'block', id)
  expect((await customer.visitor.get('/api/account/')).body.authenticated).toBe(false)
  await type('audit', '--customer', id)
  await type('customers', 'unblock', id)
  const again = await logInAs(world(), customer)
  expect((await again.get('/api/account/')).body.authenticated).toBe(true)
})

test('support case 4: a held activation is retried and completes', async ({ task }) => {
  diary.push(task.name)
  const { orderCode, email } = await activate(world(), { behaviour: 'fails_once' })
  await find(email)
  expect(await type('orders', 'show', orderCode)).toContain('activation, held')
  await type('orders', 'retry', orderCode)
  await pollUntil(async () => (await order(orderCode)).state === 'completed')
})

test('support case 5: half of a late add-on’s price is refunded', async ({ task }) => {
  diary.push(task.name)
  const { email, visitor, services } = await makeCustomer(world(), { card: true })
  const { body } = await buyAddOn(world(), visitor, services[0]!, { saved: true })
  await pollUntil(async () => (await order(body.order_code)).state === 'completed')
  await find(email)
  await type('orders', 'refund', body.order_code, '--amount', '5.00', '--reason', 'a day late', '--yes')
  expect((await readProviderRecords(world(), body.order_code)).gateway).toMatchObject([
    { captured: 1000, refunded: 500 },
  ])
})

test('support case 6: a chargeback appears as a dispute, and its task can be completed', async ({ task }) => {
  diary.push(task.name)
  const { orderCode } = await activate(world())
  await sendNotification(world(), {
    eventCode: 'CHARGEBACK',
    merchantReference: `${orderCode}-1`,
    pspReference: `D${orderCode}`,
    amount: { value: 2200, currency: 'NZD' },
    reason: 'Not recognised',
  })
  expect(await type('disputes', 'list')).toContain(orderCode)
  const tasks = JSON.parse(await type('tasks', 'list', '--kind', 'dispute', '--json')) as { id: string }[]
  await type('tasks', 'done', tasks[0]?.id ?? '', '--note', 'accepted at the gateway')
})

test('support case 7: a failed number transfer is resubmitted with the right number and completes', async ({
  task,
}) => {
  diary.push(task.name)
  const { reference, again } = await aTransfer('fails')
  await world().advance('PT5H')
  await pollUntil(async () => (await portOf(reference))?.status === 'FAILED')
  expect(await type('ports', 'list')).toContain(reference)
  await type('ports', 'show', reference)
  await type('ports', 'resubmit', reference, '--number', await newPortableNumber(world()))
  await world().advance('PT5H')
  await pollUntil(async () => (await portOf(again))?.status === 'COMPLETED')
})

test('support case 8: a customer who has changed their mind has the number transfer cancelled', async ({ task }) => {
  diary.push(task.name)
  const { number, reference } = await aTransfer('waits_for_reply')
  await pollUntil(async () => (await portOf(reference))?.sub_state === 'awaitingCustomerReply')
  await type('ports', 'cancel', number, '--yes')
  expect((await portOf(reference))?.status).toBe('CANCELLED')
})

test('support case 9: a customer’s data is exported, and the customer is then erased', async ({ task }) => {
  diary.push(task.name)
  const { email } = await makeCustomer(world(), { services: 1 })
  const id = await find(email)
  expect(await type('customers', 'export', id)).toContain(email)
  await type('customers', 'erase', id, '--yes')
  await pollUntil(async () => (await type('customers', 'find', email)).includes('No customer found.'))
})

test('support case 10: new SIM stock is loaded, vouchers are made, one is voided, and the reconciliation succeeds', async ({
  task,
}) => {
  diary.push(task.name)
  const file = join(dataDir, 'packs.csv')
  writeFileSync(file, 'iccid,msisdn\n8964050000000000016,0271230001\n')
  const text = await type('sims', 'import', file)
  expect(text).toMatch(/1 /)
  await type('sims', 'status')
  const expires = Temporal.Now.plainDateISO().add({ years: 1 })
  const [code = ''] = (await type('vouchers', 'make', '5', '--plan', 'plan-30-5gb', '--expires', String(expires)))
    .split('\n')
    .filter((line) => /^[A-Z0-9]{12}$/.test(line))
  await type('vouchers', 'void', code)
  expect(await type('vouchers', 'status', code)).toMatch(/void/i)
  await type('reconcile')
})
