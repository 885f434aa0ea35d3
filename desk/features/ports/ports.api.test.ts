import { beforeAll, describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { portingMessages } from '#features/porting/porting.contract.ts'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { activate, portForm } from '#quality/support/activation-journey.ts'
import { clearFailures, failNetwork, newPortableNumber, setPortState } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import type { SearchResults } from '#desk/features/search/search.contract.ts'
import type { DeskPort, PortPage, PortRow } from './ports.contract.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

let support: Visitor
beforeAll(async () => void (support = await newStaffVisitor(world().deskUrl ?? '', demoStaff.support)))

const pathOf = (reference: string, act = ''): string => `/api/desk/ports/${reference}/${act}`
const see = async (reference: string): Promise<DeskPort> => (await support.get(pathOf(reference))).body
const listed = async (of: string, before = ''): Promise<PortPage> =>
  (await support.get(`/api/desk/ports/?${new URLSearchParams({ of, ...(before && { before }) })}`)).body
const rowIn = async (of: string, reference: string): Promise<PortRow | undefined> =>
  (await listed(of)).rows.find((row) => row.reference === reference)
const details = { reason: 'details', note: 'read from the bill on the phone' }

async function aPort(change: object = {}, behaviour: Parameters<typeof newPortableNumber>[1] = 'played') {
  const customer = await makeCustomer(world(), { services: 1, last_name: 'Hohepa' })
  const number = await newPortableNumber(world(), behaviour)
  const [service] = customer.services
  const asked = await customer.visitor.post(`/api/services/port/${service!.id}/`, { ...portForm(number), ...change })
  expect(asked.status).toBe(200)
  const reference = `${service!.id}-port-1`
  await pollUntil(async () => (await world().ledgers()).network.some(({ external_id: id }) => id === reference))
  return { customer, number, reference, service: service! }
}
const onAccount = { billing_method: 2, account_number: '40118277', prepaid_sim_number: '' }
const comesTo = (reference: string, wanted: { status?: string; sub_state?: string }) =>
  pollUntil(async () => {
    const port = await world()
      .db.selectFrom('porting_requests')
      .selectAll()
      .where('external_id', '=', reference)
      .executeTakeFirst()
    return port && Object.entries(wanted).every(([name, value]) => Reflect.get(port, name) === value) && port
  })
async function play(port: { number: string; reference: string }, state: string, code?: string) {
  await setPortState(world(), { msisdn: port.number, state, ...(code && { code }) })
  const ends: Record<string, string> = {
    declined: 'FAILED',
    expired: 'FAILED',
    cancelled: 'FAILED',
    completed: 'COMPLETED',
  }
  return comesTo(port.reference, ends[state] ? { status: ends[state] } : { sub_state: state })
}
async function aDeclinedPort() {
  const port = await aPort(onAccount)
  await play(port, 'declined')
  return port
}
const answersOf = ({ answers }: DeskPort) => answers
const actsOf = ({ id }: Customer, event: string) =>
  world()
    .db.selectFrom('audit_events')
    .select(['event', 'actor', 'reason'])
    .where('user_id', '=', id)
    .where('event', '=', event)
    .where('staff_id', 'is not', null)
    .execute()

describe('lists of number transfers', () => {
  test('the lists group number transfers by who has to act next, and show each customer’s name', async () => {
    const before = (await listed('need')).counts
    const port = await aPort()
    expect(await rowIn('carrier', port.reference)).toMatchObject({
      number: formatNational(port.number),
      from: 'Skinny',
      name: 'Ana Hohepa',
      standing: { is_late: false, why: expect.stringContaining('Skinny') },
    })
    await play(port, 'informationRequired')
    expect(await rowIn('need', port.reference)).toMatchObject({
      standing: { words: 'Details needed', why: 'Skinny needs more details than we sent.', tone: 'warn' },
    })
    await play(port, 'awaitingCustomerReply')
    const { standing } = (await rowIn('customer', port.reference))!
    const { now } = await listed('customer')
    expect(standing).toMatchObject({ words: 'Waiting for YES', is_late: false })
    const left = Date.parse(standing.reply_by!) - Date.parse(now)
    expect([left > 7_000_000, left <= 7_200_000]).toEqual([true, true])
    await play(port, 'confirmed')
    expect(await rowIn('carrier', port.reference)).toMatchObject({ standing: { words: 'Confirmed', tone: 'good' } })
    await play(port, 'completed')
    expect(await rowIn('done', port.reference)).toMatchObject({ standing: { words: 'Moved', why: '' } })
    const failed = await aDeclinedPort()
    for (const of of ['need', 'failed'])
      expect(await rowIn(of, failed.reference)).toMatchObject({
        standing: { words: 'Declined', tone: 'bad', why: 'Skinny has a different account number for this number.' },
      })
    for (const of of ['customer', 'carrier', 'done']) expect(await rowIn(of, failed.reference)).toBeUndefined()
    const { counts } = await listed('need')
    expect({
      need: counts.need - before.need,
      done: counts.done - before.done,
      failed: counts.failed - before.failed,
    }).toEqual({ need: 1, done: 1, failed: 1 })
  })

  test(
    'the list of number transfers is paginated without repeats, and an invalid cursor starts the list again',
    { tags: ['slow'] },
    async () => {
      const { reference } = await aDeclinedPort()
      const { id: _, external_id: __, order_id: ___, ...like } = (await comesTo(reference, {}))!
      const made = Array.from({ length: 70 }, (_each, at) => `page-${String(at).padStart(3, '0')}`)
      await world()
        .db.insertInto('porting_requests')
        .values(
          made.map((external_id, at) => ({
            ...like,
            id: crypto.randomUUID(),
            external_id,
            order_id: null,
            // Several transfers have the same time, to test that none is skipped or repeated from page to page.
            ended_at: new Date(Date.UTC(2001, 0, 1, 0, Math.floor(at / 7))),
            created_at: new Date(Date.UTC(2000, 11, 31, 0, Math.floor(at / 7))),
          })),
        )
        .execute()
      const seen: string[] = []
      let next: string | null = ''
      for (let pages = 0; next !== null && pages < 20; pages++) {
        const page: PortPage = await listed('failed', next)
        expect(page.rows.length).toBeLessThanOrEqual(50)
        seen.push(...page.rows.map((row) => row.reference))
        next = page.next
      }
      expect(seen.filter((each) => each.startsWith('page-')).toSorted()).toEqual(made)
      expect((await listed('need')).rows.map((row) => row.reference)).not.toContain('page-000')
      await world().db.deleteFrom('porting_requests').where('external_id', 'like', 'page-%').execute()
      for (const nonsense of ['x', '2026-01-01T00:00:00.000Z~x', '9'.repeat(90)])
        expect((await listed('failed', nonsense)).rows.length).toBeGreaterThan(0)
    },
  )

  test('only support can list, view, correct or cancel number transfers', async () => {
    const { reference } = await aDeclinedPort()
    for (const email of [demoStaff.lead, demoStaff.admin]) {
      const other = await newStaffVisitor(world().deskUrl ?? '', email)
      expect((await other.get('/api/desk/ports/')).status).toBe(403)
      expect((await other.get(pathOf(reference))).status).toBe(403)
      for (const act of ['correct/', 'cancel/'])
        expect((await other.post(pathOf(reference, act), details)).status).toBe(403)
    }
    const nobody = await newStaffVisitor(world().deskUrl ?? '', null)
    expect((await nobody.get(pathOf(reference))).status).toBe(401)
    expect((await support.get(pathOf('nothing-port-1'))).status).toBe(404)
  })
})

describe('a number transfer’s page', () => {
  test(
    'a declined transfer shows its stages, details, events and advice, and viewing it is recorded',
    { tags: ['slow'] },
    async () => {
      const port = await aDeclinedPort()
      const shown = await see(port.reference)
      expect(shown).toMatchObject({
        number: formatNational(port.number),
        from: 'Skinny',
        customer: { id: port.customer.id, name: 'Ana Hohepa', number: formatNational(port.service.msisdn) },
        order_code: null,
        decline: {
          why: 'Skinny has a different account number for this number.',
          code: 'DONOR_ACCOUNT_MISMATCH',
          field: 'account_number',
          ask: expect.stringContaining('their last Skinny bill'),
        },
        answers: { provider: 'skinny', billing_method: 'account', account_number: '40118277', prepaid_sim_number: '' },
        requests: [{ reference: port.reference, words: 'Declined', changed: [] }],
        later: null,
        correct_why: null,
        cancel_why: 'This transfer has failed, so there is nothing to cancel.',
      })
      expect(shown.stages.map(({ words, tone }) => [words, tone])).toEqual([
        ['Request sent', 'good'],
        ['Declined', 'bad'],
      ])
      expect(shown.events.at(-1)).toMatchObject({
        words: 'Declined',
        detail: expect.stringContaining('DONOR_ACCOUNT_MISMATCH'),
      })
      for (const secret of [port.customer.email, 'Hohepa', '40118277', port.number, formatNational(port.number)])
        expect(shown.for_carrier).not.toContain(secret)
      expect(shown.for_carrier).toContain(port.reference)
      expect(JSON.stringify(shown)).not.toContain(port.customer.email)
      const looks = await world()
        .db.selectFrom('access_log')
        .selectAll()
        .where('subject', '=', port.reference)
        .execute()
      expect(looks).toMatchObject([{ act: 'port_seen', user_id: port.customer.id }])
    },
  )

  test(
    'a number transfer in progress shows its remaining stages, and the order that it belongs to',
    { tags: ['slow'] },
    async () => {
      const number = await newPortableNumber(world(), 'waits_for_reply')
      const { orderCode } = await activate(world(), { port: portForm(number) })
      const reference = `${orderCode}-port-1`
      await comesTo(reference, { sub_state: 'awaitingCustomerReply' })
      const shown = await see(reference)
      expect(shown).toMatchObject({ order_code: orderCode, decline: null, cancel_why: null })
      expect(shown.stages.map(({ words, at, is_now }) => [words, at !== null, is_now])).toEqual([
        ['Request sent', true, false],
        ['Number confirmed by Skinny', true, true],
        ['YES received', false, false],
        ['Moved', false, false],
      ])
      expect(shown.correct_why).toBe('A transfer for this service is already in progress. Cancel it first.')
    },
  )
})

describe('correcting and resubmitting a number transfer', () => {
  test(
    'correcting a transfer sends a new request in the staff member’s name, and the page shows both requests',
    { tags: ['slow'] },
    async () => {
      const port = await aDeclinedPort()
      const { customer, service } = port
      const good = { ...answersOf(await see(port.reference)), account_number: '401182773' }
      const { status, body } = await support.post(pathOf(port.reference, 'correct/'), { ...good, ...details })
      const next = `${service.id}-port-2`
      expect([status, body]).toEqual([200, { reference: next }])
      await comesTo(next, { status: 'NEW' })
      const shown = await see(next)
      expect(shown.requests).toMatchObject([
        { reference: port.reference, answers: { account_number: '40118277' }, changed: [], words: 'Declined' },
        {
          reference: next,
          answers: { account_number: '401182773' },
          changed: ['account_number'],
          words: 'In progress',
        },
      ])
      expect(shown.events[0]).toMatchObject({ words: 'Requested', by: 'Hine Walker' })
      expect(await see(port.reference)).toMatchObject({
        later: next,
        correct_why: `This transfer was already requested again: ${next}.`,
      })
      expect(await rowIn('need', port.reference)).toBeUndefined()
      expect(await rowIn('failed', port.reference)).toBeDefined()
      expect(await actsOf(customer, 'number_transfer_requested')).toEqual([
        {
          event: 'number_transfer_requested',
          actor: 'staff:Hine Walker',
          reason: 'details: read from the bill on the phone',
        },
      ])
      await support.post(`/api/desk/customers/${customer.id}/open/`, { reason: 'task' })
      const { rows } = (await support.get(`/api/desk/customers/${customer.id}/happened/?of=staff`)).body
      expect(rows).toContainEqual(
        expect.objectContaining({ by: 'Hine Walker', why: 'Wrong details sent: read from the bill on the phone' }),
      )
      expect((await support.post(pathOf(port.reference, 'correct/'), { ...good, ...details })).status).toBe(409)
      await pollUntil(async () => (await world().ledgers()).network.some(({ external_id: id }) => id === next))
      await play({ ...port, reference: next }, 'completed')
      expect((await see(next)).correct_why).toBe('This transfer is complete: the number is with us.')
    },
  )

  test(
    'an invalid correction to a number transfer is rejected with the field at fault, and changes nothing',
    { tags: ['slow'] },
    async () => {
      const port = await aDeclinedPort()
      const good = answersOf(await see(port.reference))
      const send = async (change: object) =>
        await support.post(pathOf(port.reference, 'correct/'), { ...good, ...details, ...change })
      const { msisdn } = await world().newSim()
      expect(await send({ msisdn: formatNational(msisdn) })).toMatchObject({
        status: 400,
        body: { msisdn: [portingMessages.taken] },
      })
      expect(await send({ account_number: '' })).toMatchObject({
        status: 400,
        body: { account_number: [portingMessages.account] },
      })
      expect(await send({ billing_method: 'prepay' })).toMatchObject({
        status: 400,
        body: { prepaid_sim_number: [portingMessages.sim] },
      })
      expect(await send({ provider: 'nobody' })).toMatchObject({
        status: 400,
        body: { provider: [portingMessages.provider] },
      })
      expect(await send({ reason: 'because' })).toMatchObject({ status: 400, body: { reason: expect.any(Array) } })
      expect(await send({ reason: 'other', note: 'no' })).toMatchObject({
        status: 400,
        body: { note: expect.any(Array) },
      })
      expect((await see(port.reference)).requests).toHaveLength(1)
      expect(await actsOf(port.customer, 'number_transfer_requested')).toEqual([])
    },
  )

  test(
    'only one of several simultaneous corrections to a number transfer is accepted',
    { tags: ['slow'] },
    async () => {
      const port = await aDeclinedPort()
      const body = { ...answersOf(await see(port.reference)), account_number: '401182773', ...details }
      const answers = await Promise.all([1, 2, 3, 4].map(() => support.post(pathOf(port.reference, 'correct/'), body)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
      expect((await see(port.reference)).requests).toHaveLength(2)
    },
  )
})

describe('cancelling a number transfer', () => {
  const cancel = async (reference: string) => support.post(pathOf(reference, 'cancel/'), { reason: 'customers-wish' })

  test('cancelling a number transfer leaves the number with its old provider, and is audited with the reason', async () => {
    const port = await aPort({}, 'waits_for_reply')
    await comesTo(port.reference, { sub_state: 'awaitingCustomerReply' })
    expect((await cancel(port.reference)).body).toEqual({
      outcome: 'cancelled',
      said: `Cancelled. ${formatNational(port.number)} stays with Skinny. We’ll tell the customer by email.`,
    })
    expect(await actsOf(port.customer, 'number_transfer_cancel_requested')).toEqual([
      { event: 'number_transfer_cancel_requested', actor: 'staff:Hine Walker', reason: 'customers-wish' },
    ])
    const shown = await see(port.reference)
    expect(shown.standing.words).toBe('Cancelled')
    expect(shown.events).toContainEqual(expect.objectContaining({ words: 'Cancellation requested', by: 'Hine Walker' }))
    expect(await rowIn('need', port.reference)).toBeUndefined()
    const again = await cancel(port.reference)
    expect([again.status, again.body]).toEqual([409, { __all__: ['This transfer was already cancelled.'] }])
  })

  test(
    'cancelling a confirmed number transfer is rejected as too late, and the transfer continues',
    { tags: ['slow'] },
    async () => {
      const port = await aPort({}, 'waits_for_donor')
      await comesTo(port.reference, { sub_state: 'confirmed' })
      expect((await see(port.reference)).cancel_why).toBe(
        'The transfer has been confirmed, so it can no longer be cancelled.',
      )
      const { body } = await cancel(port.reference)
      expect(body).toEqual({
        outcome: 'refused',
        said: expect.stringMatching(/^Too late: .* can no longer be cancelled\. \(CANCEL_TOO_LATE\)$/),
      })
      expect(await comesTo(port.reference, { status: 'SUBMITTED' })).toBeTruthy()
    },
  )

  test(
    'while the network is unreachable, cancelling a number transfer stays undecided and is retried',
    { tags: ['slow'] },
    async () => {
      const port = await aPort({}, 'waits_for_reply')
      await comesTo(port.reference, { sub_state: 'awaitingCustomerReply' })
      await failNetwork(world(), { operation: 'cancel', kind: 'error_500', times: 100 })
      expect((await cancel(port.reference)).body).toMatchObject({ outcome: 'undecided' })
      expect((await see(port.reference)).standing.words).toBe('Being cancelled')
      await clearFailures(world())
      await world()
        .db.updateTable('porting_requests')
        .set({ retry_at: new Date() })
        .where('external_id', '=', port.reference)
        .execute()
      await comesTo(port.reference, { status: 'CANCELLED' })
    },
  )
})

describe('ways to find a number transfer', () => {
  test(
    'support, but not finance, finds a transfer by its phone number and on the customer’s page',
    { tags: ['slow'] },
    async () => {
      const port = await aDeclinedPort()
      const href = `/ports/${port.reference}/`
      const finance = await newStaffVisitor(world().deskUrl ?? '', demoStaff.lead)
      const foundBy = async (who: Visitor) => {
        const { groups } = (await who.get(`/api/desk/search/?q=${encodeURIComponent(port.number)}`))
          .body as SearchResults
        return groups.flatMap(({ kind, rows }) => (kind === 'port' ? rows : []))
      }
      expect(await foundBy(support)).toMatchObject([
        { hit: formatNational(port.number), name: 'Ana Ho•••••', detail: 'From Skinny', state: 'Declined', href },
      ])
      expect(await foundBy(finance)).toEqual([])
      const customerAs = async (who: Visitor) => {
        await who.post(`/api/desk/customers/${port.customer.id}/open/`, { reason: 'call' })
        return (await who.get(`/api/desk/customers/${port.customer.id}/`)).body.customer
      }
      const { numbers, happened } = await customerAs(support)
      expect(numbers).toMatchObject([
        {
          port: { reference: port.reference, words: `${formatNational(port.number)} from Skinny, declined` },
        },
      ])
      expect(happened.rows).toContainEqual(expect.objectContaining({ icon: 'transfer', port: port.reference }))
      expect((await customerAs(finance)).numbers).toMatchObject([{ port: null }])
    },
  )
})

// This test comes last, because it advances the clock for every number transfer in this test world.
test(
  'a number transfer to which the customer has not replied for a week is late, and staff have to act',
  { tags: ['slow'] },
  async () => {
    const port = await aPort()
    await play(port, 'awaitingCustomerReply')
    expect(await rowIn('customer', port.reference)).toBeDefined()
    // A transfer is late after four working hours, and any seven days contain at least four, even at Christmas.
    await world().advance('P7D')
    expect(await rowIn('need', port.reference)).toMatchObject({
      standing: { is_late: true, words: 'Reply period ended' },
    })
    expect(await rowIn('customer', port.reference)).toBeUndefined()
  },
)
