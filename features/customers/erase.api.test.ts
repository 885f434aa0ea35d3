import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { transact } from '#kit/server/db.ts'
import { exitCodes } from '#operator/command.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { createCustomerWithAllData } from '#quality/support/customer-with-all-data.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { portForm, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { runCommandForJson, runCommand } from '#quality/support/operator.ts'
import { renew } from '#quality/support/purchases.ts'
import {
  readGatewayCards,
  clearFailures,
  failGateway,
  failNetwork,
  newPortableNumber,
  sendNotification,
} from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { findColumnsContaining } from '#quality/support/find-text.ts'
import { useWorld } from '#quality/support/world.ts'

const dataDir = createDataFolder('fantail-erase-')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const world = useWorld({ env: { DATA_DIR: dataDir } })

const run = (args: string[], says?: boolean) => runCommand(dataDir, args, says === undefined ? {} : { says })
const erasureOf = (id: string) =>
  world().db.selectFrom('erasures').selectAll().where('user_id', '=', id).executeTakeFirst()
const isErased = (id: string) => pollUntil(async () => (await erasureOf(id))?.state === 'completed')
const erased = async (id: string) => {
  const { exit, complaints } = await run(['customers', 'erase', id, '--yes'])
  expect({ exit, complaints }).toEqual({ exit: exitCodes.done, complaints: [] })
  await isErased(id)
}

describe('the command “customers erase”', () => {
  test(
    'an operator must confirm a customer’s erasure, which removes all personal data except invoices and the audit trail',
    { tags: ['slow'] },
    async () => {
      const customer = await createCustomerWithAllData(world())
      const { id, email, password, first_name, last_name, ported, service, second, fullName, visitor } = customer
      const orders = await world().db.selectFrom('orders').select('id').where('user_id', '=', id).execute()
      const cards = async () =>
        (
          await Promise.all([id, ...orders.map((order) => order.id)].map((name) => readGatewayCards(world(), name)))
        ).flat()
      expect((await cards()).length).toBeGreaterThan(1)
      const no = await run(['customers', 'erase', id], false)
      expect(no).toMatchObject({ exit: exitCodes.refused, complaints: ['Nothing was done.'] })
      expect(no.questions).toEqual([`Erase ${fullName} (${email}) permanently? This cannot be undone.`])
      expect(no.said).toEqual([
        expect.stringMatching(
          `^${formatNational(ported)} goes back to the network at once; .+ would have run until .+Z\\.$`,
        ),
        '  Auto-renewal ends.',
        expect.stringContaining(`${formatNational(second.msisdn)} goes back`),
        expect.stringMatching(/^ {2}.+ is paid for and will not start\. It is not refunded automatically\.$/),
        'The saved card ending 1111 is deleted here and at the gateway.',
      ])
      expect((await visitor.get('/api/account/')).body.authenticated).toBe(true)

      const yes = await run(['customers', 'erase', id, '--as', 'Hine'], true)
      expect(yes).toMatchObject({ exit: exitCodes.done, complaints: [] })
      await isErased(id)
      expect(await cards()).toEqual([])
      const { network } = await world().ledgers()
      for (const each of [service, second])
        expect(network.filter(({ external_id }) => external_id === `release-${each.id}`)).toMatchObject([
          { state: 'completed' },
        ])

      for (const text of [
        first_name,
        last_name,
        fullName,
        email,
        ...[ported, service.msisdn, second.msisdn].map((one) => one.slice(1)),
      ])
        expect(
          (await findColumnsContaining(world().db, text)).filter((place) => !place.startsWith('invoices.')),
        ).toEqual([])
      expect(await findColumnsContaining(world().db, email)).toEqual(['invoices.email'])
      for (const text of [first_name, last_name, email])
        expect((await run(['customers', 'find', text])).said).toEqual(['No customer found.'])

      expect((await visitor.get('/api/account/')).body.authenticated).toBe(false)
      expect((await world().visitor().post('/api/account/login/', { username: email, password })).body).toEqual({
        __all__: ['Please enter a correct email address and password.'],
      })
      const { events } = await runCommandForJson(dataDir, ['audit', '--customer', id])
      expect(events[0]).toMatchObject({ event: 'customer_erased', actor: 'operator:Hine' })
      const { said } = await run(['customers', 'show', id])
      expect(said.join('\n')).toMatch(/ERASED \S+Z/)
      for (const act of ['erase', 'keep', 'block', 'unlock', 'sign-out'])
        expect(await run(['customers', act, id])).toMatchObject({
          exit: exitCodes.refused,
          complaints: ['This customer has been erased.'],
        })
    },
  )

  test('an erased customer’s email address can be used for a new account', { tags: ['slow'] }, async () => {
    const { id, email } = await makeCustomer(world(), { services: 1 })
    await erased(id)
    const again = await makeCustomer(world(), { services: 1, email })
    expect(again.id).not.toBe(id)
    expect((await again.visitor.get('/api/account/')).body.user).toMatchObject({ email, email_verified: true })
  })

  test('erasing a customer also removes data that a signed-out visitor entered with the same email address', async () => {
    const { id, email } = await makeCustomer(world())
    const traveller = await advanceWizardTo(world(), 'PAYMENT', { email })
    expect((await traveller.pay({ holder: 'DECLINED' })).status).toBe(400)
    await erased(id)
    expect(await findColumnsContaining(world().db, email)).toEqual([])
  })

  test('the command “customers erase” changes nothing while a number transfer is open, and says why', async () => {
    const { id, visitor, services } = await makeCustomer(world(), { services: 1 })
    const number = await newPortableNumber(world())
    await visitor.post(`/api/services/port/${services[0]?.id}/`, portForm(number))
    expect(await run(['customers', 'erase', id, '--yes'])).toMatchObject({
      exit: exitCodes.refused,
      complaints: [
        expect.stringMatching(`Not possible while something is open: transfer of \\${number} \\(\\w+\\)\\.`),
      ],
    })
    expect((await visitor.get('/api/account/')).body.authenticated).toBe(true)
    expect(await erasureOf(id)).toBeUndefined()
  })

  test('the command “customers erase” fails for a customer who has an open order', { tags: ['slow'] }, async () => {
    const { id, visitor, services } = await makeCustomer(world(), { card: true })
    await failNetwork(world(), { operation: 'add_plan', kind: 'error_500', times: 1_000 })
    const renewed = renew(world(), visitor, services[0]!, { saved: true })
    await pollUntil(() =>
      world()
        .db.selectFrom('orders')
        .select('id')
        .where('user_id', '=', id)
        .where('state', '=', 'adding_plan')
        .executeTakeFirst(),
    )
    expect((await run(['customers', 'erase', id, '--yes'])).complaints[0]).toMatch(/order FT\w+ \(adding_plan\)/)
    await clearFailures(world())
    await renewed
  })

  test('the command “customers erase” fails for a customer who has an open refund', async () => {
    const { id, services } = await makeCustomer(world(), { card: true })
    await failGateway(world(), { operation: 'refund', kind: 'error_500', times: 1_000 })
    expect((await run(['orders', 'refund', services[0]?.orderCode ?? '', '--yes'])).exit).toBe(exitCodes.unknown)
    expect((await run(['customers', 'erase', id, '--yes'])).complaints[0]).toMatch(/refund FT\w+-1-refund \(unknown\)/)
    await clearFailures(world())
  })

  test(
    'while a dispute is open, the command “customers erase” is rejected but other commands are allowed',
    { tags: ['slow'] },
    async () => {
      const { id, email, password, service } = await createCustomerWithAllData(world())
      const tell = (eventCode: string) =>
        sendNotification(world(), {
          eventCode,
          merchantReference: `${service.orderCode}-1`,
          pspReference: `D${service.orderCode}`,
          amount: { value: 2200, currency: 'NZD' },
          reason: 'Goods not received',
        })
      await tell('CHARGEBACK')
      expect((await run(['customers', 'erase', id, '--yes'])).complaints).toEqual([
        `Not possible while something is open: dispute D${service.orderCode} of ${service.orderCode} (charged_back).`,
      ])
      for (const act of ['sign-out', 'block', 'unblock', 'unlock'])
        expect((await run(['customers', act, id])).exit).toBe(exitCodes.done)
      expect((await world().visitor().post('/api/account/login/', { username: email, password })).status).toBe(200)
      await tell('CHARGEBACK_REVERSED')
      await erased(id)
      expect(await findColumnsContaining(world().db, email)).toEqual(['invoices.email'])
    },
  )

  test('the command “customers erase” rejects an unknown customer', async () => {
    for (const none of [crypto.randomUUID(), 'x'])
      expect((await run(['customers', 'erase', none, '--yes'])).complaints).toEqual([
        'There is no customer with this ID.',
      ])
  })
})

describe('the list of erased customers', () => {
  const path = join(dataDir, 'erasures.jsonl')

  test(
    'the list of erased customers contains only ids and times, and the command customers erase-again repeats the erasures after a restore',
    { tags: ['slow'] },
    async () => {
      const { id, email } = await makeCustomer(world(), { services: 1 })
      const before = await world().db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      await erased(id)
      const line = readFileSync(path, 'utf8')
        .split('\n')
        .find((each) => each.includes(id))
      expect(JSON.parse(line ?? '')).toEqual({ customer: id, erased: expect.any(String) })

      expect(await run(['customers', 'erase-again'])).toMatchObject({
        exit: exitCodes.done,
        said: ['No customer on the list of erased customers was restored.'],
      })
      // Put the customer's rows back, as restoring an older backup would.
      await world().db.deleteFrom('erasures').where('user_id', '=', id).execute()
      await world().db.updateTable('users').set(before).where('id', '=', id).execute()
      appendFileSync(path, '\n{"customer": "cut sh')
      expect(await findColumnsContaining(world().db, email)).toContain('users.email')
      expect(await run(['customers', 'erase-again', '--as', 'Jo'])).toMatchObject({
        exit: exitCodes.done,
        said: [`${id}  erased again`],
      })
      await isErased(id)
      expect(await findColumnsContaining(world().db, email)).toEqual(['invoices.email'])
    },
  )

  test(
    'after a backup is restored, the command “reconcile” erases again every listed customer that the backup brought back',
    { tags: ['slow'] },
    async () => {
      const { id, email } = await makeCustomer(world())
      const before = await world().db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      await erased(id)
      await world().db.deleteFrom('erasures').where('user_id', '=', id).execute()
      await world().db.updateTable('users').set(before).where('id', '=', id).execute()
      expect((await run(['reconcile'])).said).toContain(
        `Customer ${id} was restored from a backup and has been erased again`,
      )
      await isErased(id)
      expect(await findColumnsContaining(world().db, email)).toEqual([])
    },
  )
})

test(
  'an erasure includes a merged account’s data and a declined order under that account’s email address',
  { tags: ['slow'] },
  async () => {
    const [customer, joined] = [
      await makeCustomer(world(), { services: 1 }),
      await makeCustomer(world(), { services: 1 }),
    ]
    const { db, deps } = world()
    await pollUntil(async () => (await world().mailTo(joined.email)).length > 0)
    await transact(db, (trx) => deps.accountParts.reassignAll(trx, joined.id, customer.id))
    expect(await db.selectFrom('messages').select('id').where('user_id', '=', joined.id).execute()).toEqual([])
    // A declined activation order belongs to no customer. It stores only an email address, here that of the merged account.
    const declined = await advanceWizardTo(world(), 'PAYMENT', { email: joined.email })
    expect((await declined.pay({ holder: 'DECLINED' })).status).toBe(400)
    await erased(customer.id)
    // A merge normally deletes the merged account and its email link; this test leaves both in place.
    const own = ['users.email', 'email_tokens.email']
    expect((await findColumnsContaining(db, joined.email)).filter((place) => !own.includes(place))).toEqual([
      'invoices.email',
    ])
  },
)
