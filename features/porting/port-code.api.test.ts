import { expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import { readDonorCode, failNetwork, newPortableNumber, setPortState } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { portCodeMessages } from './port-code.contract.ts'

const world = useWorld({ env: { MARKET: 'AU' } })

async function asked(behaviour: 'played' | 'asks_code' = 'played') {
  const customer = await makeCustomer(world(), { services: 1 })
  const { visitor, services, email } = customer
  const service = services[0]!
  const number = await newPortableNumber(world(), behaviour)
  expect((await visitor.post(`/api/services/port/${service.id}/`, portForm(number))).status).toBe(200)
  const portOf = async () => (await visitor.get('/api/services/')).body[service.id].porting_request
  const send = (code: string, by = visitor) => by.post(`/api/services/port_code/${service.id}/`, { code })
  const reaches = (step: string) => pollUntil(async () => (await portOf()).progress?.step === step)
  await pollUntil(async () =>
    (await world().ledgers()).network.some(({ external_id }) => external_id === `${service.id}-port-1`),
  )
  return { visitor, service, email, number, portOf, send, reaches }
}

async function awaited() {
  const bring = await asked()
  expect((await bring.send('123456')).body).toEqual({ __all__: [portCodeMessages.notAwaited] })
  await setPortState(world(), { msisdn: bring.number, state: 'awaitingCustomerReply' })
  await bring.reaches('reply')
  return { ...bring, code: (await readDonorCode(world(), bring.number))! }
}

const wrongOf = (code: string): string => (code === '000000' ? '111111' : '000000')

test('the code texted to a number confirms that number’s transfer and does not appear in the audit trail', async () => {
  const { send, code, service, portOf } = await awaited()
  expect(await send(code)).toMatchObject({ status: 200, body: { status: 2 } })
  expect((await portOf()).progress.step).toBe('moving')
  expect(await send(code)).toMatchObject({ status: 200, body: { status: 2 } })
  const events = await world().db.selectFrom('audit_events').select(['event', 'details']).execute()
  const enteredEvents = events.filter(({ event }) => event === 'number_transfer_code_entered')
  expect(enteredEvents.filter(({ details }) => JSON.stringify(details).includes(service.id))).toHaveLength(1)
  expect(JSON.stringify(events)).not.toContain(code)
})

test(
  'a malformed or wrong transfer code gets a field error, and the correct code is still accepted afterwards',
  { tags: ['slow'] },
  async () => {
    const { send, code, portOf } = await awaited()
    for (const none of ['', '12', '12345678901', 'abcdef'])
      expect(await send(none)).toMatchObject({ status: 400, body: { code: [portCodeMessages.format] } })
    expect(await send(wrongOf(code))).toMatchObject({ status: 400, body: { code: [portCodeMessages.wrong] } })
    expect((await portOf()).progress.step).toBe('reply')
    expect((await send(code)).status).toBe(200)
  },
)

test('the fifth wrong code ends a number transfer, but the submitted details are kept', async () => {
  const { send, code, portOf, visitor, service } = await awaited()
  for (let sent = 0; sent < 4; sent++) expect((await send(wrongOf(code))).status).toBe(400)
  expect(await send(wrongOf(code))).toMatchObject({ status: 200, body: { status: 4 } })
  expect(await portOf()).toMatchObject({ status: 4, reason: null, progress: null })
  expect((await visitor.get(`/api/services/port/${service.id}/`)).body).not.toBeNull()
  expect((await send(code)).body).toEqual({ __all__: [portCodeMessages.notAwaited] })
})

test(
  'answers 202 while the network’s response to a code is unknown, and accepts the same code again',
  { tags: ['slow'] },
  async () => {
    const { send, code, portOf } = await awaited()
    await failNetwork(world(), { operation: 'amend', kind: 'error_500' })
    expect(await send(code)).toMatchObject({ status: 202, body: { status: 2 } })
    expect((await send(code)).status).toBe(200)
    const other = await awaited()
    await failNetwork(world(), { operation: 'amend', kind: 'lost_answer' })
    expect(await other.send(other.code)).toMatchObject({ status: 202, body: { status: 2 } })
    await other.reaches('moving')
    expect(await other.send(other.code)).toMatchObject({ status: 200, body: { status: 2 } })
    expect((await portOf()).progress.step).toBe('moving')
  },
)

test('answers 404 to a customer who sends the code for another customer’s transfer', async () => {
  const { send, code, portOf } = await awaited()
  const stranger = await makeCustomer(world(), { services: 1 })
  expect((await send(code, stranger.visitor)).status).toBe(404)
  expect((await portOf()).progress.step).toBe('reply')
})

test('asks the customer for the transfer code by email and by text to the new SIM, never by text to the number being moved', async () => {
  const { service, number, email } = await awaited()
  const text = await pollUntil(async () =>
    (await world().smsTo(service.msisdn)).find((each) => each.text.includes('code')),
  )
  expect(text.text).toMatch(
    /^Fantail: log in and enter the code texted to your OLD SIM by .* stays with Telstra\. No text\? Call/,
  )
  const mail = await pollUntil(async () =>
    (await world().mailTo(email)).find((each) => each.subject.startsWith('Enter your code')),
  )
  expect(mail.subject).toContain(`to move ${formatNational(number)}`)
  expect(mail.text).not.toMatch(/‘Yes’|2542/)
  const toNumber = (await world().smsTo(number)).filter((each) => !each.text.startsWith('Your code'))
  expect(toNumber).toEqual([])
})

test(
  'a transfer expires if its code is never entered, and the demo’s mailbox shows the other provider’s text',
  { tags: ['slow'] },
  async () => {
    const { number, portOf, reaches } = await asked('asks_code')
    await reaches('reply')
    const code = await readDonorCode(world(), number)
    const { body } = await world()
      .visitor()
      .get(`/demo/api/messages/?to=${encodeURIComponent(number)}`)
    expect(body).toMatchObject([{ channel: 'sms', to: number, text: expect.stringContaining(code!) }])
    await world().advance('PT3H')
    await pollUntil(async () => (await portOf()).status === 4)
    expect(await portOf()).toMatchObject({
      reason: 'no_reply',
      reason_text: 'The code was not entered within 2 hours.',
    })
  },
)
