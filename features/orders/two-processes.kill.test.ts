import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { activateThroughFailures } from '#quality/support/activate-through-failures.ts'
import { portForm, advanceWizardTo } from '#quality/support/activation-journey.ts'
import type { CallName } from '#quality/support/kill-test-simulators.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { activationActions, getProviderRecords, waitForEmails, paid } from '#quality/support/order-records.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newVisitor } from '#quality/support/visitor.ts'

const isOnPostgres = Boolean(process.env['DATABASE_URL'])

// The embedded database cannot be shared by two processes and has no connections to break, so these tests need PostgreSQL.
describe.runIf(isOnPostgres)('orders with two processes or broken connections', () => {
  let world: KillTestWorld
  beforeAll(async () => {
    world = await startKillTestWorld()
  })
  beforeEach(() => world.product.start())
  afterAll(() => world?.close())

  const calls: CallName[] = ['sim', 'plan', 'capture']
  const pauses = calls.flatMap((call) => (['before', 'after'] as const).map((when) => ({ call, when })))

  test.each(pauses)(
    'an order completes if its process freezes $when $call until the lease has expired and another process takes over',
    async ({ call, when }) => {
      const traveller = await advanceWizardTo(world, 'PAYMENT')
      const held = world.hold(call, when)
      // Hold webhooks back, so that the process freezes at this request and not while storing a webhook.
      await world.setWebhooks('hold')
      await traveller.pay()
      await held.reached
      await standStill(world)
      held.goOn()

      const other = await world.anotherProduct()
      await other.start()
      const elsewhere = newVisitor(other.url)
      for (const name of ['fantail', 'csrftoken']) elsewhere.setCookie(name, traveller.visitor.cookie(name) ?? '')
      const done = await pollUntil(
        async () => {
          const { body } = await elsewhere.get('/api/activate/')
          return body.state === 'SUCCESSFUL' && body
        },
        { withinMs: 60_000 },
      )

      world.product.wake()
      await world.setWebhooks('normal')
      expect(await traveller.look()).toEqual(done)
      expect(await waitForEmails(world, traveller.email, done.order_code)).toBe(1)
      await other.stop()
      expect(getProviderRecords(world, done.order_code)).toMatchObject({ gateway: paid, network: activationActions })
      expect(await world.auditAfterwards()).toEqual([])
      expect([...world.product.complaints(), ...other.complaints()]).toEqual([])
    },
    240_000,
  )

  test('orders complete even if database connections break at random moments', async () => {
    const answers = [{}, {}, { voucher: await world.newVoucher() }, { port: portForm('027 555 0113') }]
    const travellers = []
    for (const each of answers) travellers.push(await advanceWizardTo(world, 'PAYMENT', each))
    const ends = Promise.all(travellers.map((traveller) => activateThroughFailures(traveller)))
    for (let times = 0; times < 25; times++) {
      await pause(randomInt(200))
      await world.breakConnections()
    }
    expect((await ends).map(({ state }) => state)).toEqual(answers.map(() => 'SUCCESSFUL'))
    for (const [at, { email }] of travellers.entries())
      expect(await waitForEmails(world, email, (await ends)[at]?.order_code ?? null)).toBe(1)
    expect(await world.auditAfterwards()).toEqual([])
  })
})

/**
 * Freezes the server while it has no open transaction, because the other process would wait for that transaction and log errors. A
 * statement sent just before the freeze may still reach the database, so the check is repeated.
 */
async function standStill({ product, databaseUrl }: KillTestWorld): Promise<void> {
  const onlooker = new pg.Client({ connectionString: databaseUrl ?? undefined })
  await onlooker.connect()
  const isIdle = async (): Promise<boolean> => {
    const { rowCount } = await onlooker.query(`select from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()`)
    return rowCount === 0
  }
  try {
    await pollUntil(async () => {
      product.pause()
      for (let looks = 0; looks < 4; looks++) {
        if (!(await isIdle())) {
          product.wake()
          return false
        }
        await pause(100)
      }
      return true
    })
  } finally {
    await onlooker.end()
  }
}
