import { beforeAll, describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { verifyCaller } from '#quality/support/caller-verification.ts'
import { copyService } from '#quality/support/copied-services.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { type CustomerWithAllData, createCustomerWithAllData } from '#quality/support/customer-with-all-data.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import { eraseCustomer } from '#features/customers/server/erase-customer.ts'
import { createTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { findOrderByCode } from '#features/orders/server/orders.store.ts'
import type { Customer, CustomerPage } from './customers.contract.ts'
import type { HistoryPage } from './customer-history.contract.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })
const staff = (email: string | null = demoStaff.support) => newStaffVisitor(world().deskUrl ?? '', email)
const at = (id: string, rest = '') => `/api/desk/customers/${id}/${rest}`
const looksAt = (id: string) =>
  world()
    .db.selectFrom('access_log')
    .innerJoin('staff', 'staff.id', 'access_log.staff_id')
    .select(['act', 'reason', 'detail', 'email as by'])
    .where('user_id', '=', id)
    .orderBy('access_log.id')
    .execute()
const actsOf = (id: string, event: string) =>
  world()
    .db.selectFrom('audit_events')
    .select(['event', 'actor', 'reason'])
    .where('user_id', '=', id)
    .where('event', '=', event)
    .execute()
async function opened(id: string, email: string = demoStaff.support) {
  const visitor = await staff(email)
  await visitor.post(at(id, 'open/'), { reason: 'call' })
  return visitor
}
const shownTo = async (
  visitor: { get(path: string): Promise<{ body: CustomerPage }> },
  id: string,
): Promise<Customer> => {
  const { customer } = (await visitor.get(at(id))).body
  if (!customer) throw new Error('it was not opened')
  return customer
}
const aReason = { reason: 'customers-wish' }

test('the page for a customer with 250 phone numbers lists each number once, oldest first', async () => {
  const { id, services } = await makeCustomer(world(), { card: true, services: 1 })
  await copyService(world(), services[0]?.id ?? '', 249)
  const rows = await world()
    .db.selectFrom('services')
    .select('id')
    .where('user_id', '=', id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const { numbers } = await shownTo(await opened(id), id)
  expect(rows).toHaveLength(250)
  expect(numbers.map((number) => number.id)).toEqual(rows.map((row) => row.id))
})

describe('opening a customer’s record', () => {
  test('giving a reason opens a customer’s record for half an hour; before that, only a masked name is shown', async () => {
    const { id } = await makeCustomer(world(), { first_name: 'Ana', last_name: 'Tamihana' })
    const hine = await staff()
    expect((await hine.get(at(id))).body).toEqual({ name: 'Ana Ta•••••', opened: null, customer: null })
    for (const rest of ['happened/', 'looked/']) expect((await hine.get(at(id, rest))).status).toBe(403)
    for (const rest of ['show-email/', 'notes/', 'sign-out/', 'block/', 'unlock/'])
      expect((await hine.post(at(id, rest), { body: 'x', ...aReason })).status).toBe(403)
    expect(await looksAt(id)).toEqual([])

    expect((await hine.post(at(id, 'open/'), { reason: 'call' })).status).toBe(200)
    const { body } = await hine.get(at(id))
    expect(body).toMatchObject({ name: 'Ana Tamihana', opened: { why: 'A call' }, customer: { email_verified: true } })
    expect(Date.parse(body.opened.until) - Date.now()).toBeGreaterThan(29 * 60_000)
    await hine.get(at(id))
    expect((await looksAt(id)).map(({ act, reason, by }) => [act, reason, by])).toEqual([
      ['customer_opened', 'call', demoStaff.support],
      ['customer_seen', null, demoStaff.support],
      ['customer_seen', null, demoStaff.support],
    ])
    expect((await (await staff(demoStaff.lead)).get(at(id))).body.customer).toBeNull()
  })

  test('opening a customer’s record requires a listed reason, and a card number is not accepted as a ticket number', async () => {
    const { id } = await makeCustomer(world())
    const hine = await staff()
    const open = async (body: object) => (await hine.post(at(id, 'open/'), body)).status
    expect(await open({})).toBe(400)
    expect(await open({ reason: 'curious' })).toBe(400)
    expect((await hine.post(at(id, 'open/'), { reason: 'ticket' })).body).toEqual({
      ticket: ['Please enter the ticket number.'],
    })
    expect(await open({ reason: 'ticket', ticket: '4111 1111 1111 1111' })).toBe(400)
    expect(await open({ reason: 'ticket', ticket: 'x'.repeat(41) })).toBe(400)
    expect(await looksAt(id)).toEqual([])
    expect(await open({ reason: 'ticket', ticket: ' 48213\u0007 ' })).toBe(200)
    expect(await looksAt(id)).toMatchObject([{ reason: 'ticket', detail: '48213' }])
    expect((await shownTo(hine, id)).looked).toMatchObject([
      { name: 'Hine Walker', what: 'Opened', why: 'Ticket 48213' },
    ])
  })

  test('a reason in the URL of a GET request does not open a customer’s record', async () => {
    const { id } = await makeCustomer(world())
    const hine = await staff()
    for (const reason of ['?why=task', '?reason=call', '?why=anything'])
      expect((await hine.get(at(id, reason))).body).toMatchObject({ opened: null, customer: null })
    expect((await hine.get(at(id))).body.customer).toBeNull()
    expect(await looksAt(id)).toEqual([])
  })

  test('admins and anonymous visitors cannot open a customer’s record, and an unknown customer id gets 404', async () => {
    const { id } = await makeCustomer(world())
    expect((await (await staff(demoStaff.admin)).get(at(id))).status).toBe(403)
    expect((await (await staff(demoStaff.admin)).post(at(id, 'open/'), { reason: 'call' })).status).toBe(403)
    expect((await (await staff(null)).get(at(id))).status).toBe(401)
    const hine = await staff()
    for (const none of [crypto.randomUUID(), 'x', '%27']) expect((await hine.get(at(none))).status).toBe(404)
    expect((await hine.post(at(crypto.randomUUID(), 'open/'), { reason: 'call' })).status).toBe(404)
  })
})

describe('a customer’s record at the desk', () => {
  let all: CustomerWithAllData
  beforeAll(async () => {
    all = await createCustomerWithAllData(world())
  })

  test('a customer’s record contains only the listed fields, with email address, SIM and card masked', async () => {
    const hine = await opened(all.id)
    const order = await findOrderByCode(world().db, all.service.orderCode)
    await createTask(world().db, { kind: 'order', orderId: order?.id ?? '', reason: 'It took too long.' })
    const customer = await shownTo(hine, all.id)
    expect(Object.keys(customer).toSorted()).toEqual(
      [
        'acts',
        'blocked',
        'caller_until',
        'contact_phone',
        'email',
        'email_verified',
        'erased',
        'happened',
        'ip_may_be_locked',
        'limits',
        'looked',
        'marketing',
        'money',
        'notes',
        'numbers',
        'saved_card',
        'sessions',
        'signed_in',
        'since',
        'tasks',
        'to_be_erased',
      ].toSorted(),
    )
    expect(customer).toMatchObject({
      email: `${all.email.slice(0, 2)}•••••${all.email.slice(all.email.indexOf('@'))}`,
      contact_phone: formatNational(all.ported),
      saved_card: { name: 'Visa •••• 1111' },
      sessions: 1,
      signed_in: expect.stringMatching(/^\d{4}-.*Z$/),
      limits: [{ of: 'sign-ins with the email address', used: 1, most: 100 }],
      ip_may_be_locked: false,
      tasks: [{ reason: 'It took too long.', order_code: all.service.orderCode }],
      notes: [],
      acts: ['unlock', 'sign-out', 'block'],
    })
    expect(Object.keys(customer.numbers[0] ?? {}).toSorted()).toEqual(
      [
        'auto_renewal',
        'ends',
        'id',
        'name',
        'next_plan',
        'next_starts',
        'number',
        'plan',
        'port',
        'released',
        'renewal_failed',
        'sim',
        'since',
        'state',
      ].toSorted(),
    )
    expect(customer.numbers).toMatchObject([
      {
        number: formatNational(all.ported),
        state: 'active',
        auto_renewal: true,
        sim: `•••• ${all.service.sim.iccid.slice(-4)}`,
      },
      { state: 'active', auto_renewal: false, next_plan: expect.any(String) },
    ])
    for (const secret of [all.email, all.service.sim.iccid, all.second.sim.iccid])
      expect(JSON.stringify(customer)).not.toContain(secret)
  })

  test('finance staff see a customer’s record without its notes, and cannot take the actions reserved for support', async () => {
    const mere = await opened(all.id, demoStaff.lead)
    expect(await shownTo(mere, all.id)).toMatchObject({ notes: null, acts: [] })
    expect((await mere.post(at(all.id, 'notes/'), { body: 'x' })).status).toBe(403)
    expect((await mere.post(at(all.id, 'block/'), aReason)).status).toBe(403)
  })

  test('revealing a customer’s email address is recorded in the access log', async () => {
    const hine = await opened(all.id)
    expect((await hine.post(at(all.id, 'show-email/'))).body).toEqual({ email: all.email })
    expect((await looksAt(all.id)).filter(({ act }) => act === 'email_shown')).toHaveLength(1)
  })

  test('a customer’s history consists of readable sentences, can be filtered by event type and is paginated', async () => {
    const hine = await opened(all.id)
    const page = async (query = '') => (await hine.get(at(all.id, `happened/${query}`))).body as HistoryPage
    const { rows } = await page()
    expect(rows.length).toBeGreaterThan(8)
    expect(rows.map(({ title }) => title)).toEqual(
      expect.arrayContaining(['Number transferred to us', 'Record opened by us', 'Plan renewed']),
    )
    expect(JSON.stringify(rows.map(({ title }) => title))).not.toMatch(/_|recharge|completed/)
    expect(JSON.stringify(rows)).not.toContain(all.email)
    expect(rows.find(({ title }) => title === 'SIM activated')).toMatchObject({
      order_code: expect.stringMatching(/^FT/),
      detail: expect.stringMatching(/ · \$\d/),
    })

    const icons = async (of: string) => [...new Set((await page(`?of=${of}`)).rows.map(({ icon }) => icon))].toSorted()
    expect(await icons('money')).toEqual(['order'])
    expect(await icons('network')).toEqual(['number', 'transfer'])
    expect((await icons('messages')).every((icon) => icon === 'mail' || icon === 'text')).toBe(true)
    expect(await icons('account')).toEqual(['account'])
    expect(await icons('staff')).toEqual(['look'])
    expect((await page('?of=messages')).rows.some(({ message }) => message !== null)).toBe(true)

    const old = {
      at: new Date('2020-01-01T00:00:00Z'),
      event: 'login',
      user_id: all.id,
      session_id: null,
      details: '{}',
    }
    await world()
      .db.insertInto('audit_events')
      .values(Array.from({ length: 60 }, () => old))
      .execute()
    const first = await page('?of=account')
    expect(first.rows).toHaveLength(50)
    const second = await page(`?of=account&before=${encodeURIComponent(first.next ?? '')}`)
    expect(second.rows.length).toBeGreaterThan(9)
    expect([...first.rows, ...second.rows].filter(({ at: day }) => day.startsWith('2020'))).toHaveLength(60)
    expect((await hine.get(at(all.id, 'happened/?before=nowhere'))).status).toBe(400)
  })

  test('finance can list which staff viewed a customer’s record, and viewing that list is recorded too', async () => {
    const mere = await opened(all.id, demoStaff.lead)
    const { body } = await mere.get(at(all.id, 'looked/'))
    expect(body).toMatchObject({ name: all.fullName, next: null })
    expect(body.rows[0]).toMatchObject({ name: 'Mere Ngata', what: 'Opened', why: 'A call' })
    expect((await looksAt(all.id)).at(-1)).toMatchObject({ act: 'trail_seen', by: demoStaff.lead })
  })
})

describe('customer notes', () => {
  test('notes about a customer record their author, and are deleted when the customer is erased', async () => {
    const { id } = await makeCustomer(world())
    const hine = await opened(id)
    const write = (body: unknown) => hine.post(at(id, 'notes/'), { body })
    expect((await write('  ')).body).toEqual({ body: ['Please write a note.'] })
    expect((await write('x'.repeat(1_001))).status).toBe(400)
    expect((await write('Her card is 4111 1111 1111 1111')).status).toBe(400)
    expect((await write(' Works nights.\nText \u001B[31mher\u0007. ')).status).toBe(200)
    expect((await write('x'.repeat(1_000))).status).toBe(200)
    expect((await shownTo(hine, id)).notes).toMatchObject([
      { by: 'Hine Walker' },
      { body: 'Works nights.\nText  [31mher .' },
    ])
    expect(await actsOf(id, 'note_written')).toHaveLength(2)
    expect(await eraseCustomer(world().deps, id, { by: 'operator', name: 'test' })).not.toHaveProperty('why')
    expect(await world().db.selectFrom('customer_notes').select('id').where('user_id', '=', id).execute()).toEqual([])
    const { body } = await hine.get(at(id))
    expect(body).toMatchObject({
      name: 'Erased customer',
      customer: { email: '', acts: [], erased: expect.any(String) },
    })
    expect((await write('once more')).status).toBe(400)
    expect((await hine.post(at(id, 'show-email/'))).status).toBe(404)
    expect((await looksAt(id)).length).toBeGreaterThan(1)
  })
})

describe('staff actions on a customer’s account', () => {
  test('an action on a customer’s account needs a reason, and is recorded with that reason and the staff member’s name', async () => {
    const { id, visitor, email, password } = await makeCustomer(world())
    const hine = await opened(id)
    const act = async (name: string, body: object = aReason) => {
      const answer = await hine.post(at(id, `${name}/`), body)
      return [answer.status, answer.body.said ?? answer.body.__all__?.[0]]
    }
    expect((await hine.post(at(id, 'block/'), { reason: '' })).body).toEqual({ reason: ['Please choose a reason.'] })
    expect((await hine.post(at(id, 'block/'), { reason: 'other', note: 'as' })).body).toHaveProperty('note')
    expect(await actsOf(id, 'customer_blocked')).toEqual([])

    expect(await act('sign-out')).toEqual([200, 'The customer was signed out everywhere.'])
    expect((await visitor.get('/api/account/')).body.authenticated).toBe(false)
    await verifyCaller(world(), hine, { id, email })
    expect(await act('unlock')).toEqual([200, 'Unlocked. The customer can try to sign in and enter PINs again.'])
    expect(await act('unblock')).toEqual([400, 'This customer is not blocked.'])
    expect(await act('block', { reason: 'fraud', note: 'a stolen card' })).toEqual([
      200,
      'Blocked. The customer can’t sign in or pay.',
    ])
    expect((await world().visitor().post('/api/account/login/', { username: email, password })).status).toBe(400)
    expect(await shownTo(hine, id)).toMatchObject({
      blocked: expect.any(String),
      acts: ['unlock', 'sign-out', 'unblock'],
    })
    expect(await act('unblock')).toEqual([200, 'Unblocked. The customer can sign in and pay again.'])
    for (const [event, reason] of [
      ['customer_signed_out', 'customers-wish'],
      ['customer_unlocked', 'customers-wish'],
      ['customer_blocked', 'fraud: a stolen card'],
      ['customer_unblocked', 'customers-wish'],
    ] as const)
      expect(await actsOf(id, event)).toEqual([{ event, actor: 'staff:Hine Walker', reason }])
    const { rows } = (await hine.get(at(id, 'happened/?of=staff'))).body as HistoryPage
    expect(rows.find(({ title }) => title === 'Blocked')).toMatchObject({
      by: 'Hine Walker',
      why: 'Fraud: a stolen card',
    })
  })

  test(
    'staff can resend a message only to the customer it belongs to, and a fourth resend is rejected',
    { tags: ['slow'] },
    async () => {
      const customer = await makeCustomer(world(), { card: true, services: 1 })
      const other = await makeCustomer(world())
      const mere = await opened(customer.id, demoStaff.lead)
      await mere.post(at(other.id, 'open/'), { reason: 'call' })
      const { rows } = (await mere.get(at(customer.id, 'happened/?of=messages'))).body as HistoryPage
      const message = rows.find((row) => row.message !== null)?.message ?? ''
      expect((await mere.post(at(other.id, `messages/${message}/again/`), aReason)).status).toBe(404)
      expect((await mere.post(at(customer.id, 'messages/x/again/'), aReason)).status).toBe(404)
      expect((await mere.post(at(customer.id, `messages/${message}/again/`))).status).toBe(400)
      const before = await world().mailTo(customer.email)
      for (let count = 0; count < 3; count++) {
        const { body } = await mere.post(at(customer.id, `messages/${message}/again/`), aReason)
        expect(body.said).toMatch(/^The message is on its way to an•••••@example\.nz, with current details\.$/)
      }
      expect((await mere.post(at(customer.id, `messages/${message}/again/`), aReason)).status).toBe(400)
      await expect.poll(async () => (await world().mailTo(customer.email)).length).toBe(before.length + 3)
      expect(await actsOf(customer.id, 'message_resent')).toHaveLength(3)
    },
  )
})
