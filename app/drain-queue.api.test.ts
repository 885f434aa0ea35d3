import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Db } from '#kit/server/db.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import { messageQueue } from '#features/messages/server/messages.store.ts'
import { orderQueue } from '#features/orders/server/orders.store.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { readResetLinks } from '#quality/support/reset-link.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { createDrainTasks } from './drain-queue.ts'
import { retryQueues } from './work-tables.ts'

const world = useWorld()

/** SQL that creates the previous version's job tables (pg-boss 12.35). */
const oldTables = `
  create schema pgboss;
  create type pgboss.job_state as enum ('created', 'retry', 'active', 'completed', 'cancelled', 'failed');
  create table pgboss.job (
    id uuid not null default gen_random_uuid(), name text not null, priority integer not null default 0, data jsonb,
    state pgboss.job_state not null default 'created', retry_limit integer not null default 20,
    retry_count integer not null default 0, start_after timestamptz not null default now(),
    created_on timestamptz not null default now(), started_on timestamptz, blocked boolean not null default false,
    primary key (name, id)
  ) partition by list (name);
  create table pgboss.job_common partition of pgboss.job default;
  create index job_i11 on pgboss.job_common (name, priority desc, created_on, start_after) where state < 'active' and not blocked`

beforeEach(async () => {
  for (const statement of oldTables.split(';')) await sql.raw(statement).execute(world().db)
})
afterEach(() => sql`drop schema pgboss cascade`.execute(world().db))

async function leave(name: string, data: object, state = 'created', secondsAgo = 0): Promise<void> {
  await sql`
    insert into pgboss.job (name, data, state, started_on, start_after)
    values (${name}, ${JSON.stringify(data)}::jsonb, ${sql.raw(`'${state}'`)}, now() - ${secondsAgo} * interval '1 second',
      now() + interval '1 hour')`.execute(world().db)
}
const left = async (db: Db): Promise<string[]> =>
  (await sql<{ name: string }>`select name from pgboss.job order by name`.execute(db)).rows.map(({ name }) => name)
const runAll = async (upkeep: Upkeep[]): Promise<void> => {
  for (const task of upkeep) await task.run()
}
const throwIt = (error: unknown): never => {
  throw error
}
const drained = async (isAlone = false): Promise<void> =>
  runAll(await createDrainTasks(world().deps, { isAlone, onError: throwIt }))

describe('jobs left in the previous version’s queue', () => {
  test('a job left by the previous version sends the password reset email exactly once', async () => {
    const { email } = await makeCustomer(world())
    const seal = world().deps.secrets.seal
    const requestId = crypto.randomUUID()
    const data = { sealedEmail: seal(email), sealedNext: seal('/'), requestId, sessionId: null }
    await leave('auth.password-reset', data)
    // The job is stored twice, because the previous version may run a job more than once.
    await leave('auth.password-reset', data, 'retry')
    await drained()
    await pollUntil(async () => (await readResetLinks(world(), email)).length > 0)
    await pollUntil(async () => (await world().deps.jobs.unfinished()) === 0)
    expect(await readResetLinks(world(), email)).toHaveLength(1)
    expect(await left(world().db)).toEqual([])
  })

  test('a job from the previous version queues the email to a customer’s new address', async () => {
    const { id, email } = await makeCustomer(world())
    const changeId = crypto.randomUUID()
    await world()
      .db.insertInto('email_changes')
      .values({
        id: changeId,
        user_id: id,
        new_email: `new-${email}`,
        state: 'VERIFIED',
        version: 1,
        pin_hash: '',
        pin_expires_at: new Date(),
        sent_to: 'a number',
        link_wanted: true,
        created_at: new Date(),
        ended_at: null,
        canceled_by: null,
        retry_at: null,
      })
      .execute()
    await leave('change-email.mail-new-address', { changeId }, 'retry')
    await drained()
    const message = await pollUntil(async () =>
      world().db.selectFrom('messages').select('subject').where('recipient', '=', `new-${email}`).executeTakeFirst(),
    )
    expect(message.subject).toMatch(/address/)
    const change = world().db.selectFrom('email_changes').select(['link_wanted', 'retry_at']).where('id', '=', changeId)
    expect(await change.execute()).toEqual([{ link_wanted: false, retry_at: null }])
  })

  const sent: [queue: string, key: string, until?: number][] = []
  const takenOver: [queue: string, data: object][] = []
  const spied = () => ({
    db: world().db,
    secrets: world().deps.secrets,
    jobs: {
      ...world().deps.jobs,
      send: async (_trx: unknown, { queue }: { queue: string }, key: string, lease?: number) =>
        void sent.push(lease === undefined ? [queue, key] : [queue, key, lease]),
      takeOver: (_trx: unknown, queue: string, data: object) => void takenOver.push([queue, data]),
      sendInMemory: (queue: string, data: object) => takenOver.push([queue, data]) > 0,
    },
  })

  test('jobs left by the previous version refer to the same database rows, even if the old queue used different field names', async () => {
    const keys: Record<string, string> = {
      'orders.advance': 'orderId',
      'orders.ask-again': 'id',
      'reconciliation.night': 'night',
      'payment-method.disable': 'removalId',
      'payment-method.resolve': 'updateId',
      'customers.erase': 'userId',
      'porting.follow': 'externalId',
      'stock.load-sims': 'loadId',
      'messages.send': 'messageId',
      'services.release': 'serviceId',
      'refunds.resolve': 'refundId',
    }
    for (const [queue, field] of Object.entries(keys)) await leave(queue, { [field]: `of ${queue}` })
    await leave(messageQueue.queue, { messageId: 'leased', until: 1_795_000_000_000 })
    const at = '2026-11-29T10:00:00Z'
    await leave('alerts.look', { serviceId: 'a', until: at })
    await leave('history.read-cycle', { serviceId: 'b', startsAt: at })
    await leave('error-reports.forward', { event: { id: 'c' } })
    await runAll(await createDrainTasks(spied(), { isAlone: false, onError: throwIt }))
    expect(sent.toSorted()).toEqual(
      [
        ...Object.keys(keys).map((queue) => [queue, `of ${queue}`]),
        [messageQueue.queue, 'leased', 1_795_000_000_000],
      ].toSorted(),
    )
    const own = ['auth.password-reset', 'change-email.mail-new-address']
    expect([...Object.keys(keys), ...own].toSorted()).toEqual(retryQueues.map(({ queue }) => queue).toSorted())
    expect(takenOver.toSorted()).toEqual([
      ['alerts.look', { serviceId: 'a', until: Temporal.Instant.from(at) }],
      ['error-reports.forward', { event: { id: 'c' } }],
      ['history.read-cycle', { serviceId: 'b', startsAt: Temporal.Instant.from(at) }],
    ])
    expect(await left(world().db)).toEqual([])
  })

  test('an unreadable job from the previous version is dropped and reported, and does not hold up other jobs', async () => {
    sent.length = 0
    await leave(orderQueue.queue, { orderId: crypto.randomUUID() })
    await leave('alerts.look', { serviceId: 'a', until: 'no time' })
    await leave('auth.password-reset', { requestId: 'no id' })
    await leave(orderQueue.queue, { orderId: crypto.randomUUID() })
    await expect(drained()).rejects.toThrow('2 jobs of the previous version were dropped')
    expect(await left(world().db)).toEqual([])
    const reported: string[] = []
    await leave('alerts.look', { serviceId: 'a', until: 'no time' })
    await createDrainTasks(world().deps, { isAlone: true, onError: (_error, name) => void reported.push(name) })
    expect(reported).toEqual(['jobs.left'])
  })

  test('a job that the previous version was running is taken over only once its process is certain to have died', async () => {
    sent.length = 0
    await leave(orderQueue.queue, { orderId: 'running' }, 'active', 60)
    await leave(orderQueue.queue, { orderId: 'dead' }, 'active', 130)
    await leave(orderQueue.queue, { orderId: 'done' }, 'completed', 130)
    await runAll(await createDrainTasks(spied(), { isAlone: false, onError: throwIt }))
    expect(sent).toEqual([['orders.advance', 'dead']])
    await createDrainTasks(spied(), { isAlone: true, onError: throwIt })
    expect(sent.slice(1)).toEqual([['orders.advance', 'running']])
    expect(await left(world().db)).toEqual(['orders.advance'])
  })
})

test('draining the old queue does nothing if the database has no queue tables from the previous version', async () => {
  await sql`drop schema pgboss cascade`.execute(world().db)
  expect(await createDrainTasks(world().deps, { isAlone: true, onError: throwIt })).toEqual([])
  await sql`create schema pgboss`.execute(world().db)
})
