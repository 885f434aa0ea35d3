import { beforeAll, describe, expect, test } from 'vitest'
import { transact } from '#kit/server/db.ts'
import { markEmailVerified } from '#features/auth/server/users.store.ts'
import { eraseCustomer } from '#features/customers/server/erase-customer.ts'
import { waitForCallerPin, verifyCaller } from '#quality/support/caller-verification.ts'
import { makeCustomer, makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import { callerMessages } from './caller-verification.contract.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

let hine: Visitor
let mere: Visitor
beforeAll(async () => {
  const { db, deskUrl } = world()
  await db.updateTable('staff').set({ roles: 'support,finance' }).where('email', '=', demoStaff.lead).execute()
  hine = await newStaffVisitor(deskUrl ?? '', demoStaff.support)
  mere = await newStaffVisitor(deskUrl ?? '', demoStaff.lead)
})

const at = (id: string, rest = '') => `/api/desk/customers/${id}/${rest}`
const aReason = { reason: 'customers-wish' }

async function onThePhone(wishes: Parameters<typeof makeSubscriber>[1] = {}): Promise<Subscriber> {
  const customer = await makeSubscriber(world(), wishes)
  for (const staff of [hine, mere]) await staff.post(at(customer.id, 'open/'), { reason: 'call' })
  return customer
}
const send = (staff: Visitor, { id }: { id: string }, way: string) => staff.post(at(id, 'caller/pin/'), { way })
const enter = (staff: Visitor, { id }: { id: string }, pin: string) => staff.post(at(id, 'caller/verify/'), { pin })
const look = async (staff: Visitor, { id }: { id: string }) => (await staff.get(at(id, 'caller/'))).body
const untilShown = async (staff: Visitor, { id }: { id: string }): Promise<string | null> =>
  (await staff.get(at(id))).body.customer.caller_until
const another = (pin: string): string => String((Number(pin) + 1) % 1_000_000).padStart(6, '0')
const actsOf = ({ id }: { id: string }) =>
  world()
    .db.selectFrom('audit_events')
    .select(['event', 'actor', 'details'])
    .where('user_id', '=', id)
    .where('event', 'like', 'caller_%')
    .orderBy('id')
    .execute()

describe('verifying a caller by PIN', () => {
  test('a PIN sent to one of the customer’s numbers verifies the caller for 30 minutes and is recorded in the audit log', async () => {
    const customer = await onThePhone()
    const { service } = customer
    expect(await look(hine, customer)).toEqual({
      verified_until: null,
      asked: null,
      ways: [
        { id: service.id, by: 'text', to: `•••• ${service.msisdn.slice(-4)}`, why_not: null },
        { id: 'mail', by: 'mail', to: expect.stringContaining('•••••@'), why_not: null },
      ],
    })
    expect(await untilShown(hine, customer)).toBeNull()
    const sent = await send(hine, customer, service.id)
    expect(sent.status).toBe(200)
    expect(sent.body.asked).toMatchObject({ by: 'text', to: `•••• ${service.msisdn.slice(-4)}`, tries_left: 5 })
    const pin = await waitForCallerPin(world(), service)
    const kept = await world().db.selectFrom('caller_checks').selectAll().where('user_id', '=', customer.id).execute()
    expect(JSON.stringify(kept)).not.toContain(pin)

    const { status, body } = await enter(hine, customer, `${pin.slice(0, 3)} ${pin.slice(3)}`)
    expect(status).toBe(200)
    const left = Date.parse(body.verified_until) - world().deps.clock.now().epochMilliseconds
    expect(left).toBeGreaterThan(29 * 60_000)
    expect(left).toBeLessThanOrEqual(30 * 60_000)
    expect(await untilShown(hine, customer)).toBe(body.verified_until)
    expect((await enter(hine, customer, pin)).status).toBe(409)

    const hines = 'staff:Hine Walker'
    expect(await actsOf(customer)).toEqual([
      { event: 'caller_pin_sent', actor: hines, details: { by: 'text', service: service.id } },
      { event: 'caller_verified', actor: hines, details: { by: 'text', tries: 1 } },
    ])
    const { rows } = (await hine.get(at(customer.id, 'happened/?of=staff'))).body
    expect(rows.slice(0, 2)).toMatchObject([
      { title: 'Caller verified', detail: 'PIN by text, correct on the first try', by: 'Hine Walker' },
      { title: 'PIN sent to the caller', detail: 'PIN by text', by: 'Hine Walker' },
    ])
  })

  test('a caller’s verification is valid only for one customer and one staff member', { tags: ['slow'] }, async () => {
    const [customer, other] = [await onThePhone(), await onThePhone()]
    await verifyCaller(world(), hine, customer)
    expect(await untilShown(hine, customer)).not.toBeNull()
    expect(await untilShown(mere, customer)).toBeNull()
    expect(await untilShown(hine, other)).toBeNull()
    await send(hine, other, other.service.id)
    const pin = await waitForCallerPin(world(), other.service)
    expect((await enter(mere, other, pin)).body).toEqual({ __all__: [callerMessages.none] })
    expect((await enter(hine, other, pin)).status).toBe(200)
  })

  test('a caller’s PIN allows five tries, even if they arrive at the same time', { tags: ['slow'] }, async () => {
    const customer = await onThePhone()
    await send(hine, customer, customer.service.id)
    const pin = await waitForCallerPin(world(), customer.service)
    expect((await enter(hine, customer, '12345')).body).toEqual({ pin: [callerMessages.pin] })
    expect((await enter(hine, customer, another(pin))).body).toEqual({ pin: [callerMessages.wrong(4)] })
    const answers = await Promise.all(Array.from({ length: 9 }, () => enter(hine, customer, another(pin))))
    const said = answers.map(({ status, body }) => [status, body.pin?.[0] ?? body.__all__[0]])
    expect(said.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
      [400, callerMessages.wrong(1)],
      [400, callerMessages.wrong(2)],
      [400, callerMessages.wrong(3)],
      [409, callerMessages.usedUp],
      ...Array.from({ length: 5 }, () => [409, callerMessages.none]),
    ])
    expect((await enter(hine, customer, pin)).status).toBe(409)
    expect(await look(hine, customer)).toMatchObject({ verified_until: null, asked: null })
    expect((await actsOf(customer)).filter(({ event }) => event === 'caller_pin_wrong')).toHaveLength(5)
    await send(hine, customer, customer.service.id)
    expect((await enter(hine, customer, await waitForCallerPin(world(), customer.service, pin))).status).toBe(200)
  })

  test(
    'a caller’s PIN is rejected after ten minutes, or once a newer PIN has been sent',
    { tags: ['slow'] },
    async () => {
      const customer = await onThePhone()
      await send(hine, customer, customer.service.id)
      const first = await waitForCallerPin(world(), customer.service)
      await send(hine, customer, customer.service.id)
      const second = await waitForCallerPin(world(), customer.service, first)
      expect((await enter(hine, customer, first)).status).toBe(400)
      await world().advance('PT10M')
      expect((await enter(hine, customer, second)).body).toEqual({ __all__: [callerMessages.none] })
      expect((await look(hine, customer)).asked).toBeNull()
    },
  )

  test('a customer is sent at most five PINs per hour, across all staff and channels', async () => {
    const customer = await onThePhone()
    const ways = [customer.service.id, 'mail', customer.service.id]
    for (const way of ways) expect((await send(hine, customer, way)).status).toBe(200)
    for (const way of ways.slice(1)) expect((await send(mere, customer, way)).status).toBe(200)
    const { status, headers } = await send(mere, customer, 'mail')
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_000)
    expect(await actsOf(customer)).toHaveLength(5)
  })
})

describe('where a caller’s PIN may be sent', () => {
  const whyNot = async (customer: { id: string }, way: string) => {
    const { ways } = await look(hine, customer)
    const { why_not: why } = ways.find(({ id }: { id: string }) => id === way)
    const { status, body } = await send(hine, customer, way)
    expect([status, body]).toEqual([400, { way: [why] }])
    return why
  }

  test('no PIN is sent to a different customer’s number or to a released number', { tags: ['slow'] }, async () => {
    const [customer, other] = [await onThePhone(), await onThePhone()]
    for (const way of [other.service.id, 'x', crypto.randomUUID()])
      expect((await send(hine, customer, way)).body).toEqual({ way: [callerMessages.way] })
    expect((await send(hine, customer, '')).body).toEqual({ way: [callerMessages.way] })
    await world()
      .db.updateTable('services')
      .set({ released_at: new Date() })
      .where('id', '=', customer.service.id)
      .execute()
    expect((await look(hine, customer)).ways).toMatchObject([{ id: 'mail' }])
    expect((await send(hine, customer, customer.service.id)).status).toBe(400)
    expect(await world().smsTo(customer.service.msisdn)).toEqual([])
  })

  test(
    'no PIN is sent to a number or email address that changed within the last 24 hours',
    { tags: ['slow'] },
    async () => {
      const customer = await onThePhone({ services: 2 })
      const [first, second] = customer.services
      expect(await whyNot(customer, second!.id)).toBe('This number was added to this account less than 24 hours ago.')
      const { db, deps } = world()
      const act = {
        user_id: customer.id,
        session_id: null,
        details: '{}',
        at: new Date(deps.clock.now().epochMilliseconds),
      }
      await db
        .insertInto('audit_events')
        .values([
          { ...act, event: 'phone_changed' },
          { ...act, event: 'email_changed' },
        ])
        .execute()
      expect(await whyNot(customer, first!.id)).toBe('This number became the contact phone less than 24 hours ago.')
      expect(await whyNot(customer, 'mail')).toBe('This address was changed less than 24 hours ago.')
      await world().advance('P1D')
      expect((await look(hine, customer)).ways).toMatchObject([{ why_not: null }, { why_not: null }, { why_not: null }])
    },
  )

  test('no PIN is sent to an unconfirmed email address', async () => {
    const customer = await onThePhone({ verified: false })
    expect(await whyNot(customer, 'mail')).toBe('This address is not confirmed.')
    const { db, deps } = world()
    await transact(db, (trx) => markEmailVerified(trx, customer.id, customer.email, deps.clock.now()))
    expect((await send(hine, customer, 'mail')).status).toBe(200)
  })
})

describe('unlocking and unblocking customer accounts', () => {
  const refused = { code: callerMessages.first, caller: true }

  test('staff can unlock or unblock a customer’s account only if they themselves have verified the caller as that customer', async () => {
    const [customer, other] = [await onThePhone(), await onThePhone()]
    await hine.post(at(customer.id, 'block/'), aReason)
    for (const name of ['unlock/', 'unblock/']) {
      const { status, body } = await hine.post(at(customer.id, name), aReason)
      expect([status, body]).toEqual([403, refused])
    }
    await verifyCaller(world(), hine, other)
    await verifyCaller(world(), mere, customer)
    for (const name of ['unlock/', 'unblock/'])
      expect((await hine.post(at(customer.id, name), aReason)).body).toEqual(refused)
    await verifyCaller(world(), hine, customer)
    for (const name of ['unlock/', 'unblock/'])
      expect((await hine.post(at(customer.id, name), aReason)).status).toBe(200)
  })

  test(
    'unlocking an account is rejected once the caller’s verification is more than 30 minutes old',
    { tags: ['slow'] },
    async () => {
      const customer = await onThePhone()
      await verifyCaller(world(), hine, customer)
      await world().advance('PT29M')
      expect((await hine.post(at(customer.id, 'unlock/'), aReason)).status).toBe(200)
      await world().advance('PT1M')
      expect((await hine.post(at(customer.id, 'unlock/'), aReason)).body).toEqual(refused)
      expect(await untilShown(hine, customer)).toBeNull()
    },
  )
})

test('staff cannot verify a caller before opening the customer’s record, or after the customer has been erased', async () => {
  const customer = await makeCustomer(world())
  const { db, deskUrl } = world()
  for (const answer of [
    await hine.get(at(customer.id, 'caller/')),
    await send(hine, customer, 'mail'),
    await enter(hine, customer, '123456'),
  ])
    expect(answer.status).toBe(403)
  const jo = await newStaffVisitor(deskUrl ?? '', demoStaff.admin)
  expect((await send(jo, customer, 'mail')).status).toBe(403)
  await hine.post(at(customer.id, 'open/'), { reason: 'call' })
  await verifyCaller(world(), hine, customer)
  await eraseCustomer(world().deps, customer.id, { by: 'operator', name: 'test' })
  expect((await look(hine, customer)).ways).toEqual([])
  expect(await db.selectFrom('caller_checks').select('tries').where('user_id', '=', customer.id).execute()).toEqual([])
  expect((await send(hine, customer, 'mail')).status).toBe(400)
})
