import { beforeAll, expect, test } from 'vitest'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

let [support, finance, admin]: Visitor[] = []
beforeAll(async () => {
  const desk = world().deskUrl ?? ''
  support = await newStaffVisitor(desk, demoStaff.support)
  finance = await newStaffVisitor(desk, demoStaff.lead)
  admin = await newStaffVisitor(desk, demoStaff.admin)
})

const plan = 'plan-30-5gb'
const wish = { count: '3', plan, expires: '2027-12-31', reason: 'retail', note: 'for Karori' }
const ask = (change: object = {}, who = admin!) => who.post('/api/desk/stock/batches/', { ...wish, ...change })
const see = async (id: string, who = admin!) => (await who.get(`/api/desk/stock/batches/${id}/`)).body
const post = (who: Visitor, id: string, act: string, body: object = {}) =>
  who.post(`/api/desk/stock/batches/${id}/${act}/`, body)
const openOf = async (id: string) =>
  (await finance!.get('/api/desk/approvals/')).body.to_decide.find(({ subject }: { subject: string }) => subject === id)
const decide = async (id: string, decision: string, who = finance!) =>
  who.post(`/api/desk/approvals/${(await openOf(id)).id}/decide/`, { decision, words: 'All right.' })
const goodFor = async (code: string) => (await world().visitor().get(`/api/vouchers/${code}/`)).status === 200
const find = (text: string, who = admin!) => who.post('/api/desk/stock/find/', { text })
const lastAct = (event: string) =>
  world()
    .db.selectFrom('audit_events')
    .innerJoin('staff', 'staff.id', 'audit_events.staff_id')
    .select(['audit_events.details', 'audit_events.reason', 'staff.email'])
    .where('event', '=', event)
    .orderBy('audit_events.id' as never, 'desc')
    .limit(1)
    .executeTakeFirst()

async function approved(): Promise<string> {
  const { id } = (await ask()).body
  expect((await decide(id, 'approved')).status).toBe(200)
  return id
}

test('a voucher batch needs a second person’s approval, and its codes can be downloaded once', async () => {
  const { status, body } = await ask()
  expect(status).toBe(200)
  const { id } = body
  expect(await see(id)).toMatchObject({
    batch: {
      state: 'asked',
      plan: '5 GB Prepay Plan',
      count: 3,
      expires: '2027-12-31',
      made_by: 'Jo Tan',
      approved_by: null,
    },
    worth: '66.00',
    reason: 'For shops',
    deciders: ['Mere Ngata', 'Tom Reid'],
    is_own: true,
  })
  expect(await lastAct('approval_asked')).toMatchObject({
    email: demoStaff.admin,
    reason: 'retail: for Karori',
    details: { kind: 'vouchers', subject: id, count: 3 },
  })
  expect(await post(admin!, id, 'codes')).toMatchObject({
    status: 409,
    body: { __all__: ['This batch is not approved.'] },
  })
  expect(await openOf(id)).toMatchObject({
    kind: 'vouchers',
    count: 3,
    worth: '66.00',
    asked_by: 'Jo Tan',
    reason: 'For shops',
  })
  expect((await decide(id, 'approved', admin!)).status).toBe(403)
  expect((await decide(id, 'approved', support!)).status).toBe(403)
  expect(await decide(id, 'approved')).toMatchObject({ status: 200, body: { outcome: null } })
  expect((await see(id)).batch).toMatchObject({ state: 'approved', approved_by: 'Mere Ngata' })

  expect((await post(finance!, id, 'codes')).status).toBe(403)
  const file = await post(admin!, id, 'codes')
  expect([file.status, file.headers.get('content-disposition')]).toEqual([
    200,
    `attachment; filename="vouchers-${id}.txt"`,
  ])
  expect(file.body).toMatch(/^(?:[0-9A-Z]{12}\n){3}$/)
  const codes: string[] = file.body.trimEnd().split('\n')
  expect(await goodFor(codes[0]!)).toBe(false)
  expect((await post(admin!, id, 'arrived', { count: 2 })).status).toBe(409)
  expect((await post(admin!, id, 'arrived', { count: 3 })).status).toBe(200)
  expect(await goodFor(codes[0]!)).toBe(true)
  const again = await post(admin!, id, 'codes')
  expect([again.status, again.body.__all__]).toEqual([
    409,
    ['The codes were already downloaded. They can be downloaded only once.'],
  ])
  expect((await see(id)).batch).toMatchObject({ state: 'complete', unused: 3, held: 0, redeemed: 0 })
  expect(await lastAct('vouchers_made')).toMatchObject({
    email: demoStaff.admin,
    details: { batch: id, count: 3, plan },
  })
  const stock = await admin!.get('/api/desk/stock/')
  expect(stock.body.batches[0]).toMatchObject({ id, state: 'complete', unused: 3 })
  for (const table of ['vouchers', 'voucher_batches', 'approvals', 'audit_events', 'access_log'] as const)
    expect(JSON.stringify(await world().db.selectFrom(table).selectAll().execute())).not.toContain(codes[0])
})

test(
  'a voucher is found by its code, and its full order code is shown only to staff who may see orders',
  { tags: ['slow'] },
  async () => {
    const id = await approved()
    const codes: string[] = (await post(admin!, id, 'codes')).body.trimEnd().split('\n')
    await post(admin!, id, 'arrived', { count: 3 })
    const traveller = await advanceWizardTo(world(), 'PAYMENT', { voucher: codes[0]! })
    await traveller.pay()
    const { order_code: order } = await traveller.arriveAt('SUCCESSFUL')
    const found = await pollUntil(async () => {
      const { body } = await find(codes[0]!.toLowerCase(), support!)
      return body.state === 'redeemed' && body
    })
    expect(found).toMatchObject({
      of: 'voucher',
      plan: '5 GB Prepay Plan',
      from: { id },
      order: { code: order, path: `/orders/${order}/` },
    })
    expect((await find(codes[0]!)).body.order).toEqual({ code: `…${order?.slice(-4)}`, path: null })
    expect(JSON.stringify(found)).not.toContain(codes[0])
    expect((await see(id)).batch).toMatchObject({ redeemed: 1, unused: 2 })
    const { iccid } = await world()
      .db.selectFrom('orders')
      .select('iccid')
      .where('order_code', '=', order)
      .executeTakeFirstOrThrow()
    expect((await find(iccid!, support!)).body).toMatchObject({ of: 'sim', state: 'redeemed', order: { code: order } })
    expect((await find('NOSUCHCODE12')).status).toBe(404)
    expect(await find('4111')).toMatchObject({ status: 400, body: { text: [expect.any(String)] } })
    expect((await find(iccid!, finance!)).status).toBe(403)
    const looks = await world()
      .db.selectFrom('access_log')
      .select(['act', 'detail'])
      .where('act', '=', 'searched')
      .execute()
    expect(looks.map(({ detail }) => detail)).toEqual(expect.arrayContaining(['voucher: 1', 'SIM: 1', 'voucher: 0']))
  },
)

test('a voucher request that was declined, or whose approval has expired, does not create vouchers', async () => {
  const { id: no } = (await ask()).body
  expect((await decide(no, 'refused')).status).toBe(200)
  expect(await see(no)).toMatchObject({ batch: { state: 'declined' }, words: 'All right.' })
  expect((await post(admin!, no, 'codes')).status).toBe(409)

  const late = await approved()
  const dayAgo = new Date(Date.now() - 25 * 3_600_000)
  await world().db.updateTable('approvals').set({ decided_at: dayAgo }).where('subject', '=', late).execute()
  expect((await see(late)).batch.state).toBe('lapsed')
  expect(await post(admin!, late, 'codes')).toMatchObject({
    status: 409,
    body: { __all__: [expect.stringContaining('The approval has expired')] },
  })

  const { id: undecided } = (await ask()).body
  const { id: approval } = await openOf(undecided)
  await world()
    .db.updateTable('approvals')
    .set({ lapses_at: new Date(Date.now() - 1_000) } as never)
    .where('subject', '=', undecided)
    .execute()
  expect(
    (await finance!.post(`/api/desk/approvals/${approval}/decide/`, { decision: 'approved', words: '' })).status,
  ).toBe(409)
  expect((await see(undecided)).batch.state).toBe('lapsed')
  const { own } = (await admin!.get('/api/desk/approvals/')).body
  expect(own.find(({ subject }: { subject: string }) => subject === undecided)).toMatchObject({ state: 'lapsed' })
  for (const id of [no, late, undecided])
    expect(await world().db.selectFrom('voucher_batches').selectAll().where('id', '=', id).execute()).toEqual([])
})

test('a voucher batch can be voided once, with a reason', async () => {
  const id = await approved()
  expect((await post(admin!, id, 'void', { reason: 'stolen' })).status).toBe(404)
  const codes: string[] = (await post(admin!, id, 'codes')).body.trimEnd().split('\n')
  expect((await post(admin!, id, 'void', { reason: 'stolen' })).body.__all__).toEqual([
    'This batch is still being created, and none of its codes is valid yet.',
  ])
  await post(admin!, id, 'arrived', { count: 3 })
  expect((await post(admin!, id, 'void', { reason: ' ' })).body).toEqual({ reason: ['Please enter a reason.'] })
  expect((await post(support!, id, 'void', { reason: 'stolen' })).status).toBe(403)
  expect((await post(admin!, id, 'void', { reason: 'stolen' })).status).toBe(200)
  expect(await lastAct('voucher_batch_voided')).toMatchObject({
    email: demoStaff.admin,
    reason: 'stolen',
    details: { batch: id },
  })
  expect(await goodFor(codes[0]!)).toBe(false)
  expect((await find(codes[0]!)).body.state).toBe('void')
  expect((await see(id)).batch).toMatchObject({ state: 'void', unused: 0 })
  expect((await post(admin!, id, 'void', { reason: 'stolen' })).status).toBe(409)
})

test('downloading voucher codes needs a recently used passkey', async () => {
  const id = await approved()
  await world()
    .db.updateTable('staff_sessions')
    .set({ shown_at: new Date(Date.now() - 360_000) })
    .execute()
  expect((await post(admin!, id, 'codes')).body).toMatchObject({ step_up: true })
  await world().db.updateTable('staff_sessions').set({ shown_at: new Date() }).execute()
  expect((await post(admin!, id, 'codes')).status).toBe(200)
})

test.each([
  [{ count: '0' }, 'count'],
  [{ count: '1000001' }, 'count'],
  [{ plan: 'none' }, 'plan'],
  [{ plan: 'extra-2gb' }, 'plan'],
  [{ expires: '2027-02-30' }, 'expires'],
  [{ expires: '2020-01-01' }, 'expires'],
  [{ expires: '2999-01-01' }, 'expires'],
  [{ reason: 'other', note: 'so' }, 'note'],
])('a request for vouchers with %o is rejected and names the field', async (change, field) => {
  const { status, body } = await ask(change)
  expect([status, Object.keys(body)]).toEqual([400, [field]])
})

test('only admins can request vouchers', async () => {
  for (const who of [support!, finance!]) expect((await ask({}, who)).status).toBe(403)
})
