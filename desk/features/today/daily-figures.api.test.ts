import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { realNow, toDate } from '#kit/server/clock.ts'
import { activate } from '#quality/support/activation-journey.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { aTool } from '#quality/support/operator.ts'
import { useWorld } from '#quality/support/world.ts'
import { dailyFiguresSweep } from './server/daily-figures.ts'
import { type MinuteFigures, getMinuteOfDay, getLastFinishedDay, sumMinuteFigures } from './server/minute-figures.ts'
import { createFiguresReader, readMinutes, type CurrentFiguresDeps } from './server/figures.ts'
import { findDailyFigures, readCurrentFigures } from './server/figures.store.ts'

const dataDir = createDataFolder('fantail-figures-')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const world = useWorld({ env: { DATA_DIR: dataDir } })
const { run } = aTool(dataDir)

const deps = (): CurrentFiguresDeps => world().deps
const today = () => deps().clock.now().toZonedDateTimeISO(deps().market.zone).startOfDay()

type Sale = { at: Temporal.Instant; kind: string; isAuto: boolean; cents: number; payment: string; given: number }
const sales: Sale[] = []
let model = ''

async function sell({ at, kind, isAuto, cents, payment, given }: Sale): Promise<string> {
  const { db } = world()
  const [id, code] = [randomUUID(), `FT${randomUUID().replaceAll('-', '').slice(0, 10).toUpperCase()}`]
  const own = { id, order_code: code, kind, auto_renewal: isAuto, amount_cents: cents, completed_at: at.toString() }
  const order = { ...own, idempotency_key: null, renews_order_id: null, schedule_id: null }
  await sql`insert into orders select copy.* from orders as first,
    jsonb_populate_record(null::orders, to_jsonb(first) || ${JSON.stringify(order)}::jsonb) as copy
    where first.id = ${model}`.execute(db)
  const attempt = { id: randomUUID(), order_id: id, reference: `${code}-1`, idempotency_key: randomUUID() }
  const paid = { ...attempt, state: payment, created_at: at.toString() }
  await sql`insert into payment_attempts select copy.* from payment_attempts as first,
    jsonb_populate_record(null::payment_attempts, to_jsonb(first) || ${JSON.stringify(paid)}::jsonb) as copy
    where first.order_id = ${model}`.execute(db)
  if (given > 0)
    await sql`insert into refunds (id, order_id, attempt, reference, idempotency_key, state, amount_cents, psp_reference, created_at)
      values (${randomUUID()}, ${id}, 1, ${`${code}-1-refund`}, ${randomUUID()}, 'received', ${given}, ${code}, ${toDate(at)})`.execute(
      db,
    )
  return attempt.id
}

let seed = 42
const upTo = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most
const oneOf = <T>(these: readonly T[]): T => these[upTo(these.length)] as T

const aSale = (at: Temporal.Instant): Sale => {
  const payment = oneOf(['captured', 'captured', 'refused', 'unknown'])
  return {
    at,
    kind: oneOf(['activation', 'recharge', 'addon']),
    isAuto: upTo(2) === 0,
    cents: 100 * upTo(90),
    payment,
    given: upTo(4) === 0 ? 1 + upTo(500) : 0,
  }
}

const changes = (): Temporal.ZonedDateTime[] => {
  const last = today().getTimeZoneTransition('previous')
  const before = last?.getTimeZoneTransition('previous')
  if (!last || !before) throw new Error('clocks are never set here')
  return [before.startOfDay(), last.startOfDay()]
}

beforeAll(async () => {
  const { orderCode } = await activate(world())
  const order = await world()
    .db.selectFrom('orders')
    .select('id')
    .where('order_code', '=', orderCode)
    .executeTakeFirstOrThrow()
  model = order.id
  for (const day of changes())
    for (let each = 0; each < 60; each += 1) {
      const seconds = each < 4 ? (each - 1) * 86_400 : upTo(3 * 90_000) - 90_000
      sales.push(aSale(day.add({ seconds }).toInstant()))
    }
  for (const sale of sales) await sell(sale)
})

function countedByHand(from: Temporal.ZonedDateTime, to: Temporal.ZonedDateTime): Omit<MinuteFigures, 'minute'> {
  const those = sales.filter(
    ({ at }) => at.epochMilliseconds >= from.epochMilliseconds && at.epochMilliseconds < to.epochMilliseconds,
  )
  const count = (is: (sale: Sale) => boolean): number => those.filter(is).length
  const sum = (of: (sale: Sale) => number): number => those.reduce((all, sale) => all + of(sale), 0)
  return {
    activated: count(({ kind }) => kind === 'activation'),
    renewed: count(({ kind }) => kind === 'recharge'),
    by_themselves: count(({ kind, isAuto }) => kind === 'recharge' && isAuto),
    addons: count(({ kind }) => kind === 'addon'),
    taken_cents: sum(({ cents }) => cents),
    given_cents: sum(({ given }) => given),
    asked: count(({ payment }) => payment !== 'unknown'),
    refused: count(({ payment }) => payment === 'refused'),
  }
}

const dayOf = (begins: Temporal.ZonedDateTime) => ({ begins, now: begins, ends: begins.add({ days: 1 }) })
const rowOf = (day: Temporal.ZonedDateTime | Temporal.PlainDate) =>
  world()
    .db.selectFrom('daily_figures')
    .selectAll()
    .where(sql<boolean>`day = ${day.toString().slice(0, 10)}::date`)
    .executeTakeFirst()

test('stored daily figures match a manual count of the day and of each half hour, even across a daylight-saving change', async () => {
  const [first, second] = changes() as [Temporal.ZonedDateTime, Temporal.ZonedDateTime]
  const from = first.subtract({ days: 2 })
  const days = [first, second].flatMap((day) => [-1, 0, 1].map((by) => day.add({ days: by })))
  const live = await Promise.all(days.map((day) => readMinutes(deps(), dayOf(day))))
  const { exit, said } = await run(`figures rebuild --from ${from.toPlainDate().toString()}`)
  expect(exit).toBe(0)
  expect(said[0]).toMatch(/^\d+ days recalculated\.$/)
  expect(days.map((day) => day.hoursInDay)).toEqual(expect.arrayContaining([23, 25]))
  let sold = 0
  for (const [at, day] of days.entries()) {
    const written = await findDailyFigures(world().db, day.toPlainDate().toString())
    expect(written).toEqual(live[at])
    expect(sumMinuteFigures(written ?? [])).toEqual(countedByHand(day, day.add({ days: 1 })))
    const row = await rowOf(day)
    const { by_themselves, asked, refused, ...sums } = sumMinuteFigures(written ?? [])
    expect({ ...row, taken_cents: Number(row?.taken_cents), given_cents: Number(row?.given_cents) }).toMatchObject({
      ...sums,
      renewed_by_themselves: by_themselves,
      payments_asked: asked,
      payments_refused: refused,
    })
    sold += sums.taken_cents
    for (let hour = 0; hour < 24; hour += 1) {
      const until = day.with({ hour, minute: 30 })
      expect(sumMinuteFigures(written ?? [], getMinuteOfDay({ begins: day }, until))).toEqual(
        countedByHand(day, until.add({ minutes: 1 })),
      )
    }
  }
  expect(sold).toBeGreaterThan(0)
})

test('rebuilding daily figures rejects an invalid day, and does nothing if the day is not over yet', async () => {
  expect(await run('figures rebuild --from 2026-02-30')).toMatchObject({
    exit: 1,
    complaints: ['Write a day like 2026-12-01.'],
  })
  const { exit, said } = await run(`figures rebuild --from ${today().toPlainDate().toString()}`)
  expect({ exit, said }).toEqual({ exit: 0, said: ['There are no past days to recalculate.'] })
})

test('the daily figures job stores each missing day once, and a later count includes late payment results', async () => {
  const { db } = world()
  const sweep = dailyFiguresSweep(deps())
  const over = getLastFinishedDay(deps().clock.now(), deps().market.zone)
  await sweep.run(deps().clock.now())
  expect(await sweep.next()).toBe(null)
  const later = { now: () => deps().clock.now().add({ hours: 48 }), offset: () => 0 }
  const due = await dailyFiguresSweep({ ...deps(), clock: later }).next()
  expect(due?.toZonedDateTimeISO(deps().market.zone).toPlainTime().toString()).toBe('00:10:00')
  const noon = over.toZonedDateTime({ timeZone: deps().market.zone, plainTime: '12:00' }).toInstant()
  const payment = await sell({ ...aSale(noon), payment: 'unknown' })
  await db
    .deleteFrom('daily_figures')
    .where(sql<boolean>`day > ${over.subtract({ days: 4 }).toString()}::date`)
    .execute()
  await Promise.all([sweep.run(deps().clock.now()), sweep.run(deps().clock.now())])
  const rows = await db
    .selectFrom('daily_figures')
    .select(sql<string>`day::text`.as('day'))
    .where(sql<boolean>`day > ${over.subtract({ days: 4 }).toString()}::date`)
    .orderBy('day')
    .execute()
  expect(rows.map(({ day }) => day)).toEqual([3, 2, 1, 0].map((days) => over.subtract({ days }).toString()))
  const first = await rowOf(over)
  await sweep.run(deps().clock.now())
  expect(await rowOf(over)).toEqual(first)
  await db.updateTable('payment_attempts').set({ state: 'refused' }).where('id', '=', payment).execute()
  await db
    .deleteFrom('daily_figures')
    .where(sql<boolean>`day = ${over.toString()}::date`)
    .execute()
  await sweep.run(deps().clock.now())
  expect((await rowOf(over))?.payments_refused).toBe((first?.payments_refused ?? 0) + 1)
})

test('at most every 15 seconds, one process counts today’s figures, and all processes use the result', async () => {
  const [one, other] = [createFiguresReader(deps()), createFiguresReader(deps())]
  const activated = async (of: typeof one) => sumMinuteFigures((await of()).present.minutes).activated
  const before = await activated(one)
  await sell({ ...aSale(realNow()), at: deps().clock.now(), kind: 'activation', given: 0 })
  expect(await Promise.all([activated(one), activated(other), activated(other)])).toEqual([before, before, before])
  const age = (change: object) => world().db.updateTable('present_figures').set(change).execute()
  const old = toDate(realNow().subtract({ seconds: 16 }))
  await age({ counted_at: old, counting_since: toDate(realNow()) })
  expect(await activated(other)).toBe(before)
  await age({ counting_since: toDate(realNow().subtract({ seconds: 11 })) })
  expect(await activated(other)).toBe(before + 1)
  expect(await activated(one)).toBe(before + 1)
  expect(await readCurrentFigures(world().db)).toMatchObject({ figures: { day: today().toPlainDate().toString() } })
})
