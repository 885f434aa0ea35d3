/* @module-tag slow */
import { expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import { newPortableNumber, setPortState } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { messageCustomerAboutPort } from './server/message-customer.ts'
import { findPortByExternalId } from './server/porting.store.ts'

const world = useWorld({ env: { MARKET: 'AU' } })
const actor = { by: 'operator', name: 'Hine' } as const

async function aPort(state: string) {
  const customer = await makeCustomer(world(), { services: 1 })
  const service = customer.services[0]!
  const number = await newPortableNumber(world(), 'played')
  expect((await customer.visitor.post(`/api/services/port/${service.id}/`, portForm(number))).status).toBe(200)
  const externalId = `${service.id}-port-1`
  await pollUntil(async () => (await world().ledgers()).network.some(({ external_id: id }) => id === externalId))
  await setPortState(world(), { msisdn: number, state })
  await pollUntil(async () => {
    const port = await findPortByExternalId(world().db, externalId)
    return port?.sub_state === state || (port?.ended_at ?? null) !== null
  })
  return { customer, service, number, externalId }
}

test('in Australia, staff can remind a customer to enter the transfer code, unless the customer is blocked', async () => {
  const { customer, service, number, externalId } = await aPort('awaitingCustomerReply')
  expect(await messageCustomerAboutPort(world().deps, { externalId, act: 'remind' }, actor)).toMatchObject({
    own: service.msisdn,
    byMail: true,
  })
  const texts = await pollUntil(async () => {
    const found = (await world().smsTo(service.msisdn)).filter(({ text }) => text.includes('texted to your OLD SIM'))
    return found.length === 2 && found
  })
  expect(texts[0]?.text).toMatch(/^Fantail: log in and enter the code texted to your OLD SIM by /)
  expect((await world().smsTo(number)).filter(({ text }) => text.startsWith('Fantail'))).toEqual([])
  await world().db.updateTable('users').set({ blocked_at: new Date() }).where('id', '=', customer.id).execute()
  expect(await messageCustomerAboutPort(world().deps, { externalId, act: 'remind' }, actor)).toEqual({
    why: 'This customer is blocked and can’t log in to correct the details.',
  })
})

test('in Australia, the email about a declined transfer shows the number in national format', async () => {
  const { customer, number, externalId } = await aPort('declined')
  expect(await messageCustomerAboutPort(world().deps, { externalId, act: 'ask' }, actor)).toMatchObject({
    byMail: true,
  })
  const mail = await pollUntil(async () =>
    (await world().mailTo(customer.email)).find(({ subject }) => subject.startsWith('What we need from you')),
  )
  expect(mail.subject).toBe(`What we need from you to move ${formatNational(number)}`)
  expect(mail.text).toContain(`Hello Ana, ${formatNational(number)} has not moved to`)
})

test('a text message about a failed transfer that is held overnight is dropped if the customer requests a new transfer', async () => {
  const { clock, market } = world().deps
  const { hour } = clock.now().toZonedDateTimeISO(market.zone)
  await world().advance(`PT${(23 - hour + 24) % 24}H`)
  const { service, customer, externalId } = await aPort('declined')
  await messageCustomerAboutPort(world().deps, { externalId, act: 'ask' }, actor)
  const port = await findPortByExternalId(world().db, externalId)
  const textOf = () =>
    world()
      .db.selectFrom('messages')
      .select(['sent_at', 'dropped_at', 'due_at', 'premise'])
      .where('ref', '=', port!.id)
      .where('kind', '=', 'port-ask-text')
      .executeTakeFirstOrThrow()
  await pollUntil(async () => (await textOf()).due_at !== null)
  expect(await textOf()).toMatchObject({ sent_at: null, premise: `port:${port!.id}:FAILED` })
  const next = portForm(await newPortableNumber(world(), 'played'))
  expect((await customer.visitor.post(`/api/services/port/${service.id}/`, next)).status).toBe(200)
  await world().advance('PT12H')
  await pollUntil(async () => (await textOf()).dropped_at !== null)
  expect((await world().smsTo(service.msisdn)).filter(({ text }) => /check/i.test(text))).toEqual([])
})
