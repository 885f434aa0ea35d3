import { beforeAll, expect, test } from 'vitest'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import { systemActor } from '#kit/server/actor.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { activate, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { clearFailures, failGateway } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

let lead: Visitor
let other: Visitor
beforeAll(async () => {
  const desk = world().deskUrl ?? ''
  lead = await newStaffVisitor(desk, demoStaff.lead)
  // The test needs a second person in finance, because nobody can approve their own request.
  await world()
    .db.updateTable('staff')
    .set({ roles: 'support,finance' })
    .where('email', '=', demoStaff.support)
    .execute()
  other = await newStaffVisitor(desk, demoStaff.support)
})

const orderOf = (code: string) =>
  world().db.selectFrom('orders').selectAll().where('order_code', '=', code).executeTakeFirstOrThrow()
const longAgo = () => toDate(realNow().subtract({ minutes: 40 }))
const muchLater = () => toDate(realNow().add({ hours: 5 }))
const outage = { reason: 'outage', note: '' }

async function aSilentRefund() {
  const { orderCode: code } = await activate(world())
  await failGateway(world(), { operation: 'refund', kind: 'error_500', times: 1 })
  expect(await refundOrder(world().deps, code, systemActor)).toEqual({ outcome: 'unknown' })
  const { id } = await orderOf(code)
  const refund = await world()
    .db.updateTable('refunds')
    .set({ created_at: longAgo(), retry_at: muchLater() })
    .where('order_id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { code, refund }
}
const refundNow = async (code: string) =>
  world()
    .db.selectFrom('refunds')
    .selectAll()
    .where('order_id', '=', (await orderOf(code)).id)
    .executeTakeFirstOrThrow()

const seen = { psp_reference: 'ABCD1234EFGH5678', reason: 'seen-there', note: '' }
const ask = (who: Visitor, code: string, wish: object) =>
  who.post(`/api/desk/orders/${code}/settle/ask/`, { ...seen, ...wish })
const decide = (who: Visitor, id: string, decision = 'approved') =>
  who.post(`/api/desk/approvals/${id}/decide/`, { decision, words: '' })

test('a refund to which the gateway has not responded is listed with the reason, and can be retried immediately', async () => {
  const { code, refund } = await aSilentRefund()
  const listed = async () =>
    (await lead.get('/api/desk/money/refunds/')).body.refunds.filter(({ order }: { order: string }) => order === code)
  expect(await listed()).toMatchObject([
    {
      id: refund.id,
      amount: '22.00',
      words: 'No answer',
      may_retry: true,
      why: expect.stringContaining('No answer from the gateway after one attempt'),
    },
  ])
  const path = `/api/desk/money/refunds/${refund.id}/retry/`
  expect((await lead.post(path, {})).status).toBe(400)
  expect((await lead.post(path, outage)).status).toBe(200)
  await pollUntil(async () => (await refundNow(code)).state === 'received')
  expect(await listed()).toEqual([])
  expect((await lead.post(path, outage)).status).toBe(409)
})

test('refunds can be listed by state and by day, and downloaded as CSV without the notes', async () => {
  const { orderCode: code } = await activate(world())
  await refundOrder(world().deps, code, systemActor, {
    amountCents: 700,
    reason: 'goodwill: Ana rang twice',
  })
  const read = async (query: string) => (await lead.get(`/api/desk/money/refunds/?${query}`)).body
  const ordersIn = async (query: string): Promise<string[]> =>
    (await read(query)).refunds.map(({ order }: { order: string }) => order)
  const { today } = await read('')
  const yesterday = Temporal.PlainDate.from(today).subtract({ days: 1 }).toString()
  expect((await read('of=received')).refunds[0]).toMatchObject({
    order: code,
    amount: '7.00',
    words: 'Refunded',
    may_retry: false,
  })
  expect(await ordersIn(`of=all&from=${today}&to=${today}`)).toContain(code)
  for (const query of ['', 'of=refused', 'of=open', 'of=returned', `of=all&to=${yesterday}`, 'of=all&from=2126-01-01'])
    expect(await ordersIn(query)).not.toContain(code)
  expect((await lead.get(`/api/desk/money/refunds/?from=${today}&to=${yesterday}`)).body).toEqual({
    __all__: ['The end date is before the start date.'],
  })
  const file = (query: string) => lead.send('GET', `/api/desk/money/refunds/file/?${query}`)
  const csv = await file(`of=received&from=${yesterday}&to=${today}`)
  expect(csv.headers.get('content-disposition')).toContain(`refunds-${yesterday}-${today}.csv`)
  const [head, row] = String(csv.body).trimEnd().split('\r\n')
  expect(head).toBe('\uFEFF"day","time","order","reference","gateway reference","state","amount","currency","reason"')
  const { psp_reference } = await refundNow(code)
  expect(row).toMatch(
    new RegExp(
      `^"${today}","[\\d:]{8}","${code}","${code}-1-refund","${psp_reference}","Refunded","7.00","NZD","Goodwill"$`,
    ),
  )
  for (const query of [`from=${today}`, `from=${today}&to=${yesterday}`, `from=2020-01-01&to=${today}`])
    expect((await file(query)).status).toBe(400)
})

test('two people can settle a refund with an unknown outcome by hand, which creates a credit note and records both names', async () => {
  const { code, refund } = await aSilentRefund()
  const page = async () => (await lead.get(`/api/desk/orders/${code}/`)).body
  expect((await page()).unsettled).toMatchObject({
    of: 'refund',
    amount: '22.00',
    may: ['paid', 'not_paid'],
    asked: null,
  })
  const wish = { reference: refund.reference, said: 'paid' }
  expect((await ask(lead, code, { ...wish, psp_reference: 'x' })).body).toHaveProperty('psp_reference')
  expect((await ask(lead, code, { ...wish, reference: 'another' })).status).toBe(409)
  const asked = await ask(lead, code, wish)
  expect(asked.status).toBe(200)
  expect((await ask(other, code, wish)).status).toBe(409)
  expect((await page()).unsettled.asked).toMatchObject({ by: 'Mere Ngata', is_own: true })
  expect((await decide(lead, asked.body.id)).status).toBe(403)
  const waiting = (await other.get('/api/desk/approvals/')).body.to_decide
  expect(waiting).toContainEqual(
    expect.objectContaining({ kind: 'settlement', subject: code, said: 'paid', psp_reference: seen.psp_reference }),
  )
  const both = await Promise.all([decide(other, asked.body.id), decide(other, asked.body.id)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await refundNow(code)).toMatchObject({ state: 'received', psp_reference: seen.psp_reference })
  expect((await page()).unsettled).toBeNull()
  expect((await page()).papers.map(({ type }: { type: string }) => type)).toContain('credit')
  const act = await world()
    .db.selectFrom('audit_events')
    .select(['actor', 'details'])
    .where('event', '=', 'payment_settled')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  expect(act).toMatchObject({
    actor: 'staff:Mere Ngata',
    details: expect.objectContaining({ approved_by: 'Hine Walker', said: 'paid' }),
  })
})

test('a request to settle an order’s latest refund by hand replaces an open request about an earlier refund', async () => {
  const { code, refund } = await aSilentRefund()
  const asked = await ask(lead, code, { reference: refund.reference, said: 'paid' })
  const { psp_reference } = seen
  const payload = JSON.stringify({ of: 'refund', reference: 'earlier', cents: 2_200, said: 'paid', psp_reference })
  await world()
    .db.updateTable('approvals')
    .set({ payload } as never)
    .where('id', '=', asked.body.id)
    .execute()
  expect((await lead.get(`/api/desk/orders/${code}/`)).body.unsettled.asked).toBeNull()
  expect((await ask(other, code, { reference: refund.reference, said: 'not_paid' })).status).toBe(200)
  const { own } = (await lead.get('/api/desk/approvals/')).body
  expect(own).toContainEqual(expect.objectContaining({ id: asked.body.id, state: 'lapsed' }))
})

test('a refund whose outcome is known cannot be settled by hand, but an open request to settle it can be declined', async () => {
  const { code, refund } = await aSilentRefund()
  const asked = await ask(lead, code, { reference: refund.reference, said: 'not_paid' })
  await lead.post(`/api/desk/money/refunds/${refund.id}/retry/`, outage)
  await pollUntil(async () => (await refundNow(code)).state === 'received')
  expect((await decide(other, asked.body.id)).status).toBe(409)
  expect((await refundNow(code)).state).toBe('received')
  expect((await decide(other, asked.body.id, 'refused')).status).toBe(200)
})

test('a capture to which the gateway has not responded can be settled by hand after 30 minutes, and its order completes', async () => {
  await failGateway(world(), { operation: 'capture', kind: 'error_500', times: 500 })
  const traveller = await advanceWizardTo(world(), 'PAYMENT')
  const { order_code: code } = (await traveller.pay()).body
  await pollUntil(async () => (await orderOf(code)).state === 'capturing')
  const page = async () => (await lead.get(`/api/desk/orders/${code}/`)).body
  // For the first half hour Fantail itself retries the gateway request, so staff cannot settle it by hand yet.
  expect((await page()).unsettled).toBeNull()
  const { id } = await orderOf(code)
  await world()
    .db.updateTable('order_events')
    .set({ at: longAgo() } as never)
    .where('order_id', '=', id)
    .execute()
  expect((await page()).unsettled).toMatchObject({ of: 'capture', reference: `${code}-1` })
  const asked = await ask(lead, code, { reference: `${code}-1`, said: 'paid' })
  expect((await decide(other, asked.body.id)).status).toBe(200)
  await pollUntil(async () => (await orderOf(code)).state === 'completed')
  await clearFailures(world())
})

test('a payment that is being cancelled can be settled only as not paid, which marks its order as refused', async () => {
  await failGateway(world(), { operation: 'authorise', kind: 'error_500', times: 500 })
  await failGateway(world(), { operation: 'technicalCancel', kind: 'error_500', times: 500 })
  const traveller = await advanceWizardTo(world(), 'PAYMENT')
  const { order_code: code } = (await traveller.pay()).body
  const { id } = await orderOf(code)
  await world()
    .db.updateTable('payment_attempts')
    .set({ created_at: longAgo(), resolve_by: longAgo(), cancelled_at: longAgo() })
    .where('order_id', '=', id)
    .execute()
  expect((await lead.get(`/api/desk/orders/${code}/`)).body.unsettled).toMatchObject({
    of: 'payment',
    may: ['not_paid'],
  })
  expect((await ask(lead, code, { reference: `${code}-1`, said: 'paid' })).body).toHaveProperty('said')
  const asked = await ask(lead, code, { reference: `${code}-1`, said: 'not_paid' })
  expect((await decide(other, asked.body.id)).status).toBe(200)
  expect(await orderOf(code)).toMatchObject({ state: 'refused' })
  await clearFailures(world())
})

test('daily figures show sales and refunds by order type and payment method, and can be downloaded as CSV', async () => {
  const before = (await lead.get('/api/desk/money/days/')).body.days[0]
  const { orderCode: code } = await activate(world())
  await refundOrder(world().deps, code, systemActor, { amountCents: 700 })
  const { status, body } = await lead.get('/api/desk/money/days/')
  expect(status).toBe(200)
  expect(body).toMatchObject({ currency: 'NZD', next: null })
  const [today] = body.days
  const more = (which: string) => Math.round((Number(today[which]) - Number(before?.[which] ?? 0)) * 100)
  expect([today.is_today, more('taken'), more('given')]).toEqual([true, 2200, 700])
  expect(today.activations.count - (before?.activations.count ?? 0)).toBe(1)
  expect(today.by_card.count - (before?.by_card.count ?? 0)).toBe(1)
  expect(today.taken).toBe(today.by_card.amount)
  expect((await lead.get('/api/desk/money/days/?before=2026-02-30')).status).toBe(400)
  const file = (query: string) => lead.send('GET', `/api/desk/money/days/file/?${query}`)
  const csv = await file(`from=${today.day}&to=${today.day}`)
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const [head, row] = String(csv.body).trimEnd().split('\r\n')
  expect(head).toMatch(/^\uFEFF"day","currency","taken","given back","disputed","fees"/)
  expect(row).toContain(`"${today.day}","NZD","${today.taken}","${today.given}","${today.disputed}","unknown"`)
  expect((await file(`from=2126-01-01&to=2126-01-02`)).status).toBe(400)
  expect((await file(`from=${today.day}&to=2020-01-01`)).status).toBe(400)
  expect((await file(`from=2020-01-01&to=${today.day}`)).status).toBe(400)
  expect((await file('from=x')).status).toBe(400)
  const support = await newStaffVisitor(world().deskUrl ?? '', demoStaff.admin)
  expect((await support.get('/api/desk/money/days/')).status).toBe(403)
})

test('the money taken in a day leaves out an order whose payment the gateway could not capture', async () => {
  const today = async () => (await lead.get('/api/desk/money/days/')).body.days[0]
  await activate(world())
  const before = await today()
  await failGateway(world(), { operation: 'capture', kind: 'refuse', times: 1 })
  const { orderCode: code } = await activate(world())
  const { id } = await orderOf(code)
  const attempts = world().db.selectFrom('payment_attempts').select('capture_failed_at').where('order_id', '=', id)
  await pollUntil(async () => (await attempts.executeTakeFirst())?.capture_failed_at)
  const after = await today()
  expect(after.taken).toBe(before.taken)
  expect(after.activations.count).toBe(before.activations.count + 1)
})
