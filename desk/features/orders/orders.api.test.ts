import { beforeAll, describe, expect, test } from 'vitest'
import { readEmails } from '#quality/support/auto-renewal.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { activate } from '#quality/support/activation-journey.ts'
import { createNextPlan, cancelNextPlan, readRefundedCents } from '#quality/support/next-plan.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { readNetworkActions } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'

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

const pathOf = (code: string, act = ''): string => `/api/desk/orders/${code}/${act}`
const outage = { reason: 'outage', note: '' }
const orderOf = (code: string) =>
  world().db.selectFrom('orders').selectAll().where('order_code', '=', code).executeTakeFirstOrThrow()
const refundsOf = async (code: string): Promise<number[]> =>
  (
    await world()
      .db.selectFrom('refunds')
      .select('amount_cents')
      .where('order_id', '=', (await orderOf(code)).id)
      .execute()
  ).map(({ amount_cents }) => amount_cents)
const lastAct = async (event: string) =>
  world()
    .db.selectFrom('audit_events')
    .innerJoin('staff', 'staff.id', 'audit_events.staff_id')
    .select(['staff.email', 'audit_events.reason', 'audit_events.details', 'audit_events.user_id'])
    .where('event', '=', event as 'order_retried')
    .orderBy('audit_events.id', 'desc')
    .limit(1)
    .executeTakeFirst()

const buy = async (): Promise<string> => (await activate(world())).orderCode
const see = async (code: string, who = support) => (await who.get(pathOf(code))).body
const refund = (who: Visitor, code: string, amount: string, left: string) =>
  who.post(pathOf(code, 'refund/'), { amount, left, ...outage })

test('an order’s page shows its whole history with the customer’s name masked, and viewing the page is recorded', async () => {
  const { orderCode, email } = await activate(world())
  const { status, body } = await support.get(pathOf(orderCode))
  expect(status).toBe(200)
  expect(body).toMatchObject({
    code: orderCode,
    state_words: 'Completed',
    kind_words: 'Activation by card',
    amount: '22.00',
    customer: { id: expect.any(String), name: 'Ana Re•••••' },
    books: { agree: true, faults: [] },
    money: { paid: '22.00', given: '0.00', left: '22.00', alone: '10.00', paid_with: 'Visa ending 1111' },
    retry_why: 'This order is already completed.',
    cancel_why: 'This order was delivered. You can refund it instead.',
    refund_why: null,
    asked: null,
    deciders: ['Mere Ngata', 'Tom Reid'],
  })
  expect(JSON.stringify(body)).not.toContain(email)
  expect(body.rail.steps.map(({ what }: { what: string }) => what)).toEqual([
    'Placed',
    'Authorised',
    'SIM active',
    'Plan added',
    'Payment taken',
    'Completed',
  ])
  expect(body.network.map(({ what, said }: Record<string, string>) => [what, said])).toEqual([
    ['Activate SIM', 'Completed'],
    ['Add plan', 'Completed'],
  ])
  expect(body.papers).toMatchObject([{ type: 'invoice', code: orderCode, amount: '22.00' }])
  const { id, user_id } = await orderOf(orderCode)
  expect(body.customer.id).toBe(user_id)
  for (const text of [body.for_gateway, body.for_carrier]) {
    expect(text).toContain(orderCode)
    for (const secret of [email, 'Ana', 'Rewi', (await orderOf(orderCode)).msisdn, id])
      expect(text).not.toContain(secret)
  }
  const looks = await world().db.selectFrom('access_log').selectAll().where('subject', '=', orderCode).execute()
  expect(looks).toMatchObject([{ act: 'order_seen', user_id }])
})

test('admins cannot see orders, finance cannot retry or cancel them, and an unknown order code gets 404', async () => {
  const code = await buy()
  expect((await admin.get('/api/desk/approvals/')).body.to_decide).toEqual([])
  for (const path of [pathOf(code), '/api/desk/orders/']) expect((await admin.get(path)).status).toBe(403)
  expect((await admin.post(pathOf(code, 'refund/'), { amount: '1.00', left: '22.00', ...outage })).status).toBe(403)
  expect((await finance.post(pathOf(code, 'retry/'), outage)).status).toBe(403)
  expect((await finance.post(pathOf(code, 'cancel/'), outage)).status).toBe(403)
  expect((await (await newStaffVisitor(world().deskUrl ?? '', null)).get(pathOf(code))).status).toBe(401)
  expect((await support.get(pathOf('FT00000000'))).status).toBe(404)
})

test('a held order can be retried, but only if a valid reason is given', { tags: ['slow'] }, async () => {
  const { orderCode } = await activate(world(), { behaviour: 'fails_once' })
  expect((await support.post(pathOf(orderCode, 'retry/'), { reason: 'because' })).status).toBe(400)
  expect((await support.post(pathOf(orderCode, 'retry/'), { reason: 'other', note: 'why' })).body).toHaveProperty(
    'note',
  )
  const listed = await support.get('/api/desk/orders/?of=held')
  expect(listed.body.orders).toMatchObject([{ code: orderCode, state_words: 'Held', name: 'Ana Re•••••' }])
  expect(
    (await support.post(pathOf(orderCode, 'retry/'), { reason: 'not-delivered', note: 'on the phone' })).status,
  ).toBe(200)
  await pollUntil(async () => (await orderOf(orderCode)).state === 'completed')
  expect(await lastAct('order_retried')).toMatchObject({
    email: demoStaff.support,
    reason: 'not-delivered: on the phone',
    user_id: (await orderOf(orderCode)).user_id,
  })
  expect((await support.post(pathOf(orderCode, 'retry/'), outage)).status).toBe(409)
})

test('a held order can be cancelled, and its page lists what the cancellation reverses', async () => {
  const { orderCode } = await activate(world(), { behaviour: 'fails_once' })
  expect((await see(orderCode)).undone).toContain('the SIM pack can be activated again')
  expect((await support.post(pathOf(orderCode, 'cancel/'), { reason: 'customers-wish' })).status).toBe(200)
  await pollUntil(async () => (await orderOf(orderCode)).state === 'undone')
  expect(await lastAct('order_canceled')).toMatchObject({ email: demoStaff.support, reason: 'customers-wish' })
  const { messages } = await pollUntil(async () => {
    const shown = await see(orderCode)
    return shown.messages.length > 0 && shown
  })
  expect(messages).toMatchObject([{ subject: `Your order ${orderCode} is cancelled`, may_again: false }])
  expect((await see(orderCode)).state_words).toBe('Reversed')
  expect((await support.get('/api/desk/orders/?of=failed')).body.orders).toMatchObject([{ code: orderCode }])
})

test('a partial refund within the limit is made once, and a refund beyond the limit needs a second person', async () => {
  const code = await buy()
  const [first, second] = [await refund(support, code, '$10', '22.00'), await refund(support, code, '10.00', '22.00')]
  expect(first.body).toEqual({ outcome: 'received', credit_code: expect.any(String), why: null })
  expect([second.status, await refundsOf(code)]).toEqual([409, [1000]])
  expect(await lastAct('refund_requested')).toMatchObject({
    email: demoStaff.support,
    reason: 'outage',
    details: { cents: 1000 },
  })
  const over = await refund(support, code, '0.01', '12.00')
  expect([over.status, over.body.second_person]).toEqual([403, true])
  const after = await see(code)
  expect(after).toMatchObject({
    money: { given: '10.00', left: '12.00', alone: '0.00' },
    books: { agree: true },
    papers: [{ type: 'invoice' }, { type: 'credit', amount: '-10.00' }],
  })
  expect((await refund(finance, code, '12.00', '12.00')).status).toBe(200)
  expect((await see(code)).refund_why).toBe('This order was already refunded.')
})

test.each([
  ['no money', ''],
  ['a word', 'ten'],
  ['a debt', '-5.00'],
  ['nothing', '0.00'],
  ['three decimals', '1.001'],
])('%s is rejected as a refund amount', { tags: ['slow'] }, async (_, amount) => {
  const code = await buy()
  const { status, body } = await refund(support, code, amount, '22.00')
  expect([status, Object.keys(body)]).toEqual([400, ['amount']])
})

test(
  'simultaneous small refunds by one person cannot exceed that person’s 24-hour limit',
  { tags: ['slow'] },
  async () => {
    const { id } = await world()
      .db.selectFrom('staff')
      .select('id')
      .where('email', '=', demoStaff.support)
      .executeTakeFirstOrThrow()
    const given = async (): Promise<number> => {
      const rows = await world()
        .db.selectFrom('audit_events')
        .select('details')
        .where('staff_id', '=', id)
        .where('event', '=', 'refund_requested')
        .execute()
      // The cast is needed because the database driver has already parsed the JSON.
      return rows.reduce((sum, { details }) => sum + (details as unknown as { cents: number }).cents, 0)
    }
    const codes = await Promise.all(Array.from({ length: 12 }, buy))
    const answers = await Promise.all(codes.map((code) => refund(support, code, '9.50', '22.00')))
    const statuses = answers.map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 403]))
    expect(await given()).toBeLessThanOrEqual(10_000)
    expect(await given()).toBeGreaterThan(10_000 - 950)
    expect(answers.find(({ status }) => status === 403)?.body.code).toContain('This refund needs approval')
  },
)

const ask = (code: string, amount: string, left = '22.00') =>
  support.post(pathOf(code, 'refund/ask/'), { amount, left, reason: 'wrong-plan', note: 'bought the small one' })
const decide = (who: Visitor, id: string, decision: string, words = '') =>
  who.post(`/api/desk/approvals/${id}/decide/`, { decision, words })

test(
  'a refund above the limit is made once another person approves it, and both names are recorded',
  { tags: ['slow'] },
  async () => {
    const code = await buy()
    const asked = await ask(code, '22.00')
    expect(asked.status).toBe(200)
    expect((await ask(code, '22.00')).status).toBe(409)
    expect(await lastAct('approval_asked')).toMatchObject({
      email: demoStaff.support,
      details: { subject: code, cents: 2200 },
    })
    expect((await see(code)).asked).toMatchObject({
      id: asked.body.id,
      by: 'Hine Walker',
      amount: '22.00',
      is_own: true,
    })
    const { id } = asked.body
    expect((await decide(support, id, 'approved')).status).toBe(403)
    expect((await decide(admin, id, 'approved')).status).toBe(403)
    const listed = (await finance.get('/api/desk/approvals/')).body.to_decide.find(
      (each: { id: string }) => each.id === id,
    )
    expect(listed).toMatchObject({
      amount: '22.00',
      asked_by: 'Hine Walker',
      customer: 'Ana Re•••••',
      reason: 'Wrong plan',
      note: 'bought the small one',
      state: 'open',
      same_reason: { asker: expect.any(Number) },
    })
    expect(await decide(finance, id, 'approved')).toMatchObject({ status: 200, body: { outcome: 'received' } })
    expect(await refundsOf(code)).toEqual([2200])
    expect(await lastAct('refund_requested')).toMatchObject({
      email: demoStaff.support,
      reason: 'wrong-plan: bought the small one',
      details: { cents: 2200, approved_by: 'Mere Ngata', approval: id },
    })
    expect(await lastAct('approval_given')).toMatchObject({
      email: demoStaff.lead,
      details: { asked_by: 'Hine Walker' },
    })
    expect((await decide(finance, id, 'refused')).status).toBe(409)
    expect(await refundsOf(code)).toEqual([2200])
    const own = async () => (await support.get('/api/desk/approvals/')).body.own.map((each: { id: string }) => each.id)
    expect(await own()).toContain(id)
    expect((await support.post(`/api/desk/approvals/${id}/seen/`)).status).toBe(200)
    expect(await own()).not.toContain(id)
  },
)

test('deciding on a refund request needs a recently used passkey', { tags: ['slow'] }, async () => {
  const code = await buy()
  const { id } = (await ask(code, '22.00')).body
  const late = await newStaffVisitor(world().deskUrl ?? '', demoStaff.lead)
  const sixMinutesAgo = new Date(Date.now() - 360_000)
  await world().db.updateTable('staff_sessions').set({ shown_at: sixMinutesAgo }).execute()
  expect((await decide(late, id, 'approved')).body).toMatchObject({ step_up: true })
  expect(await refundsOf(code)).toEqual([])
  await world().db.updateTable('staff_sessions').set({ shown_at: new Date() }).execute()
  expect((await decide(late, id, 'approved')).status).toBe(200)
})

test('nobody can approve their own refund request, not even a team lead', async () => {
  const code = await buy()
  const { body } = await finance.post(pathOf(code, 'refund/ask/'), { amount: '22.00', left: '22.00', reason: 'fraud' })
  const answer = await decide(finance, body.id, 'approved')
  expect([answer.status, answer.body.code]).toEqual([
    403,
    'You can’t decide on your own request. Ask a colleague to decide.',
  ])
  expect(await refundsOf(code)).toEqual([])
})

test(
  'a requester sees their declined and lapsed refund requests, and can make a lapsed request again',
  { tags: ['slow'] },
  async () => {
    const [refused, lapsed] = [await buy(), await buy()]
    const [no, late] = [(await ask(refused, '15.00')).body.id, (await ask(lapsed, '15.00')).body.id]
    expect((await decide(finance, no, 'refused', 'It was used.')).status).toBe(200)
    expect(await lastAct('approval_refused')).toMatchObject({ email: demoStaff.lead })
    await world()
      .db.updateTable('approvals')
      .set({ lapses_at: new Date(Date.now() - 1_000) } as never)
      .where('id', '=', late)
      .execute()
    expect((await decide(finance, late, 'approved')).status).toBe(409)
    expect(await refundsOf(lapsed)).toEqual([])
    const { own } = (await support.get('/api/desk/approvals/')).body
    expect(own.find((each: { id: string }) => each.id === no)).toMatchObject({
      state: 'refused',
      decided_by: 'Mere Ngata',
      words: 'It was used.',
    })
    expect(own.find((each: { id: string }) => each.id === late)).toMatchObject({ state: 'lapsed', decided_by: null })
    expect((await see(lapsed)).asked).toBe(null)
    expect((await ask(lapsed, '15.00')).status).toBe(200)
  },
)

test(
  'a refund request above the refundable amount cannot be approved, but a new request can replace it',
  { tags: ['slow'] },
  async () => {
    const code = await buy()
    const { body } = await ask(code, '22.00')
    expect((await refund(finance, code, '5.00', '22.00')).status).toBe(200)
    expect((await decide(finance, body.id, 'approved')).status).toBe(409)
    expect(await refundsOf(code)).toEqual([500])
    expect((await see(code)).asked).toMatchObject({ id: body.id, is_stale: true })

    const next = await ask(code, '17.00', '17.00')
    expect(next.status).toBe(200)
    expect((await see(code)).asked).toMatchObject({ id: next.body.id, is_stale: false })
    const { own } = (await support.get('/api/desk/approvals/')).body
    expect(own.find(({ id }: { id: string }) => id === body.id)).toMatchObject({ state: 'lapsed', decided_by: null })
  },
)

test(
  'an order’s message can be resent from that order, but not from a different order',
  { tags: ['slow'] },
  async () => {
    const { orderCode, email } = await activate(world())
    await pollUntil(async () => (await world().mailTo(email)).length === 1)
    const [message] = (await pollUntil(async () => {
      const { messages } = await see(orderCode)
      return messages[0]?.state === 'sent' && messages
    })) as { id: string; may_again: boolean }[]
    expect(message?.may_again).toBe(true)
    expect((await support.post(pathOf(orderCode, `messages/${message?.id}/resend/`))).status).toBe(200)
    await pollUntil(async () => (await world().mailTo(email)).length === 2)
    expect(await lastAct('message_resent')).toMatchObject({ email: demoStaff.support })
    expect((await support.post(pathOf(await buy(), `messages/${message?.id}/resend/`))).status).toBe(404)
  },
)

test('the list of orders continues after a cursor, and an invalid cursor starts the list again', async () => {
  const { orderCode } = await activate(world(), { behaviour: 'fails_once' })
  const list = async (query: string) => {
    const { status, body } = await support.get(`/api/desk/orders/?${query}`)
    expect(status).toBe(200)
    return body
  }
  const [first] = (await list('')).orders
  expect(first).toMatchObject({ code: orderCode })
  const { created_at: at, id } = await orderOf(orderCode)
  const after = await list(`before=${encodeURIComponent(`${at.toISOString()}~${id}`)}`)
  expect(after.orders.map(({ code }: { code: string }) => code)).not.toContain(orderCode)
  for (const nonsense of ['x', `${at.toISOString()}~x`, `${'9'.repeat(90)}`])
    expect((await list(`before=${encodeURIComponent(nonsense)}`)).orders[0]?.code).toBe(orderCode)
})

describe('refunds for a next plan that has not started', () => {
  const planWaits =
    'This plan has not started yet, and a refund would not cancel it. For a full refund, cancel the next plan.'

  test(
    'only part of a next plan can be refunded, and several partial refunds cannot add up to the whole price',
    { tags: ['slow'] },
    async () => {
      const { orderCode: code } = await createNextPlan(world())
      expect(await see(code)).toMatchObject({ plan_waits: true, refund_why: null, refund_all_why: planWaits })
      const refused = { status: 409, body: { __all__: [planWaits] } }
      expect(await refund(finance, code, '36.00', '36.00')).toMatchObject(refused)
      expect(await ask(code, '36.00', '36.00')).toMatchObject(refused)
      expect((await refund(finance, code, '10.00', '36.00')).status).toBe(200)
      expect(await refund(finance, code, '26.00', '26.00')).toMatchObject(refused)
      expect(await ask(code, '26.00', '26.00')).toMatchObject(refused)
      expect(await refundsOf(code)).toEqual([1000])
    },
  )

  test(
    'finance can still cancel a next plan, with a full refund, on the last day, when the customer no longer can',
    { tags: ['slow'] },
    async () => {
      const waiting = await createNextPlan(world())
      const { orderCode: code } = waiting
      await world().advance('P6D')
      expect((await cancelNextPlan(waiting)).status).toBe(400)
      expect(await see(code)).toMatchObject({
        cancel_why: null,
        undone: [
          'the next plan is removed at the network, and the current plan stays',
          '$36.00 goes back to Visa ending 1111',
        ],
      })
      expect((await finance.post(pathOf(code, 'cancel/'), { reason: 'customers-wish' })).status).toBe(200)
      await pollUntil(async () => (await readRefundedCents(world(), code)) === 3600)
      expect((await orderOf(code)).state).toBe('cancelled')
      expect(await readNetworkActions(world(), code)).toEqual(['add_plan completed', 'remove_plan completed'])
      expect(await lastAct('next_plan_cancelled')).toMatchObject({ email: demoStaff.lead, reason: 'customers-wish' })
      const mail = await pollUntil(async () =>
        (await readEmails(world(), waiting)).find(({ subject }) => subject.endsWith('is cancelled')),
      )
      expect(mail.text).not.toContain('as you asked')
      expect((await support.post(pathOf(code, 'cancel/'), { reason: 'customers-wish' })).status).toBe(409)
      expect(await findFaultsWhenIdle(world())).toEqual([])
    },
  )
})
