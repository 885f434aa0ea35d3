/* @module-tag slow */
import { describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { formatHour } from '#kit/server/relative-day.ts'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import { newPortableNumber, setPortState, setNetworkEvents } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import { portServiceMessages } from './port-service.contract.ts'

const world = useWorld()

const pathOf = ({ services: [service] }: Customer): string => `/api/services/port/${service!.id}/`
const portOf = async ({ visitor, services: [service] }: Customer) =>
  (await visitor.get('/api/services/')).body[service!.id].porting_request

async function bringing() {
  const customer = await makeCustomer(world(), { services: 1 })
  const number = await newPortableNumber(world(), 'played')
  expect((await customer.visitor.post(pathOf(customer), portForm(number))).status).toBe(200)
  const id = `${customer.services[0]!.id}-port-1`
  await pollUntil(async () => (await world().ledgers()).network.some(({ external_id }) => external_id === id))
  return { customer, number }
}

type Bringing = Awaited<ReturnType<typeof bringing>>

async function play({ customer, number }: Bringing, state: string, step: string) {
  await setPortState(world(), { msisdn: number, state })
  return pollUntil(async () => {
    const port = await portOf(customer)
    return port.progress?.step === step && port
  })
}

const messagesTo = (to: string) => (to.includes('@') ? world().mailTo(to) : world().smsTo(to))
const hoursAfter = (iso: string, hours: number): string =>
  Temporal.Instant.from(iso).add({ hours }).toString({ fractionalSecondDigits: 3 })

describe('progress of a number transfer', () => {
  test('reports when each step of a number transfer began, and the deadline for the customer’s reply', async () => {
    const bring = await bringing()
    const sent = await pollUntil(async () => {
      const port = await portOf(bring.customer)
      return port.progress?.since && port
    })
    expect(sent).toMatchObject({
      donor: 'Skinny',
      billing_method: 1,
      requested_at: expect.any(String),
      progress: { step: 'sent', found_at: null, confirmed_at: null, reply_by: null, is_cancelling: false },
    })
    expect(await play(bring, 'informationRequired', 'information')).toMatchObject({
      status: 1,
      progress: { found_at: null, reply_by: null },
    })
    await play(bring, 'requested', 'sent')
    const { status, progress } = await play(bring, 'awaitingCustomerReply', 'reply')
    expect(status).toBe(2)
    expect(progress).toMatchObject({ found_at: progress.since, confirmed_at: null })
    expect(progress.reply_by).toBe(hoursAfter(progress.since, 2))
    const moving = await play(bring, 'confirmed', 'moving')
    expect(moving.progress).toMatchObject({
      found_at: progress.since,
      confirmed_at: moving.progress.since,
      reply_by: null,
    })
    const moved = await play(bring, 'completed', 'moved')
    expect(moved).toMatchObject({ status: 3, progress: { confirmed_at: moving.progress.since } })
    await world().advance('P7D')
    expect((await portOf(bring.customer)).progress).toBeNull()
  })

  test('reports when the network reached a step of a transfer, even if we learn of it half an hour late', async () => {
    const bring = await bringing()
    const asked = (seconds: number) =>
      world()
        .db.updateTable('porting_requests')
        .set({ retry_at: new Date(Date.now() + seconds * 1_000) })
        .where('msisdn', '=', bring.number)
        .execute()
    await play(bring, 'requested', 'sent')
    await setNetworkEvents(world(), { mode: 'drop' })
    await asked(3_600)
    const before = world().deps.clock.now()
    await setPortState(world(), { msisdn: bring.number, state: 'awaitingCustomerReply' })
    await world().advance('PT30M')
    await setNetworkEvents(world(), { mode: 'normal' })
    await asked(0)
    const { progress } = await pollUntil(async () => {
      const port = await portOf(bring.customer)
      return port.progress?.step === 'reply' && port
    })
    const late = before.until(Temporal.Instant.from(progress.since)).total('minutes')
    expect(Math.abs(late)).toBeLessThan(10)
  })

  test('asks for the customer’s reply once by text to the new SIM and once by email, never by text to the number being moved', async () => {
    const bring = await bringing()
    const { customer, number } = bring
    const own = customer.services[0]!.msisdn
    const { progress } = await play(bring, 'awaitingCustomerReply', 'reply')
    const by = formatHour(Temporal.Instant.from(progress.reply_by), world().deps.market.zone)
    const text = await pollUntil(async () => (await messagesTo(own)).find((each) => each.text.includes('YES')))
    expect(text.text).toBe(
      `Fantail: reply YES to the text from 2542 on your OLD SIM by ${by}, or ${formatNational(number)} stays with Skinny. ` +
        `No text? Call ${world().deps.help.phone}`,
    )
    const mail = await pollUntil(async () =>
      (await messagesTo(customer.email)).find((each) => each.subject.startsWith('Reply YES')),
    )
    expect(mail.subject).toBe(`Reply YES by ${by} to move ${formatNational(number)}`)
    expect(mail.links).toContain(`${world().url}/services/${customer.services[0]!.id}/port/`)
    await play(bring, 'informationRequired', 'information')
    await play(bring, 'awaitingCustomerReply', 'reply')
    await play(bring, 'confirmed', 'moving')
    expect((await messagesTo(own)).filter((each) => each.text.includes('YES'))).toHaveLength(1)
    expect((await messagesTo(customer.email)).filter((each) => each.subject.startsWith('Reply YES'))).toHaveLength(1)
    expect(await messagesTo(number)).toEqual([])
  })

  test('announces a completed transfer by text to the transferred number, which is on the new SIM by then', async () => {
    const bring = await bringing()
    await play(bring, 'completed', 'moved')
    await world().advance('PT14H')
    const text = await pollUntil(async () => (await messagesTo(bring.number))[0])
    expect(text.text).toMatch(/^Fantail: .* has moved to your new SIM\. Put it into your phone/)
    expect(await messagesTo(bring.customer.services[0]!.msisdn)).toEqual([])
  })

  test('a text to the new SIM reports a failed transfer and gives the reason in our own words', async () => {
    const bring = await bringing()
    await setPortState(world(), { msisdn: bring.number, state: 'declined' })
    await pollUntil(async () => (await portOf(bring.customer)).status === 4)
    await world().advance('PT14H')
    const own = bring.customer.services[0]!.msisdn
    const text = await pollUntil(async () => (await messagesTo(own))[0])
    expect(text.text).toContain(
      `${formatNational(bring.number)} didn't move. Skinny has a different SIM number for this number. ${formatNational(own)} still works`,
    )
    expect(await messagesTo(bring.number)).toEqual([])
  })
})

describe('number transfers cancelled by the customer', () => {
  async function remove(visitor: Visitor, customer: Customer) {
    await visitor.get('/api/account/')
    return visitor.send('DELETE', pathOf(customer), { headers: { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' } })
  }
  const cancel = ({ customer }: Bringing) => remove(customer.visitor, customer)

  test('a customer can cancel a transfer before replying, and then has no failure to acknowledge', async () => {
    const bring = await bringing()
    await play(bring, 'awaitingCustomerReply', 'reply')
    expect(await cancel(bring)).toMatchObject({ status: 200, body: { status: 4 } })
    expect(await portOf(bring.customer)).toMatchObject({
      status: 4,
      reason: 'cancelled',
      failure_acknowledged_at: expect.any(String),
      progress: null,
    })
    const audits = await world()
      .db.selectFrom('audit_events')
      .select('actor')
      .where('user_id', '=', bring.customer.id)
      .where('event', '=', 'number_transfer_cancel_requested')
      .execute()
    expect(audits).toHaveLength(1)
    expect((await bring.customer.visitor.get(pathOf(bring.customer))).body.msisdn).toBe(formatNational(bring.number))
    expect(await cancel(bring)).toMatchObject({ status: 200, body: { status: 4 } })
  })

  test('a customer cannot cancel a confirmed transfer', async () => {
    const bring = await bringing()
    await play(bring, 'confirmed', 'moving')
    expect(await cancel(bring)).toMatchObject({ status: 400, body: { __all__: [portServiceMessages.tooLate] } })
    expect((await portOf(bring.customer)).progress).toMatchObject({ step: 'moving', is_cancelling: false })
  })

  test('rejects a cancellation from another customer, from a signed-out visitor, or when there is no transfer', async () => {
    const bring = await bringing()
    const other = await makeCustomer(world(), { services: 1 })
    expect((await remove(other.visitor, bring.customer)).status).toBe(404)
    expect(await remove(other.visitor, other)).toMatchObject({
      status: 400,
      body: { __all__: [portServiceMessages.none] },
    })
    expect((await remove(world().visitor(), bring.customer)).status).toBe(401)
  })
})
