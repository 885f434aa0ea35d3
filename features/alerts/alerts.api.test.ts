import { describe, expect, test } from 'vitest'
import { setAutoRenewal } from '#quality/support/auto-renewal.ts'
import { makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { useWorld } from '#quality/support/world.ts'
import { alertMessages } from './alerts.contract.ts'

const world = useWorld()
const pathOf = (uuid: string): string => `/api/services/alerts/${uuid}/`
const usual = { half: 'off', most: 'text', all: 'both', before_end: 'both' } as const
const percents = { half: 50, most: 80, all: 100 }

describe('alert settings', () => {
  test('alert settings have the market’s defaults until the customer changes them', async () => {
    const { visitor, service } = await makeSubscriber(world())
    const before = await visitor.get(pathOf(service.id))
    expect(before).toMatchObject({ status: 200, body: { ...usual, percents, end_fixed: true } })
    const chosen = { half: 'both', most: 'off', all: 'email', before_end: 'both' }
    const saved = await visitor.post(pathOf(service.id), chosen)
    expect(saved).toMatchObject({ status: 200, body: { ...chosen, percents, end_fixed: true } })
    expect((await visitor.get(pathOf(service.id))).body).toEqual(saved.body)
  })

  test('the alert settings of one service do not affect another service', { tags: ['slow'] }, async () => {
    const { visitor, services } = await makeCustomer(world(), { services: 2 })
    const [one, other] = services
    await visitor.post(pathOf(one!.id), { ...usual, all: 'off' })
    expect((await visitor.get(pathOf(other!.id))).body).toMatchObject(usual)
  })

  test('the plan-end alert cannot be changed while auto-renewal is off; switching auto-renewal on restores the saved choice', async () => {
    const customer = await makeSubscriber(world(), { card: true })
    const { visitor, service } = customer
    const fewer = { ...usual, before_end: 'email' }
    expect(await visitor.post(pathOf(service.id), fewer)).toMatchObject({
      status: 400,
      body: { before_end: [alertMessages.endFixed] },
    })
    await setAutoRenewal({ customer, service }, 'PUT')
    expect(await visitor.post(pathOf(service.id), fewer)).toMatchObject({
      status: 200,
      body: { before_end: 'email', end_fixed: false },
    })
    await setAutoRenewal({ customer, service }, 'DELETE')
    expect((await visitor.get(pathOf(service.id))).body).toMatchObject({ before_end: 'both', end_fixed: true })
    expect((await visitor.post(pathOf(service.id), usual)).status).toBe(200)
    await setAutoRenewal({ customer, service }, 'PUT')
    expect((await visitor.get(pathOf(service.id))).body).toMatchObject({ before_end: 'email', end_fixed: false })
  })

  test.each([
    ['no settings', {}, ['half', 'most', 'all', 'before_end']],
    ['an unknown channel', { ...usual, most: 'letter' }, ['most']],
    ['no channel for the plan’s end', { ...usual, before_end: 'off' }, ['before_end']],
  ])('rejects invalid alert settings with an error for each invalid field: %s', async (_, body, fields) => {
    const { visitor, service } = await makeSubscriber(world())
    const { status, body: errors } = await visitor.post(pathOf(service.id), body)
    expect(status).toBe(400)
    expect(Object.keys(errors).toSorted()).toEqual(fields.toSorted())
    expect((await visitor.get(pathOf(service.id))).body).toMatchObject(usual)
  })

  test('answers 404 to requests for the alert settings of another customer’s service', async () => {
    const { service } = await makeSubscriber(world())
    const { visitor } = await makeSubscriber(world())
    const missing = await visitor.get(pathOf(crypto.randomUUID()))
    expect(missing.status).toBe(404)
    expect(await visitor.get(pathOf(service.id))).toMatchObject({ status: 404, body: missing.body })
    expect((await visitor.post(pathOf(service.id), usual)).status).toBe(404)
  })
})
