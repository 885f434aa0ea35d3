import { beforeAll, expect, test } from 'vitest'
import { systemActor } from '#kit/server/actor.ts'
import { listOpenTasksOfOrder } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { activate } from '#quality/support/activation-journey.ts'
import { sendNotification, sendDispute } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

let finance: Visitor
let support: Visitor
beforeAll(async () => {
  finance = await newStaffVisitor(world().deskUrl ?? '', demoStaff.lead)
  support = await newStaffVisitor(world().deskUrl ?? '', demoStaff.support)
})

const pathOf = (reference: string, act = '') => `/api/desk/money/disputes/${reference}/${act}`
const said = { reason: 'used', note: 'seen in the usage' }
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const day = () => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
const idOf = async (code: string) =>
  (await world().db.selectFrom('orders').select('id').where('order_code', '=', code).executeTakeFirstOrThrow()).id
const tasksOf = async (code: string) => listOpenTasksOfOrder(world().db, await idOf(code))

async function aChargeback({ due = inDays(14), event = 'CHARGEBACK' } = {}) {
  const { orderCode: code, email } = await activate(world())
  await sendDispute(world(), { reference: `${code}-1`, event, due, reason: 'Goods not received' })
  const reference = await pollUntil(async () => {
    const row = await world()
      .db.selectFrom('disputes')
      .select('psp_reference')
      .where('order_id', '=', await idOf(code))
      .executeTakeFirst()
    return row?.psp_reference
  })
  return { code, email, reference }
}
const tell = (code: string, reference: string, eventCode: string, value = 2200) =>
  sendNotification(world(), {
    eventCode,
    merchantReference: `${code}-1`,
    pspReference: reference,
    amount: { value, currency: 'NZD' },
  })
const auditOf = (event: 'dispute_accepted') =>
  world()
    .db.selectFrom('audit_events')
    .select(['actor', 'reason', 'details'])
    .where('event', '=', event)
    .orderBy('id', 'desc')
    .executeTakeFirst()

test('finance staff see open disputes in order of their deadlines, overdue disputes first; support staff cannot see them', async () => {
  const late = await aChargeback({ due: inDays(-1) })
  const soon = await aChargeback({ due: inDays(3) })
  const { status, body } = await finance.get('/api/desk/money/disputes/')
  expect(status).toBe(200)
  const known = body.disputes.filter(({ reference }: { reference: string }) =>
    [late.reference, soon.reference].includes(reference),
  )
  expect(known).toMatchObject([
    {
      reference: late.reference,
      order: late.code,
      amount: '22.00',
      words: 'Charged back',
      reason: 'Goods not received',
    },
    { reference: soon.reference },
  ])
  expect(known[0].left_seconds).toBeLessThan(0)
  expect(Math.round(known[1].left_seconds / 86_400)).toBe(3)
  expect((await support.get('/api/desk/money/disputes/')).status).toBe(403)
  expect((await support.get(pathOf(soon.reference))).status).toBe(403)
  expect((await support.get(`/api/desk/orders/${soon.code}/`)).body.disputes).toEqual([])
  expect((await finance.get(`/api/desk/orders/${soon.code}/`)).body.disputes).toMatchObject([
    { reference: soon.reference, words: 'Charged back', amount: '22.00' },
  ])
  expect((await finance.get('/api/desk/money/disputes/?of=all&before=nonsense')).status).toBe(200)
})

test(
  'dispute evidence shows what was delivered, hides the customer’s details and can be downloaded as a PDF',
  { tags: ['slow'] },
  async () => {
    const { code, email, reference } = await aChargeback()
    const { status, body } = await finance.get(pathOf(reference))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      reference,
      order: code,
      amount: '22.00',
      paid: '22.00',
      accept_why: null,
      contest_why: null,
      close_why: null,
      outcomes: ['won', 'lost'],
      customer: { name: 'Ana Re•••••' },
    })
    const whatIn = (title: string) =>
      body.evidence
        .find((section: { title: string }) => section.title === title)
        .rows.map(({ what }: { what: string }) => what)
    expect(whatIn('Delivered by the network')).toEqual(['Activate SIM', 'Add plan'])
    expect(whatIn('The payment')).toEqual(expect.arrayContaining(['Card', 'Authorise', 'Capture']))
    expect(whatIn('The account')).toEqual(['Sign-ins since the order'])
    const order = await world()
      .db.selectFrom('orders')
      .selectAll()
      .where('order_code', '=', code)
      .executeTakeFirstOrThrow()
    for (const secret of [email, 'Rewi', order.msisdn, order.iccid]) expect(JSON.stringify(body)).not.toContain(secret)
    const file = await finance.send('GET', pathOf(reference, 'evidence/'))
    expect(file.status).toBe(200)
    expect(file.headers.get('content-type')).toBe('application/pdf')
    const looks = await world().db.selectFrom('access_log').selectAll().where('subject', '=', reference).execute()
    expect(looks).toMatchObject([
      { act: 'dispute_seen', user_id: order.user_id },
      { act: 'dispute_seen', user_id: order.user_id },
    ])
    expect((await finance.get(pathOf('D0'))).status).toBe(404)
  },
)

test('an order whose dispute was accepted cannot be refunded, and a later chargeback notice leaves the dispute closed', async () => {
  const { code, reference } = await aChargeback({ event: 'NOTIFICATION_OF_CHARGEBACK' })
  expect((await finance.post(pathOf(reference, 'accept/'), { reason: 'other', note: 'short' })).body).toHaveProperty(
    'note',
  )
  expect((await finance.post(pathOf(reference, 'accept/'), said)).status).toBe(200)
  expect((await finance.post(pathOf(reference, 'accept/'), said)).status).toBe(409)
  expect(
    (await finance.post(pathOf(reference, 'contest/'), { ...said, evidence: 'E1', handed_in: day() })).status,
  ).toBe(409)
  expect(await refundOrder(world().deps, code, systemActor)).toMatchObject({ outcome: 'impossible' })
  expect(await tasksOf(code)).toEqual([])
  expect(await auditOf('dispute_accepted')).toMatchObject({
    actor: 'staff:Mere Ngata',
    reason: 'used: seen in the usage',
  })
  for (const event of ['CHARGEBACK', 'SECOND_CHARGEBACK']) {
    await tell(code, reference, event)
    expect((await finance.get(pathOf(reference))).body).toMatchObject({ words: 'Accepted' })
    expect(await tasksOf(code)).toEqual([])
  }
})

test('a contested dispute has a task with a deadline until the gateway reports the outcome', async () => {
  const { code, reference } = await aChargeback()
  const contest = (handed_in: string) =>
    finance.post(pathOf(reference, 'contest/'), { ...said, evidence: 'DEF-20261', handed_in })
  expect((await contest('yesterday')).body).toHaveProperty('handed_in')
  expect((await contest('2126-01-01')).status).toBe(409)
  expect((await contest(day())).status).toBe(200)
  expect((await contest(day())).status).toBe(409)
  const [task, ...others] = await tasksOf(code)
  expect(others).toEqual([])
  expect(task?.reason).toBe(
    `the dispute of $22.00 NZD of ${code}-1 (${reference}) is contested: check the outcome of the evidence DEF-20261 on the gateway’s site`,
  )
  const { body } = await finance.get(pathOf(reference))
  expect(body).toMatchObject({ words: 'Contested', state: 'charged_back' })
  expect(new Date(body.due)).toEqual(task?.due_at)
  expect(body.said[0]).toContain('DEF-20261')
  await tell(code, reference, 'CHARGEBACK_REVERSED')
  expect((await finance.get(pathOf(reference))).body).toMatchObject({
    words: 'Reversed by the bank',
    accept_why: expect.any(String),
  })
  expect(await tasksOf(code)).toEqual([])
  await tell(code, reference, 'PREARBITRATION_OPEN')
  expect((await finance.get(pathOf(reference))).body).toMatchObject({ words: 'Pre-arbitration', contest_why: null })
  expect((await tasksOf(code)).map(({ reason }) => reason)).toEqual([expect.stringContaining('accept or contest it')])
})

test('contesting a bank’s request for information does not also contest the chargeback that follows it', async () => {
  const { code, reference } = await aChargeback({ event: 'REQUEST_FOR_INFORMATION' })
  await finance.post(pathOf(reference, 'contest/'), { ...said, evidence: 'RFI-1', handed_in: day() })
  await tell(code, reference, 'NOTIFICATION_OF_CHARGEBACK')
  expect((await finance.get(pathOf(reference))).body).toMatchObject({ words: 'Inquiry by the bank', contest_why: null })
  await finance.post(pathOf(reference, 'contest/'), { ...said, evidence: 'NOC-1', handed_in: day() })
  await tell(code, reference, 'CHARGEBACK')
  expect((await finance.get(pathOf(reference))).body).toMatchObject({ words: 'Contested', state: 'charged_back' })
  expect(await tasksOf(code)).toHaveLength(1)
})

test('after its deadline a dispute cannot be contested, but can be closed as won', async () => {
  const { code, reference } = await aChargeback({ due: inDays(-1) })
  const contested = await finance.post(pathOf(reference, 'contest/'), { ...said, evidence: 'E', handed_in: day() })
  expect([contested.status, JSON.stringify(contested.body)]).toEqual([409, expect.stringContaining('has passed')])
  expect((await finance.post(pathOf(reference, 'close/'), { ...said, outcome: 'nothing' })).status).toBe(409)
  expect((await finance.post(pathOf(reference, 'close/'), { ...said, outcome: 'won' })).status).toBe(200)
  expect((await finance.get(pathOf(reference))).body).toMatchObject({ words: 'Closed as won' })
  expect(await tasksOf(code)).toEqual([])
  expect(await refundOrder(world().deps, code, systemActor)).toMatchObject({ outcome: 'received' })
})

test('of two simultaneous responses to a dispute, only one is accepted', async () => {
  const { reference } = await aChargeback()
  const both = await Promise.all([
    finance.post(pathOf(reference, 'accept/'), said),
    finance.post(pathOf(reference, 'contest/'), { ...said, evidence: 'E', handed_in: day() }),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
})
