/* @module-tag slow */
import { sql } from 'kysely'
import { rmSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { apiRoutes } from '#app/api.ts'
import type { Deps } from '#app/deps.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { findFreePort } from '#kit/server/free-port.ts'
import { undecryptableCard } from '#quality/support/cards.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { createProductProcess } from '#quality/support/product-process.ts'
import { newVisitor, type Visitor } from '#quality/support/visitor.ts'
import { useWorld, type World } from '#quality/support/world.ts'

const world = useWorld()

const otherThan = (serial: string): string[] =>
  Array.from({ length: 12 }, (_, guess) => String(guess).padStart(4, '0')).filter((guess) => guess !== serial)

describe('guessing the last four digits of a SIM number', () => {
  test("after ten wrong guesses of a SIM's last digits, answers 429 in every session, but still accepts other SIMs", async () => {
    const [sim, another] = [await world().newSim(), await world().newSim()]
    const tryOne = (visitor: Visitor, sim_serial: string) =>
      visitor.post('/api/activate/sim/', { msisdn: sim.msisdn, sim_serial, setup_porting: false })

    const statuses: number[] = []
    for (const guess of otherThan(sim.sim_serial)) statuses.push((await tryOne(world().visitor(), guess)).status)
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 400))
    expect(statuses.slice(10).every((status) => status === 429)).toBe(true)

    const right = await tryOne(world().visitor(), sim.sim_serial)
    expect(right.status).toBe(429)
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0)
    const other = await world()
      .visitor()
      .post('/api/activate/sim/', { ...another, setup_porting: false })
    expect(other.status).toBe(200)
  })
})

const number = '4111 1111 1111 1111'
const endpoints = apiRoutes({} as Deps)
  .map(({ endpoint }) => endpoint)
  .filter(({ body }) => body)
const fields = [
  'msisdn',
  'sim_serial',
  'full_name',
  'email',
  'password',
  'code',
  'plan',
  'account_number',
  'prepaid_sim_number',
  'provider',
  'adyen_encrypted',
  'token',
  'whatever',
]

async function sendEverywhere(newcomer: () => Visitor | Promise<Visitor>, into = fields): Promise<number[]> {
  const statuses: number[] = []
  for (const { path } of endpoints) {
    for (const field of into) {
      // Some endpoints allow only a few attempts per session, so use a new visitor for each field.
      const visitor = await newcomer()
      for (const value of [number, number.replaceAll(' ', ''), { deep: [`card ${number}`] }]) {
        statuses.push((await visitor.post(path.replaceAll(/:\w+/g, 'FT0000000000'), { [field]: value })).status)
      }
    }
  }
  return statuses
}

async function everyTable({ db }: World): Promise<string> {
  const tables = await sql<{
    name: string
  }>`select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`.execute(db)
  const rows = await Promise.all(
    tables.rows.map(({ name }) => sql.raw<{ row: string }>(`select t::text as row from ${name} t`).execute(db)),
  )
  expect(tables.rows.length).toBeGreaterThan(20)
  return rows.flatMap((result) => result.rows.map(({ row }) => row)).join('\n')
}

describe('unencrypted card numbers', () => {
  test('rejects an unencrypted card number in every field of every endpoint, and does not store it in any table', async () => {
    const customer = await makeCustomer(world())
    const statuses = await sendEverywhere(async () => {
      await world().db.deleteFrom('rate_limits').execute()
      return customer.visitor
    })
    // The order and service ids in these paths do not exist, so their endpoints answer 404 before they validate the body.
    expect(statuses.filter((status) => status !== 400 && status !== 404)).toEqual([])
    const { visitor } = await advanceWizardTo(world(), 'PAYMENT')
    expect((await visitor.post('/api/activate/pay/', { adyen_encrypted: number })).status).toBe(400)
    expect(await everyTable(world())).not.toMatch(/4111[\s-]?1111/)
  })

  test('writes no card number, password or encrypted card to the log', async () => {
    const dataDir = createDataFolder('fantail-log-')
    const product = createProductProcess({ PORT: String(await findFreePort()), DATA_DIR: dataDir, LOG_LEVEL: 'debug' })
    onTestFinished(async () => {
      await product.stop()
      rmSync(dataDir, { recursive: true, force: true })
    })
    await product.start()
    const visitor = newVisitor(product.url)
    await sendEverywhere(() => newVisitor(product.url), ['msisdn', 'full_name', 'adyen_encrypted'])
    await visitor.get(`/api/vouchers/${number.replaceAll(' ', '')}/`)
    await visitor.get(`/api/products/?card=${number.replaceAll(' ', '')}`)
    await visitor.post('/api/activate/signup/', {
      full_name: 'Ana Rewi',
      email: 'ana@example.nz',
      password: 'korimako in the log',
      marketing_consent: true,
    })
    await visitor.post('/api/activate/pay/', { adyen_encrypted: undecryptableCard })
    await product.stop()
    const log = product.complaints().join('\n')
    expect(log).toContain('/api/activate/sim/')
    expect(log).not.toMatch(/4111[\s-]?1111|korimako|adyenjs/)
  })
})
