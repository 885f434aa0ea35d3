/* @module-tag slow */
import { describe, expect, test } from 'vitest'
import { makeCustomer } from '#quality/support/customer.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import { newPortableNumber, setNetworkEvents } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()

async function transfer(behaviour: 'completes' | 'fails') {
  const customer = await makeCustomer(world(), { services: 1 })
  const [service] = customer.services
  const number = await newPortableNumber(world(), behaviour)
  await customer.visitor.post(`/api/services/port/${service!.id}/`, portForm(number))
  await world().advance('PT5H')
  // Ignore the plan status (`outlook`), because its number of days changes at midnight.
  const look = async () => {
    const { outlook: _, ...seen } = (await customer.visitor.get('/api/services/')).body[service!.id]
    return seen
  }
  const end = await pollUntil(async () => {
    const seen = await look()
    return [3, 4].includes(seen.porting_request.status) && seen
  })
  const mails = async () =>
    (await world().mailTo(customer.email)).filter(({ subject }) => /number .* is now|could not transfer/i.test(subject))
      .length
  await pollUntil(async () => (await mails()) > 0)
  return { service: service!, number, look, end, mails }
}

describe.each(['normal', 'duplicate', 'reorder', 'hold', 'drop'] as const)('network events in mode %s', (mode) => {
  test('a completed transfer changes the service’s number and sends one email, even if events are late, lost or repeated', async () => {
    await setNetworkEvents(world(), { mode })
    const { number, end, look, mails } = await transfer('completes')
    expect({ status: end.porting_request.status, msisdn: end.msisdn }).toEqual({ status: 3, msisdn: number })
    await setNetworkEvents(world(), { mode: 'normal', release: true })
    await world().advance('PT1M')
    expect(await look()).toEqual(end)
    expect(await mails()).toBe(1)
  })

  test('when the other provider declines a transfer, the service keeps its SIM pack’s number and one email is sent', async () => {
    await setNetworkEvents(world(), { mode })
    const { service, end, look, mails } = await transfer('fails')
    expect({ status: end.porting_request.status, msisdn: end.msisdn }).toEqual({ status: 4, msisdn: service.msisdn })
    await setNetworkEvents(world(), { mode: 'normal', release: true })
    await world().advance('PT1M')
    expect(await look()).toEqual(end)
    expect(await mails()).toBe(1)
  })
})
