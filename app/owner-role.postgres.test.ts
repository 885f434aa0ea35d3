import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#kit/server/db.ts'
import { systemActor } from '#kit/server/actor.ts'
import { migrate } from '#kit/server/migrate.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import { createRenewingCustomer, readCustomerSchedule, setAutoRenewal } from '#quality/support/auto-renewal.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { makeDatabase } from '#quality/support/database.ts'
import { createMigrationFolder, removeMigrationFolders } from '#quality/conventions/migration-folder.ts'
import { renew } from '#quality/support/purchases.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { startWorld, type World } from '#quality/support/world.ts'
import { migrations } from './prepare-database.ts'

removeMigrationFolders()
let database: Awaited<ReturnType<typeof makeDatabase>>
let urls: { owner: string; product: string }
let world: World

beforeAll(async () => {
  database = await makeDatabase(process.env['DATABASE_URL'] ?? '', { empty: true })
  urls = await database.makeRoles()
})
afterAll(async () => {
  await world?.close()
  await database?.drop()
})

async function runMigrate(
  env: Record<string, string>,
  args: string[] = [],
): Promise<{ code: number | null; said: string }> {
  const root = join(import.meta.dirname, '..')
  const child = spawn(process.execPath, ['app/migrate.ts', ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => void (said += text))
  const [code] = await once(child, 'close')
  return { code, said }
}

describe('the “npm run migrate” command', () => {
  test('“npm run migrate” reports a missing setting, an unknown option, and two URLs with the same role', async () => {
    expect(await runMigrate({})).toEqual({
      code: 1,
      said: 'DATABASE_URL is missing: this command can only migrate a PostgreSQL database.\n',
    })
    expect(await runMigrate({ DATABASE_URL: urls.product }, ['--now'])).toMatchObject({
      code: 1,
      said: expect.stringMatching(/^Unknown option --now\./),
    })
    expect(await runMigrate({ DATABASE_URL: urls.product, MIGRATION_DATABASE_URL: urls.product })).toMatchObject({
      code: 1,
      said: expect.stringContaining('DATABASE_URL must use a different role'),
    })
  })

  test('“npm run migrate” changes nothing if its role does not own the tables, and says which role must run it', async () => {
    expect(await runMigrate({ DATABASE_URL: urls.product })).toMatchObject({
      code: 1,
      said: expect.stringMatching(
        /^The database lacks 0001_ground.sql, and the role \w+_product does not own its tables: run/,
      ),
    })
  })

  test('“npm run migrate” creates all tables when the tables’ owner runs it, and can be run again', async () => {
    const env = { DATABASE_URL: urls.product, MIGRATION_DATABASE_URL: urls.owner }
    for (let time = 0; time < 2; time++)
      expect(await runMigrate(env)).toEqual({ code: 0, said: 'The database is ready for this version.\n' })
  })
})

describe('running with a database role that does not own the tables', () => {
  beforeAll(async () => {
    world = await startWorld({ env: { DATABASE_URL: urls.product, MIGRATION_DATABASE_URL: urls.owner } })
  })

  test('sales, renewals, refunds and background sweeps work with a database role that owns no tables', async () => {
    const refunded = await makeCustomer(world, { card: true, plan: 'plan-7-500mb' })
    const renewing = await createRenewingCustomer(world)
    const [service] = refunded.services
    if (!service) throw new Error('there is no service')
    const paying = { saved: true, product: 'plan-7-500mb' }
    expect(await renew(world, refunded.visitor, service, paying)).toMatchObject({ status: 200 })
    expect(await refundOrder(world.deps, service.orderCode, systemActor)).toMatchObject({ outcome: 'received' })
    await world.advance('P15D')
    const charges = world.db.selectFrom('orders').select('id').where('auto_renewal', '=', true)
    await pollUntil(async () => (await charges.where('state', '=', 'completed').execute()).length > 0)
    await setAutoRenewal(
      { ...renewing, service: { ...renewing.service, shortId: (await readCustomerSchedule(renewing)).short_id } },
      'DELETE',
    )
    await world.advance('P90D')
    const kept = world.db.selectFrom('services').select('id').where('released_at', 'is', null)
    await pollUntil(async () => (await kept.execute()).length === 0)
    expect(await findFaultsWhenIdle(world)).toEqual([])
  })

  test.each([
    'alter table orders add column x integer',
    'drop table orders',
    'truncate messages',
    'create index orders_by_state on orders (state)',
    'create table moas ()',
    'update audit_events set details = default',
    'delete from audit_events',
    'delete from gateway_notifications',
    'delete from invoices',
    "insert into migrations (name) values ('0900_moas.sql')",
    'delete from migrations',
    'alter table orders owner to current_user',
  ])('a role that owns no tables may not %s', async (statement) => {
    await expect(sql.raw(statement).execute(world.db)).rejects.toMatchObject({ code: '42501' })
  })

  test('the application’s database role does not own any tables', async () => {
    const owned = await sql`select relname from pg_class where relowner = current_user::regrole`.execute(world.db)
    expect(owned.rows).toEqual([])
  })

  test('the application starts without the database URL of the tables’ owner if no migration is pending', async () => {
    const alone = await startWorld({ env: { DATABASE_URL: urls.product } })
    expect((await alone.visitor().get('/api/account/')).status).toBe(200)
    await alone.close()
  })

  test('a pending migration that the application’s role cannot run is rejected, because the role does not own the tables', async () => {
    const newer = createMigrationFolder({ '0900_moas.sql': 'create table moas ();\n' }, { behind: migrations })
    const ours = await openDatabase({ url: urls.product })
    await expect(migrate(ours, newer)).rejects.toThrow(
      /^The database lacks 0900_moas.sql, and the role \w+_product does not own its tables/,
    )
    await ours.close()
  })
})
