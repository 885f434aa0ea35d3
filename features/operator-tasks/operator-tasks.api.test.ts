import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { fromDate, realNow, toDate } from '#kit/server/clock.ts'
import { transact } from '#kit/server/db.ts'
import { queueMail } from '#features/messages/server/messages.ts'
import { reportOverdueOrders } from '#features/orders/server/due-orders.store.ts'
import { importSims } from '#features/services/server/sim-packs.store.ts'
import { makeSubscriber } from '#quality/support/customer.ts'
import { activate, portForm, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { clearFailures, failNetwork, newPortableNumber } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import { endTask, endMatchingTasks, type NewTask, createTask, syncTasks } from './server/operator-tasks.store.ts'
import { createOutageMonitor } from './server/outage-monitor.ts'

const operator = newEmail()
const world = useWorld({
  env: { OPERATOR_MAIL: operator, SIM_STOCK_LEVEL: '500' },
  thresholds: { lookMs: 200 },
})

const tasksOf = (kind: string) =>
  world()
    .db.selectFrom('operator_tasks')
    .select(['id', 'subject', 'reason', 'done_at', 'done_by', 'over_at'])
    .where('kind', '=', kind as NewTask['kind'])
    .orderBy('created_at')
    .execute()
const aTask = (reason: string = crypto.randomUUID()) =>
  ({ kind: 'finding', subject: crypto.randomUUID(), reason }) satisfies NewTask
const about = ({ subject }: { subject: string }) => ({ kind: 'finding', subject }) as const
const copiesOf = async ({ subject }: { subject: string }) =>
  (await tasksOf('finding')).filter((task) => task.subject === subject)

describe('opening and closing operator tasks', () => {
  test('a task is opened only once, is closed when its cause ends, and is opened again if the cause returns', async () => {
    const task = aTask()
    await createTask(world().db, task)
    await createTask(world().db, task)
    expect(await copiesOf(task)).toMatchObject([{ done_at: null }])
    await endMatchingTasks(world().db, about(task))
    const ended = await copiesOf(task)
    expect(ended).toMatchObject([{ done_by: 'system', done_at: expect.any(Date), over_at: expect.any(Date) }])
    await endMatchingTasks(world().db, about(task))
    expect(await copiesOf(task)).toEqual(ended)
    await createTask(world().db, task)
    expect(await copiesOf(task)).toMatchObject([{ done_by: 'system' }, { done_at: null }])
  })

  test('a task that somebody has closed is opened again only if its cause ends and then returns', async () => {
    const task = aTask()
    await createTask(world().db, task)
    const [{ id } = { id: '' }] = await copiesOf(task)
    await endTask(world().db, id, { name: 'operator:mere', note: null })
    await createTask(world().db, task)
    expect(await copiesOf(task)).toMatchObject([{ done_by: 'operator:mere', over_at: null }])
    await endMatchingTasks(world().db, about(task))
    expect(await copiesOf(task)).toMatchObject([{ done_by: 'operator:mere', over_at: expect.any(Date) }])
    await createTask(world().db, task)
    expect(await copiesOf(task)).toMatchObject([{ done_by: 'operator:mere' }, { done_at: null }])
  })

  test('concurrent reports of the same problem open only one task', async () => {
    const task = aTask()
    await Promise.all([1, 2, 3].map(() => createTask(world().db, task)))
    expect(await copiesOf(task)).toHaveLength(1)
  })

  test('setTasks() opens the given tasks and closes all other tasks of the same kind', async () => {
    const [one, other] = [aTask(), aTask()].map((task) => ({ ...task, kind: 'dispute' as const }))
    if (!one || !other) throw new Error('there are two')
    const open = async () => (await tasksOf('dispute')).filter((task) => !task.done_at).map(({ subject }) => subject)
    await syncTasks(world().db, { kind: 'dispute' }, [one, other])
    await syncTasks(world().db, { kind: 'dispute' }, [one, other])
    expect((await open()).toSorted()).toEqual([one.subject, other.subject].toSorted())
    await syncTasks(world().db, { kind: 'dispute' }, [other])
    expect(await open()).toEqual([other.subject])
    await syncTasks(world().db, { kind: 'dispute' }, [])
    expect(await open()).toEqual([])
    expect(await tasksOf('dispute')).toHaveLength(2)
  })
})

describe('causes of operator tasks', () => {
  test(
    'a task is opened if SIM stock is low, and is closed when more SIM packs are loaded',
    { tags: ['slow'] },
    async () => {
      expect(await pollUntil(async () => (await tasksOf('stock'))[0])).toMatchObject({
        subject: 'sims',
        reason: 'fewer than 500 unused SIM packs are left',
        done_at: null,
      })
      const packs = Array.from({ length: 500 }, (_, at) => ({
        iccid: `896403277${String(at).padStart(10, '0')}`,
        msisdn: `+6420777${String(at).padStart(5, '0')}`,
      }))
      await importSims(world().db, packs)
      expect(await pollUntil(async () => (await tasksOf('stock'))[0]?.done_by)).toBe('system')
    },
  )

  test(
    'a task is opened if the network reports no progress of a number transfer for a day, and is closed after a new report',
    { tags: ['slow'], timeout: 60_000 },
    async () => {
      const number = await newPortableNumber(world(), 'waits_for_donor')
      const { orderCode } = await activate(world(), { port: portForm(number.replace('+64', '0')) })
      const subject = `${orderCode}-port-1`
      const open = async () => (await tasksOf('port')).find((task) => task.subject === subject)
      const port = await pollUntil(() =>
        world()
          .db.selectFrom('porting_requests')
          .selectAll()
          .where('external_id', '=', subject)
          .where('status', '=', 'SUBMITTED')
          .executeTakeFirst(),
      )
      expect(await open()).toBeUndefined()
      // Advancing our clock would not affect the simulator's transfers, so backdate these rows by a day instead.
      const yesterday = toDate(fromDate(port.created_at).subtract({ hours: 25 }))
      await world()
        .db.updateTable('porting_requests')
        .set({ created_at: yesterday })
        .where('id', '=', port.id)
        .execute()
      await world().db.updateTable('porting_events').set({ at: yesterday }).where('port_id', '=', port.id).execute()
      expect(await pollUntil(open)).toMatchObject({ reason: expect.stringContaining('nothing new'), done_at: null })
      await world()
        .db.updateTable('porting_events')
        .set({ at: toDate(world().deps.clock.now()) })
        .where('port_id', '=', port.id)
        .execute()
      expect(await pollUntil(async () => (await open())?.done_by)).toBe('system')
    },
  )

  test('a task is opened if an email has been failing for a day, and is closed when the email is sent', async () => {
    const old = toDate(world().deps.clock.now().subtract({ hours: 25 }))
    const eventKey = `test:${crypto.randomUUID()}`
    await transact(world().db, (trx) =>
      queueMail(trx, world().deps, {
        eventKey,
        to: newEmail(),
        subject: 'Kia ora',
        heading: 'Kia ora',
        paragraphs: [],
        rows: [],
        button: null,
        attachment: 'invoice:that-is-not-there',
      }),
    )
    await pollUntil(() =>
      world()
        .db.selectFrom('messages')
        .select('id')
        .where('event_key', '=', eventKey)
        .where('tries', '>', 0)
        .executeTakeFirst(),
    )
    await world().db.updateTable('messages').set({ created_at: old }).where('event_key', '=', eventKey).execute()
    const open = async () => (await tasksOf('message')).find(({ subject }) => subject === 'email')
    expect(await pollUntil(open)).toMatchObject({
      reason: 'emails have been tried for 24 hours and are still not sent',
    })
    await world()
      .db.updateTable('messages')
      .set({ sent_at: new Date(), retry_at: null })
      .where('event_key', '=', eventKey)
      .execute()
    expect(await pollUntil(async () => (await open())?.done_by)).toBe('system')
  })

  test(
    'the task about a permanently rejected message stays open until a message reaches the customer',
    { tags: ['slow'] },
    async () => {
      const { id: userId } = await makeSubscriber(world())
      // Any email still queued would reach the customer and end the task, so wait until none is queued.
      const ofCustomer = world().db.selectFrom('messages').select('id').where('user_id', '=', userId)
      await pollUntil(async () => !(await ofCustomer.where('retry_at', 'is not', null).limit(1).executeTakeFirst()))
      const message = await world()
        .db.selectFrom('messages')
        .select('id')
        .where('user_id', '=', userId)
        .where('channel', '=', 'email')
        .where('sent_at', 'is not', null)
        .limit(1)
        .executeTakeFirstOrThrow()
      const end = (ends: object) => world().db.updateTable('messages').set(ends).where('id', '=', message.id).execute()
      const others = world()
        .db.updateTable('messages')
        .set({ sent_at: toDate(realNow().subtract({ hours: 1 })) })
      await others.where('user_id', '=', userId).where('sent_at', 'is not', null).execute()
      await end({ sent_at: null, refused_at: new Date() })
      const open = async () => (await tasksOf('message')).find(({ subject }) => subject === message.id)
      expect(await pollUntil(open)).toMatchObject({ done_at: null })
      await end({ sent_at: new Date(), refused_at: null })
      expect(await pollUntil(async () => (await open())?.done_by)).toBe('system')
    },
  )

  test(
    'a task is opened if an order takes longer than 30 minutes, and is closed when the order completes',
    { tags: ['slow'] },
    async () => {
      await failNetwork(world(), { operation: 'activate', kind: 'error_500', times: 20 })
      const ana = await advanceWizardTo(world(), 'PAYMENT')
      expect((await ana.pay()).status).toBe(200)
      const past = toDate(realNow().subtract({ minutes: 1 }))
      const { id } = await world()
        .db.updateTable('orders')
        .set({ overdue_at: past })
        .where('email', '=', ana.email)
        .returning('id')
        .executeTakeFirstOrThrow()
      await transact(world().db, reportOverdueOrders)
      const task = () =>
        world().db.selectFrom('operator_tasks').select(['reason', 'done_by']).where('order_id', '=', id).execute()
      expect(await task()).toMatchObject([
        { reason: expect.stringMatching(/^still \w+ after 30 minutes$/), done_by: null },
      ])
      await clearFailures(world())
      await ana.arriveAt('SUCCESSFUL')
      expect(await task()).toMatchObject([{ done_by: 'system' }])
    },
  )
})

describe('emailing new tasks to the operator', () => {
  test(
    'emails to the operator list each new task once and are sent at most once an hour',
    { tags: ['slow'] },
    async () => {
      const task = aTask('something that nobody has seen before')
      const mails = async () => (await world().mailTo(operator)).map(({ text }) => text)
      const hourAgo = toDate(realNow().subtract({ hours: 2 }))
      const anHourPasses = async () => {
        await world()
          .db.updateTable('messages')
          .set({ sent_at: hourAgo })
          .where('kind', '=', 'operator-tasks')
          .execute()
      }
      await pollUntil(async () => (await mails()).length > 0)
      await anHourPasses()
      await createTask(world().db, task)
      const [text] = await pollUntil(async () => (await mails()).some((each) => each.includes(task.reason)) && mails())
      const [{ id } = { id: '' }] = await copiesOf(task)
      expect(text).toContain(`finding ${id}: something that nobody has seen before`)
      expect(text).toContain('operator tasks list')
      const another = aTask('one more that is new')
      const count = (await mails()).length
      await createTask(world().db, another)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      expect(await mails()).toHaveLength(count)
      await anHourPasses()
      const [later] = await pollUntil(async () => (await mails()).length > count && mails())
      expect(later).toContain(another.reason)
      expect(later).not.toContain(task.reason)
    },
  )
})

test('a provider request that finishes after the monitor has stopped is not recorded', async () => {
  const { db, thresholds } = world().deps
  const faults: unknown[] = []
  const outages = createOutageMonitor({
    db,
    thresholds: { ...thresholds, noteMs: 1 },
    onError: (error) => faults.push(error),
  })
  const call = { service: 'error_reporting', operation: 'send', outcome: 'threw', isFailure: true, ms: 1 } as const
  outages.recordCall({ ...call, why: 'ECONNREFUSED' })
  await outages.stop()
  const written = () => db.selectFrom('outages').select('failures').where('service', '=', 'error_reporting').execute()
  expect(await written()).toEqual([{ failures: 1 }])
  outages.recordCall({ ...call, why: 'ECONNREFUSED' })
  await pause(100)
  expect(await written()).toEqual([{ failures: 1 }])
  expect(faults).toEqual([])
})
