import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '#kit/server/db.ts'
import { migrate } from '#kit/server/migrate.ts'
import type { Service } from '#features/services/services.contract.ts'
import { logInAs } from '#quality/support/customer.ts'
import { activate, password } from '#quality/support/activation-journey.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { createMigrationFolder, removeMigrationFolders } from '#quality/conventions/migration-folder.ts'
import { buyAddOn, renew } from '#quality/support/purchases.ts'
import { registerCustomer } from '#quality/support/register-customer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newVisitor, type Visitor } from '#quality/support/visitor.ts'
import { migrations } from './prepare-database.ts'

removeMigrationFolders()
let world: KillTestWorld
let newer: Database
beforeAll(async () => {
  world = await startKillTestWorld()
  newer = await openDatabase({ url: world.databaseUrl ?? '' })
})
afterAll(async () => {
  await newer?.close()
  await world?.close()
})

async function expanding(): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations'`.execute(newer.db)
  const columns = rows.map(
    ({ name }) => `alter table ${name} add column new_text text, add column new_count integer not null default 0;\n`,
  )
  return {
    '0900_expand.sql': `${columns.join('')}create table news (id uuid primary key, order_id uuid references orders on delete cascade);\n`,
    '0901_index.sql':
      '-- no transaction\ncreate index concurrently if not exists orders_by_new on orders (new_text);\n',
  }
}

const contracting = {
  '0902_contract.sql':
    '-- needs: 0900\nalter table orders drop column full_name;\nalter table sessions rename column expires_at to ends_at;\n',
}

async function serviceOf(visitor: Visitor): Promise<{ id: string; shortId: string }> {
  const [service] = Object.values((await visitor.get('/api/services/')).body as Record<string, Service>)
  if (!service) throw new Error('there is no service')
  return { id: service.uuid, shortId: service.plan_short_id }
}

test('an older version of the application works on an expanded database schema, but refuses to start on a contracted one', async () => {
  const { visitor, email } = await registerCustomer(world, { plan: 'plan-30-5gb' })
  const service = await serviceOf(visitor)
  const expanded = await expanding()

  const [, during] = await Promise.all([
    migrate(newer, createMigrationFolder(expanded, { behind: migrations })),
    activate(world),
  ])
  expect(during.done.state).toBe('SUCCESSFUL')
  expect(await renew(world, visitor, service, { saved: true })).toMatchObject({ status: 200 })
  expect(await buyAddOn(world, visitor, await serviceOf(visitor), { saved: true })).toMatchObject({ status: 200 })
  expect((await activate(world)).done.state).toBe('SUCCESSFUL')

  const restarted = await world.anotherProduct()
  await restarted.start()
  const there = await logInAs({ ...world, visitor: () => newVisitor(restarted.url) }, { email, password })
  expect(await renew(world, there, await serviceOf(there), { saved: true })).toMatchObject({ status: 200 })
  await restarted.stop()
  expect([...world.product.complaints(), ...restarted.complaints()]).toEqual([])

  await migrate(newer, createMigrationFolder({ ...expanded, ...contracting }, { behind: migrations }))
  const line =
    /The database belongs to a newer version, and this version cannot use it: 0902_contract\.sql needs migration 0900, .+/
  const refused = await restarted.start().then(
    () => 'it started',
    (error: Error) => error.message,
  )
  expect(refused.trimEnd().split('\n')).toEqual([expect.stringMatching(line)])

  await pollUntil(async () => line.test(world.product.output()))
})
