import type { KyselyPlugin } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Db, transact } from '#kit/server/db.ts'
import { runAutoRenewal } from '#features/auto-renewal/server/steps.ts'
import type { Deps } from '#app/deps.ts'
import { makeRenewing, type Renewing } from '#testing/auto-renewal.ts'
import { copyService } from '#testing/copied-services.ts'
import { useWorld } from '#testing/world.ts'
import { runDueDeadlines } from './server/plan-life.ts'
import { insertQueuedPlan } from './server/queued-plans.store.ts'

// What is due for many services at the same time is done in batches. The world's own worker does it when its clock is there: here it is
// done before.

const world = useWorld()

/** Plans that end at the same time, of which so many are copies of the first. */
async function plans(count: number, enabled = false): Promise<{ first: Renewing; ids: string[] }> {
  const first = await makeRenewing(world(), { plan: 'plan-30-5gb', enabled })
  return { first, ids: [first.service.id, ...(await copyService(world(), first.service.id, count - 1))] }
}
const before = ({ expiry }: Renewing, days: number): Temporal.Instant =>
  expiry.subtract({ days }).withPlainTime({ hour: 9, minute: 1 }).toInstant()

/** What was written about these services, each message by its kind and by which of them it is about. */
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

/** A database that counts its statements, those of transactions too. */
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

describe('what is due for more services than are done together', () => {
  test('is done by several processes, each thing once', async () => {
    const { first, ids } = await plans(130)
    await Promise.all([1, 2, 3].map(() => runDueDeadlines(world().deps, before(first, 7))))
    expect(await dueFor(ids, 'ends-7')).toBe(0)
    const mails = await written(ids, 'plan-life:')
    expect(mails).toHaveLength(ids.length)
    expect(new Set(mails).size).toBe(ids.length)
    expect(await written(ids, 'plan-life-text:')).toHaveLength(ids.length)
  })

  test('is done by several processes, notices too', async () => {
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

  test('is done but for the one that is in trouble, which is done in the next round', async () => {
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
    await expect(runDueDeadlines(deps, before(first, 7))).rejects.toThrow('trouble')
    // With its batch, and by itself.
    expect(tries).toBe(2)
    const others = ids.filter((id) => id !== bad)
    expect(await written(others, 'plan-life:')).toHaveLength(others.length)
    expect(await written([bad], 'plan-life')).toEqual([])
    expect(await dueFor([bad], 'ends-7')).toBe(1)
    await runDueDeadlines(world().deps, before(first, 7))
    expect(await written([bad], 'plan-life:')).toHaveLength(1)
  })

  // The embedded database has one connection: nobody else has anything.
  test.skipIf(!process.env['DATABASE_URL'])(
    'is done but for a service that another has, for which none waits',
    async () => {
      const { first, ids } = await plans(3)
      await world()
        .db.transaction()
        .execute(async (trx) => {
          await trx.selectFrom('services').select('id').where('id', '=', ids[1]!).forUpdate().execute()
          await runDueDeadlines(world().deps, before(first, 7))
          expect(await dueFor(ids, 'ends-7')).toBe(1)
        })
      await runDueDeadlines(world().deps, before(first, 7))
      expect(await written(ids, 'plan-life:')).toHaveLength(3)
    },
  )

  test('begins next plans that wait, and tells the others that theirs are over', async () => {
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
    await Promise.all([1, 2].map(() => runDueDeadlines(world().deps, end.add({ seconds: 1 }))))
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

describe('the statements of a batch', () => {
  type Run = (deps: Deps, first: Renewing) => Promise<unknown>
  async function countOf(count: number, run: Run, enabled = false): Promise<number> {
    const { first } = await plans(count, enabled)
    const { db, statements } = counted(world().db)
    await run({ ...world().deps, db, atOnce: 1 }, first)
    return statements()
  }
  const most = 30
  /** So many messages are left to all processes, which is written down for all of them at once. */
  const handedOver = 1

  test('of reminders are as many for forty as for two', async () => {
    const remind = (deps: Deps, first: Renewing) => runDueDeadlines(deps, before(first, 7))
    const two = await countOf(2, remind)
    expect(two).toBeLessThan(most)
    expect(await countOf(40, remind)).toBe(two + handedOver)
  })

  test('of notices are as many for forty as for two', async () => {
    const notify = (deps: Deps, first: Renewing) => runAutoRenewal(deps, before(first, 3))
    const two = await countOf(2, notify, true)
    expect(two).toBeLessThan(most)
    expect(await countOf(40, notify, true)).toBe(two + handedOver)
  })
})
