import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { useWorld } from '#quality/support/world.ts'

// When plan reminders were introduced, a migration scheduled the reminders that active plans were still due.

const world = useWorld()
const migration = readFileSync(join(import.meta.dirname, '../../db/migrations/0024_reminders.sql'), 'utf8')
const statement = migration.slice(migration.indexOf('insert into service_deadlines'))

const remindersOf = async ({ service }: Subscriber): Promise<string[]> => {
  const rows = await world()
    .db.selectFrom('service_deadlines')
    .selectAll()
    .where('service_id', '=', service.id)
    .where('kind', 'in', ['ends-7', 'ends-3', 'ends-1'])
    .orderBy('due_at')
    .execute()
  return rows.map(({ kind, due_at: at }) => `${kind} ${at.toISOString()}`)
}
const forget = () =>
  world().db.deleteFrom('service_deadlines').where('kind', 'in', ['ends-7', 'ends-3', 'ends-1']).execute()
const migrate = () => sql.raw(statement).execute(world().db)
const endsAt = async ({ service }: Subscriber, local: string, zone: string): Promise<void> => {
  const at = Temporal.PlainDateTime.from(local).toZonedDateTime(zone).toInstant()
  const expires_at = new Date(at.epochMilliseconds)
  await world().db.updateTable('schedules').set({ expires_at }).where('service_id', '=', service.id).execute()
}

describe('reminders that the database migration schedules for active plans', () => {
  let week: Subscriber, quarter: Subscriber
  beforeAll(async () => {
    ;[week, quarter] = (await Promise.all(
      ['plan-7-500mb', 'plan-90-5gb'].map((plan) => makeSubscriber(world(), { plan })),
    )) as [Subscriber, Subscriber]
  })

  test('the database migration schedules the same reminders for an active plan as for a new plan', async () => {
    const before = [await remindersOf(week), await remindersOf(quarter)]
    expect(before.map((all) => all.length)).toEqual([1, 3])
    await forget()
    await migrate()
    expect([await remindersOf(week), await remindersOf(quarter)]).toEqual(before)
  })

  test.each([
    ['Pacific/Auckland', '2031-04-09T00:00'],
    ['Australia/Sydney', '2031-04-09T00:00'],
    ['Australia/Sydney', '2031-10-09T00:00'],
  ])(
    'reminders scheduled by the migration are due at 9 am in %s before and after the daylight saving change before %s',
    async (zone, end) => {
      await forget()
      await endsAt(quarter, end, zone)
      await migrate()
      const hours = (await remindersOf(quarter)).map((each) =>
        Temporal.Instant.from(each.split(' ')[1] ?? '')
          .toZonedDateTimeISO(zone)
          .toPlainTime()
          .toString(),
      )
      expect(hours).toEqual(['09:00:00', '09:00:00', '09:00:00'])
    },
  )

  test('the database migration skips reminders whose time has passed and services that have been released', async () => {
    await forget()
    const now = world().deps.clock.now().toZonedDateTimeISO('Pacific/Auckland')
    await endsAt(quarter, now.toPlainDate().add({ days: 2 }).toString(), 'Pacific/Auckland')
    await world()
      .db.updateTable('services')
      .set({ released_at: new Date() })
      .where('id', '=', week.service.id)
      .execute()
    await migrate()
    expect((await remindersOf(quarter)).map((each) => each.split(' ')[0])).toEqual(['ends-1'])
    expect(await remindersOf(week)).toEqual([])
  })
})
