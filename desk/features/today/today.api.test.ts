import { beforeAll, expect, test } from 'vitest'
import { createTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { activate } from '#quality/support/activation-journey.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import type { Task } from './today.contract.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

let support: Visitor
let finance: Visitor
let admin: Visitor
beforeAll(async () => {
  const desk = world().deskUrl ?? ''
  support = await newStaffVisitor(desk, demoStaff.support)
  finance = await newStaffVisitor(desk, demoStaff.lead)
  admin = await newStaffVisitor(desk, demoStaff.admin)
})

const orderOf = (code: string) =>
  world().db.selectFrom('orders').selectAll().where('order_code', '=', code).executeTakeFirstOrThrow()
const tasks = async (who = support): Promise<Task[]> => (await who.get('/api/desk/tasks/')).body.tasks
const find = async (reason: string, who = support): Promise<Task> => {
  const found = (await tasks(who)).find((task) => task.reason === reason)
  if (!found) throw new Error(`there is no task ${reason}`)
  return found
}
let counted = 0
async function aTask(
  about: { orderId: string } | { subject: string } = { subject: crypto.randomUUID() },
): Promise<string> {
  const reason = `odd thing ${(counted += 1)}`
  await createTask(world().db, { kind: 'finding', reason, ...about })
  return `Odd thing ${counted}`
}
const press = (who: Visitor, { id }: Task, act: string, body: object = {}) =>
  who.post(`/api/desk/tasks/${id}/${act}/`, body)
const acts = async ({ id }: Task) => {
  const rows = await world()
    .db.selectFrom('audit_events')
    .innerJoin('staff', 'staff.id', 'audit_events.staff_id')
    .select(['event', 'staff.email', 'reason', 'details'])
    .orderBy('audit_events.id')
    .execute()
  return rows.filter(({ details }) => (details as unknown as { task?: string }).task === id)
}

test('a task names its order and customer, except to staff who may not see customers', async () => {
  const { orderCode } = await activate(world())
  const reason = await aTask({ orderId: (await orderOf(orderCode)).id })
  expect(await find(reason)).toMatchObject({
    kind_words: 'Reconciliation',
    order: orderCode,
    name: 'Ana Rewi',
    owner: null,
    is_late: false,
  })
  expect(await find(reason, admin)).toMatchObject({ order: null, customer_id: null, name: null })
  const { service_id, user_id } = await orderOf(orderCode)
  const ofTransfer = await aTask({ subject: `${service_id}-port-1` })
  expect(await find(ofTransfer)).toMatchObject({ order: null, customer_id: user_id, name: 'Ana Rewi' })
})

test('only one person can take a task, and only that person or a team lead can hand it back', async () => {
  const task = await find(await aTask())
  expect((await press(support, task, 'take')).status).toBe(200)
  expect((await press(support, task, 'take')).status).toBe(200)
  expect((await press(admin, task, 'take')).body).toEqual({ __all__: ['Hine Walker has already taken this task.'] })
  expect((await find(task.reason)).owner).toEqual({ name: 'Hine Walker', is_own: true })
  expect((await find(task.reason, finance)).owner).toEqual({ name: 'Hine Walker', is_own: false })
  expect((await press(admin, task, 'hand-back')).status).toBe(409)
  expect((await press(admin, task, 'done')).status).toBe(409)
  expect((await press(finance, task, 'hand-back')).status).toBe(200)
  expect((await find(task.reason)).owner).toBe(null)
  expect((await acts(task)).map(({ event, email }) => [event, email])).toEqual([
    ['operator_task_taken', demoStaff.support],
    ['operator_task_taken', demoStaff.support],
    ['operator_task_handed_back', demoStaff.lead],
  ])
})

test('tasks can be listed by kind, and the list counts the open tasks of every kind', async () => {
  const reason = await aTask()
  await createTask(world().db, { kind: 'stock', reason: 'few SIM packs are left', subject: crypto.randomUUID() })
  const read = async (query: string) => (await support.get(`/api/desk/tasks/${query}`)).body
  const kindsIn = ({ tasks: listed }: { tasks: Task[] }) => [...new Set(listed.map(({ kind }) => kind))]
  const findings = await read('?kind=finding')
  expect(kindsIn(findings)).toEqual(['finding'])
  expect(findings.tasks.some((task: Task) => task.reason === reason)).toBe(true)
  expect(kindsIn(await read('?kind=stock'))).toEqual(['stock'])
  const count = findings.tasks.length
  expect(findings.kinds).toContainEqual({ kind: 'finding', words: 'Reconciliation', count })
  expect(findings.kinds).toContainEqual({ kind: 'stock', words: 'Stock', count: 1 })
  expect((await read('?kind=rubbish')).tasks.length).toBeGreaterThan(count)
})

test('several tasks can be taken with one request, which says why it could not assign the others', async () => {
  const [mine, theirs, about] = [await find(await aTask()), await find(await aTask()), await find(await aTask())]
  await press(finance, theirs, 'take')
  await press(finance, about, 'done')
  const takeAll = (ids: string[]) => support.post('/api/desk/tasks/take/', { ids })
  expect((await takeAll([mine.id, theirs.id, about.id, mine.id])).body).toEqual({
    taken: [mine.id],
    not_taken: [
      { id: theirs.id, why: 'Mere Ngata has already taken this task.' },
      { id: about.id, why: 'This task is already done.' },
    ],
  })
  expect((await find(mine.reason)).owner).toEqual({ name: 'Hine Walker', is_own: true })
  expect((await acts(mine)).map(({ event, email }) => [event, email])).toEqual([
    ['operator_task_taken', demoStaff.support],
  ])
  for (const ids of [[], ['x'], Array.from({ length: 201 }, () => mine.id)])
    expect((await takeAll(ids)).status).toBe(400)
})

test('a task can be completed once, with a note, and the audit log names the person who completed it', async () => {
  const task = await find(await aTask())
  expect((await press(support, task, 'done', { note: 'x'.repeat(501) })).status).toBe(400)
  expect((await press(support, task, 'done', { note: 'the bank was called' })).status).toBe(200)
  expect((await press(support, task, 'done')).status).toBe(409)
  expect((await press(support, task, 'take')).status).toBe(409)
  expect((await tasks()).some(({ id }) => id === task.id)).toBe(false)
  const row = await world()
    .db.selectFrom('operator_tasks')
    .selectAll()
    .where('id', '=', task.id)
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({ done_by: 'staff:Hine Walker', note: 'the bank was called' })
  expect(await acts(task)).toMatchObject([{ event: 'operator_task_done', reason: 'the bank was called' }])
})

test(
  'the Today page counts completed orders, and shows sums of money only to finance',
  { tags: ['slow'] },
  async () => {
    const before = (await finance.get('/api/desk/today/')).body.figures
    await activate(world())
    await activate(world(), { voucher: await world().newVoucher() })
    // The figures are cached, and moving the clock makes the server count them again.
    await world().advance('PT1S')
    const { body } = await finance.get('/api/desk/today/')
    const { figures } = body
    expect(figures.activated.now - before.activated.now).toBe(2)
    expect(Number(figures.money.taken) - Number(before.money.taken)).toBe(22)
    expect(figures.payments.asked - before.payments.asked).toBe(1)
    const sum = figures.hours.reduce((all: number, { activated }: { activated: number }) => all + activated, 0)
    expect(sum).toBe(figures.activated.now)
    for (const who of [support, admin]) expect((await who.get('/api/desk/today/')).body.figures.money).toBe(null)
    expect(body.runs.map(({ service }: { service: string }) => service)).toEqual([
      'card_gateway',
      'mobile_network',
      'mail',
      'sms',
    ])
    expect(body.runs).toMatchObject([{ failing_since: null }, {}, {}, {}])
  },
)

test(
  'the Today page estimates how long the stock will last from how much was used in the last 14 days',
  { tags: ['slow'] },
  async () => {
    await activate(world(), { voucher: await world().newVoucher() })
    await world().newVoucher()
    await world().advance('PT1S')
    const { stock, jobs } = (await support.get('/api/desk/today/')).body.figures
    const [sims, ...vouchers] = stock
    const { db } = world()
    const { unused } = await db
      .selectFrom('sim_packs')
      .select(({ fn }) => fn.countAll().as('unused'))
      .where('order_id', 'is', null)
      .executeTakeFirstOrThrow()
    const { used } = await db
      .selectFrom('orders')
      .select(({ fn }) => fn.countAll().as('used'))
      .where('kind', '=', 'activation')
      .where('completed_at', 'is not', null)
      .executeTakeFirstOrThrow()
    expect(sims).toEqual({ plan: null, unused: Number(unused), days: Math.floor((Number(unused) * 14) / Number(used)) })
    expect(vouchers[0]).toMatchObject({ plan: '5 GB Prepay Plan', days: expect.any(Number) })
    expect(vouchers[0].unused).toBeGreaterThan(0)
    expect(jobs.oldest_seconds ?? 0).toBeLessThan(60)
  },
)

test('a week later, today’s figures are shown as the figures from a week ago', { tags: ['slow'] }, async () => {
  const { figures } = (await finance.get('/api/desk/today/')).body
  await world().advance('P7D')
  const later = (await finance.get('/api/desk/today/')).body.figures
  expect(later).toMatchObject({
    weekday: figures.weekday,
    activated: { now: 0, before: figures.activated.now },
    money: { taken: '0.00', taken_before: figures.money.taken },
  })
  expect(later.hours.reduce((all: number, { before }: { before: number }) => all + before, 0)).toBe(
    figures.activated.now,
  )
})

test('the Today page shows nothing to an anonymous visitor', async () => {
  const nobody = await newStaffVisitor(world().deskUrl ?? '', null)
  for (const path of ['/api/desk/today/', '/api/desk/tasks/']) expect((await nobody.get(path)).status).toBe(401)
})
