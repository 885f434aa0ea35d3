import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { makeDatabase } from '#quality/support/database.ts'
import { openDatabase } from './db.ts'
import { evaluateDueConditions, isDueInRealTime } from './due-conditions.ts'

test('a due condition reads only an index, even when PostgreSQL expects many due rows that are stored last', async () => {
  const own = await makeDatabase(process.env['DATABASE_URL'] ?? '', { empty: true })
  onTestFinished(own.drop)
  const { db, close } = await openDatabase({ url: own.url })
  onTestFinished(close)
  await sql`create table parcels (due_at timestamptz)`.execute(db)
  await sql`insert into parcels
    select now() + case when n > 45000 then interval '-1 day' else interval '1 day' end from generate_series(1, 50000) as n`.execute(
    db,
  )
  await sql`create index parcels_due on parcels (due_at)`.execute(db)
  await sql`analyze parcels`.execute(db)

  const condition = isDueInRealTime('parcels', 'due_at')
  const at = { product: new Date(), real: new Date() }
  const { rows } = await sql<Record<string, string>>`explain select ${condition(at)}`.execute(db)
  expect(rows.flatMap((row) => Object.values(row)).join('\n')).not.toContain('Seq Scan')

  const isDue = () => evaluateDueConditions(db)([condition], Temporal.Now.instant())
  expect(await isDue()).toEqual([true])
  await sql`delete from parcels where due_at < now()`.execute(db)
  expect(await isDue()).toEqual([false])
  await sql`delete from parcels`.execute(db)
  expect(await isDue()).toEqual([false])
})
