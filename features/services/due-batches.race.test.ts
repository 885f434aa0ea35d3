import { type KyselyPlugin, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Db, transact } from '#kit/server/db.ts'
import { messageJobs } from '#features/messages/server/messages.jobs.ts'
import { notifiedProductsQueryPart } from '#features/auto-renewal/server/auto-renewal.store.ts'
import { endedChargesQuery } from '#features/auto-renewal/server/charges.store.ts'
import type { Deps } from '#app/deps.ts'
import { createRenewingCustomer, type RenewingCustomer, runAutoRenewal } from '#quality/support/auto-renewal.ts'
import { copyService } from '#quality/support/copied-services.ts'
import { withHeldMessages } from '#quality/support/held-messages.ts'
import { useWorld } from '#quality/support/world.ts'
import { processDueDeadlines } from './server/plan-life.ts'
import { insertQueuedPlan } from './server/queued-plans.store.ts'

// Work that is due for many services is done in batches, which these tests run before the background worker can.

const world = useWorld()

async function plans(count: number, enabled = false): Promise<{ first: RenewingCustomer; ids: string[] }> {
  const first = await createRenewingCustomer(world(), { plan: 'plan-30-5gb', enabled })
  return { first, ids: [first.service.id, ...(await copyService(world(), first.service.id, count - 1))] }
}
const before = ({ expiry }: RenewingCustomer, days: number): Temporal.Instant =>
  expiry.subtract({ days }).withPlainTime({ hour: 9, minute: 1 }).toInstant()

async function written(ids: string[], what: string): Promise<string[]> {
  const rows = await world()
    .db.selectFrom('messages')
    .select('event_key')
    .where('event_key', 'like', `${what}%`)
    .where(({ eb, or }) => or([eb('ref', 'in', ids), eb('service_id', 'in', ids)]))
    .execute()
  return rows.map((row) => row.event_key)
}
const dueFor = async (ids: string[], kind: 'ends-7' | 'expiry'): Promise<number> => {
  const rows = await world()
    .db.selectFrom('service_deadlines')
    .select('service_id')
    .where('service_id', 'in', ids)
    .where('kind', '=', kind)
    .execute()
  return rows.length
}

const chargesOf = (ids: string[]) =>
  world()
    .db.selectFrom('orders')
    .select(['id', 'order_code', 'service_id'])
    .where('service_id', 'in', ids)
    .where('auto_renewal', '=', true)
    .execute()
const idsOf = (rows: { id: string }[]): string[] => rows.map(({ id }) => id)
const byOrder = (one: { order_id: string }, other: { order_id: string }): number =>
  one.order_id < other.order_id ? -1 : 1

function counted(db: Db): { db: Db; statements(): number } {
  let count = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      count++
      return result
    },
  }
  return { db: db.withPlugin(plugin), statements: () => count }
}

type Run = (deps: Deps, first: RenewingCustomer) => Promise<unknown>
async function countOf(count: number, run: Run, enabled = false): Promise<number> {
  const { first } = await plans(count, enabled)
  const { db, statements } = counted(world().db)
  await run({ ...world().deps, db, atOnce: 1 }, first)
  return statements()
}
const most = 30

describe('due reminders and notices for more services than fit into a batch', () => {
  test('concurrent processes send each reminder of a plan’s end once', async () => {
    const { first, ids } = await plans(130)
    await Promise.all([1, 2, 3].map(() => processDueDeadlines(world().deps, before(first, 7))))
    expect(await dueFor(ids, 'ends-7')).toBe(0)
    const mails = await written(ids, 'plan-life:')
    expect(mails).toHaveLength(ids.length)
    expect(new Set(mails).size).toBe(ids.length)
    expect(await written(ids, 'plan-life-text:')).toHaveLength(ids.length)
  })

  test('concurrent processes send each auto-renewal notice once', async () => {
    const { first, ids } = await plans(130, true)
    await Promise.all([1, 2, 3].map(() => runAutoRenewal(world().deps, before(first, 3))))
    expect(await written(ids, 'auto-renewal-text:notice:')).toHaveLength(ids.length)
    const steps = await world()
      .db.selectFrom('auto_renewals')
      .select(['step', 'notified_cents'])
      .where('service_id', 'in', ids)
      .execute()
    expect(new Set(steps.map(({ step }) => step))).toEqual(new Set(['charge']))
    expect(new Set(steps.map(({ notified_cents: cents }) => cents)).size).toBe(1)
    expect(steps[0]?.notified_cents).toBeGreaterThan(0)
  })

  test('a reminder that fails does not affect other services, and is sent in the next run', async () => {
    const { first, ids } = await plans(60)
    const bad = ids[30]!
    const { remindOfEnds } = world().deps
    let tries = 0
    const deps: Deps = {
      ...world().deps,
      atOnce: 1,
      async remindOfEnds(trx, ending, now) {
        const unsaid = await remindOfEnds(trx, ending, now)
        if (ending.some(({ service }) => service.id === bad) && tries++ < 9) throw new Error('trouble')
        return unsaid
      },
    }
    await expect(processDueDeadlines(deps, before(first, 7))).rejects.toThrow('trouble')
    expect(tries).toBe(2)
    const others = ids.filter((id) => id !== bad)
    expect(await written(others, 'plan-life:')).toHaveLength(others.length)
    expect(await written([bad], 'plan-life')).toEqual([])
    expect(await dueFor([bad], 'ends-7')).toBe(1)
    await processDueDeadlines(world().deps, before(first, 7))
    expect(await written([bad], 'plan-life:')).toHaveLength(1)
  })

  // The embedded database has a single connection, so no other transaction can hold a lock.
  test.skipIf(!process.env['DATABASE_URL'])(
    'a batch of due reminders skips a service that another transaction has locked',
    async () => {
      const { first, ids } = await plans(3)
      await world()
        .db.transaction()
        .execute(async (trx) => {
          await trx.selectFrom('services').select('id').where('id', '=', ids[1]!).forUpdate().execute()
          await processDueDeadlines(world().deps, before(first, 7))
          expect(await dueFor(ids, 'ends-7')).toBe(1)
        })
      await processDueDeadlines(world().deps, before(first, 7))
      expect(await written(ids, 'plan-life:')).toHaveLength(3)
    },
  )

  test('when many plans end at once, queued plans start, and only customers without a queued plan get a message', async () => {
    const { first, ids } = await plans(60)
    const waiting = ids.filter((_, at) => at % 3 === 0)
    const { product_id: productId } = await world()
      .db.selectFrom('schedules')
      .select('product_id')
      .where('service_id', '=', first.service.id)
      .executeTakeFirstOrThrow()
    const end = first.expiry.toInstant()
    for (const id of waiting) {
      const { order_id: orderId } = await world()
        .db.selectFrom('services')
        .select('order_id')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      await transact(world().db, (trx) =>
        insertQueuedPlan(trx, id, { orderId, productId, lengthDays: 30, startsAt: end }),
      )
    }
    await world()
      .db.deleteFrom('service_deadlines')
      .where('service_id', 'in', ids)
      .where('kind', 'in', ['ends-7', 'ends-3', 'ends-1'])
      .execute()
    await Promise.all([1, 2].map(() => processDueDeadlines(world().deps, end.add({ seconds: 1 }))))
    const plansNow = await world()
      .db.selectFrom('schedules')
      .select(['service_id', 'expires_at'])
      .where('service_id', 'in', ids)
      .execute()
    const running = plansNow.filter(({ expires_at: at }) => at.getTime() > end.epochMilliseconds)
    expect(running.map((row) => row.service_id).toSorted()).toEqual(waiting.toSorted())
    expect(await dueFor(waiting, 'expiry')).toBe(waiting.length)
    const over = ids.filter((id) => !waiting.includes(id))
    expect(await written(ids, 'plan-life:')).toHaveLength(over.length)
    expect(await written(over, 'plan-life:')).toHaveLength(over.length)
    const cycles = await world()
      .db.selectFrom('cycle_usage')
      .select('service_id')
      .where('service_id', 'in', waiting)
      .where('starts_at', '=', new Date(end.epochMilliseconds))
      .execute()
    expect(cycles).toHaveLength(waiting.length)
  })
})

describe('number of SQL statements per batch', () => {
  test('a batch of reminders takes the same number of SQL statements for 40 services as for 2', async () => {
    const remind = (deps: Deps, first: RenewingCustomer) => processDueDeadlines(deps, before(first, 7))
    const two = await countOf(2, remind)
    expect(two).toBeLessThan(most)
    expect(await countOf(40, remind)).toBe(two)
  })

  test('a batch of auto-renewal notices takes the same number of SQL statements for 40 services as for 2', async () => {
    const notify = (deps: Deps, first: RenewingCustomer) => runAutoRenewal(deps, before(first, 3))
    const two = await countOf(2, notify, true)
    expect(two).toBeLessThan(most)
    expect(await countOf(40, notify, true)).toBe(two)
  })

  test('sending queued messages takes the same number of SQL statements for 40 messages as for 4', async () => {
    async function countOfSends(count: number): Promise<number> {
      const { first, ids } = await plans(count)
      const { db, statements } = counted(world().db)
      await withHeldMessages(world().db, () => processDueDeadlines({ ...world().deps, atOnce: 1 }, before(first, 7)))
      const waiting = await world()
        .db.selectFrom('messages')
        .select('id')
        .where('event_key', 'like', 'plan-life%')
        .where(({ eb, or }) => or([eb('ref', 'in', ids), eb('service_id', 'in', ids)]))
        .execute()
      expect(waiting).toHaveLength(2 * count)
      const clock = { ...world().deps.clock, now: () => before(first, 7) }
      const sent: string[] = []
      const sender = { send: async ({ messageId }: { messageId: string }) => (sent.push(messageId), 'sent' as const) }
      const [job] = messageJobs({ ...world().deps, db, clock, mail: sender, sms: sender })
      await Promise.all(waiting.map(({ id }) => job!.run({ key: id } as never)))
      expect(new Set(sent).size).toBe(2 * count)
      const left = await world()
        .db.selectFrom('messages')
        .select('id')
        .where('id', 'in', idsOf(waiting))
        .where('sent_at', 'is', null)
        .execute()
      expect(left).toEqual([])
      return statements()
    }
    const four = await countOfSends(2)
    expect(four).toBeLessThan(6)
    expect(await countOfSends(20)).toBe(four)
  })
})

// Keep these tests last: their charges stay recorded for a while and would change the counts in the tests above.
describe('auto-renewal charges that are due for many services', () => {
  test('concurrent processes make each auto-renewal charge once, with the announced amount and the saved card', async () => {
    const { first, ids } = await plans(60, true)
    await runAutoRenewal(world().deps, before(first, 3))
    await Promise.all([1, 2, 3].map(() => runAutoRenewal(world().deps, before(first, 1))))
    const orders = await chargesOf(ids)
    expect(orders.map((order) => order.service_id).toSorted()).toEqual(ids.toSorted())
    const told = await world()
      .db.selectFrom('auto_renewals')
      .select(['notified_cents', 'charge_order_id', 'step', 'attempts'])
      .where('charge_order_id', 'in', idsOf(orders))
      .execute()
    expect(told).toHaveLength(ids.length)
    expect(new Set(told.map(({ step, attempts }) => `${step} ${attempts}`))).toEqual(new Set(['charge 1']))
    const attempts = await world()
      .db.selectFrom('payment_attempts')
      .select(['order_id', 'reference', 'amount_cents', 'stored_card_id', 'created_at', 'resolve_by'])
      .where('order_id', 'in', idsOf(orders))
      .execute()
    const { stored_id: card } = await world()
      .db.selectFrom('saved_cards')
      .select('stored_id')
      .where('user_id', '=', first.customer.id)
      .executeTakeFirstOrThrow()
    // Each charge has 30 minutes to be resolved, because the last one may have to wait for all the others.
    expect(Math.min(...attempts.map(({ created_at: at, resolve_by: by }) => by.getTime() - at.getTime()))).toBe(
      30 * 60_000,
    )
    const kept = attempts.map(({ created_at: _at, resolve_by: _by, ...attempt }) => attempt)
    expect(kept.toSorted(byOrder)).toEqual(
      orders
        .map(({ id, order_code: code }) => ({
          order_id: id,
          reference: `${code}-1`,
          amount_cents: told[0]?.notified_cents,
          stored_card_id: card,
        }))
        .toSorted(byOrder),
    )
    const placed = await world()
      .db.selectFrom('order_events')
      .select(['order_id', 'to_state'])
      .where('order_id', 'in', idsOf(orders))
      .where('name', '=', 'placed')
      .execute()
    expect(placed.toSorted(byOrder)).toEqual(
      idsOf(orders)
        .toSorted()
        .map((id) => ({ order_id: id, to_state: 'paying' })),
    )
  })

  test('an auto-renewal charge that fails does not affect other services, and is made in the next run', async () => {
    const { first, ids } = await plans(8, true)
    await runAutoRenewal(world().deps, before(first, 3))
    const bad = ids[4]!
    const { order_id: orderId, product_id: productId } = await world()
      .db.selectFrom('schedules')
      .select(['order_id', 'product_id'])
      .where('service_id', '=', bad)
      .executeTakeFirstOrThrow()
    const waiting = { orderId, productId, lengthDays: 30, startsAt: first.expiry.toInstant() }
    await transact(world().db, (trx) => insertQueuedPlan(trx, bad, waiting))
    const log = { ...world().deps.log, error: () => {} }
    expect(await runAutoRenewal({ ...world().deps, log }, before(first, 1))).toBe(false)
    const others = ids.filter((id) => id !== bad)
    expect((await chargesOf(ids)).map((order) => order.service_id).toSorted()).toEqual(others.toSorted())
    await world().db.deleteFrom('queued_plans').where('service_id', '=', bad).execute()
    expect(await runAutoRenewal(world().deps, before(first, 1))).toBe(true)
    expect(await chargesOf([bad])).toHaveLength(1)
  })

  test('auto-renewal charges take the same number of SQL statements for 40 services as for 2', async () => {
    const charge = async (deps: Deps, first: RenewingCustomer) => {
      await runAutoRenewal(world().deps, before(first, 3))
      await world().db.updateTable('auto_renewals').set({ charge_order_id: null }).execute()
      await runAutoRenewal(deps, before(first, 1))
    }
    const two = await countOf(2, charge, true)
    expect(two).toBeLessThan(most)
    expect(await countOf(40, charge, true)).toBe(two)
  })
})

describe('query plans in a database with thousands of services', () => {
  test('the query for products announced by auto-renewal notices searches by service ID, even with outdated table statistics', async () => {
    const { first, ids } = await plans(2_000, true)
    const { db } = world()
    const those = sql`service_id = any(${ids}::uuid[])`
    await sql`analyze auto_renewals`.execute(db)
    const { product_id: product } = await db
      .selectFrom('schedules')
      .select('product_id')
      .where('service_id', '=', first.service.id)
      .executeTakeFirstOrThrow()
    await sql`update auto_renewals set notified_product_id = ${product} where ${those}`.execute(db)
    const some = { listed: ids.slice(0, 50).join() }
    const plan = JSON.stringify(await notifiedProductsQueryPart(db, some).rows.explain('json'))
    expect(plan).toContain('"Index Cond":"(service_id = ANY')
    expect(plan).not.toContain('auto_renewals_by_notified_product')
  })
})

test('the query for completed auto-renewal charges finds orders by ID, even if most orders are charges in progress', async () => {
  const { ids } = await plans(2_000, true)
  const undone = new Error('as it was')
  let plan = ''
  const trying = world()
    .db.transaction()
    .execute(async (trx) => {
      await sql`
      update auto_renewals set charge_order_id = order_id from services
      where services.id = service_id and services.id = any(${ids}::uuid[])`.execute(trx)
      for (const table of ['auto_renewals', 'orders']) await sql`analyze ${sql.table(table)}`.execute(trx)
      plan = JSON.stringify(await endedChargesQuery(trx, 100).explain('json'))
      throw undone
    })
  await expect(trying).rejects.toThrow(undone)
  expect(plan).toContain('"Index Cond":"(id = auto_renewals.charge_order_id)"')
  expect(plan).not.toMatch(/"Node Type":"Seq Scan"[^{}]*"Relation Name":"orders"/)
})
