import { describe, expect, test } from 'vitest'
import { makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { failNetwork } from '#quality/support/simulators.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import { numberNameMaxLength, ownNumberMessages } from './own-number.contract.ts'

const world = useWorld()
const rename = async (visitor: Visitor, uuid: string, name: string) => {
  await visitor.get('/api/account/')
  return visitor.send('PUT', `/api/services/name/${uuid}/`, {
    body: JSON.stringify({ name }),
    headers: { 'content-type': 'application/json', 'x-csrftoken': visitor.cookie('csrftoken') ?? '' },
  })
}
const pukOf = (uuid: string): string => `/api/services/puk/${uuid}/`

describe('giving a phone number a name', () => {
  test('a phone number’s name appears in every list, and saving an empty name removes it', async () => {
    const { visitor, service } = await makeSubscriber(world())
    expect((await rename(visitor, service.id, ' Mum’s tablet ')).body).toEqual({ name: 'Mum’s tablet' })
    expect((await visitor.get('/api/services/')).body[service.id].name).toBe('Mum’s tablet')
    expect((await visitor.get('/api/account/numbers/')).body[0].name).toBe('Mum’s tablet')
    expect((await rename(visitor, service.id, 'a\u202Eb')).body).toEqual({ name: 'ab' })
    expect((await rename(visitor, service.id, ' ')).body).toEqual({ name: null })
    expect((await visitor.get('/api/services/')).body[service.id].name).toBeNull()
  })

  test.each([
    ['x'.repeat(numberNameMaxLength + 1), ownNumberMessages.long],
    ['a\nb', ownNumberMessages.characters],
  ])('rejects the name %j for a phone number and changes nothing', async (name, message) => {
    const { visitor, service } = await makeSubscriber(world())
    const { status, body } = await rename(visitor, service.id, name)
    expect({ status, body }).toEqual({ status: 400, body: { name: [message] } })
    expect((await visitor.get('/api/services/')).body[service.id].name).toBeNull()
  })

  test('an attempt to name another customer’s number gets a 404', async () => {
    const { service } = await makeSubscriber(world())
    const { visitor } = await makeCustomer(world())
    expect((await rename(visitor, service.id, 'Mine')).status).toBe(404)
  })
})

describe('showing a SIM’s PUK', () => {
  const shown = (userId: string) =>
    world()
      .db.selectFrom('audit_events')
      .select('details')
      .where('user_id', '=', userId)
      .where('event', '=', 'puk_shown')
      .execute()

  test('a SIM’s PUK is fetched from the network after the password check, and the audit trail records every time it is shown', async () => {
    const { id, visitor, service, password } = await makeSubscriber(world())
    const first = await visitor.post(pukOf(service.id), { password })
    expect(first).toMatchObject({ status: 200, body: { puk: expect.stringMatching(/^\d{8}$/) } })
    expect((await visitor.post(pukOf(service.id), { password })).body).toEqual(first.body)
    const rows = await shown(id)
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toContain(first.body.puk)
  })

  test('shows the PUK that was loaded with the SIM pack', async () => {
    const { visitor, service, password } = await makeSubscriber(world())
    await world()
      .db.updateTable('sim_packs')
      .set({ puk_sealed: world().deps.secrets.sealKept('puk', '12345678') })
      .where('iccid', '=', service.sim.iccid)
      .execute()
    expect((await visitor.post(pukOf(service.id), { password })).body).toEqual({ puk: '12345678' })
  })

  test('a SIM’s PUK is not shown for a wrong password, to another customer or while the network is unavailable', async () => {
    const { id, visitor, service, password } = await makeSubscriber(world())
    const wrong = await visitor.post(pukOf(service.id), { password: 'not this one 1' })
    expect(wrong).toMatchObject({ status: 400, body: { password: ['That is not your current password.'] } })
    const { visitor: other, password: others } = await makeCustomer(world())
    expect((await other.post(pukOf(service.id), { password: others })).status).toBe(404)
    await failNetwork(world(), { operation: 'inventory', kind: 'error_500' })
    const silent = await visitor.post(pukOf(service.id), { password })
    expect(silent).toMatchObject({ status: 400, body: { __all__: [ownNumberMessages.pukUnavailable] } })
    expect(await shown(id)).toEqual([])
  })
})

test('only the customer who owns a service can download its plan’s last day as a calendar entry', async () => {
  const { visitor, service } = await makeSubscriber(world())
  await rename(visitor, service.id, 'Mum’s tablet')
  const path = `/documents/${service.id}/last-day.ics`
  const { status, headers, body } = await visitor.get(path)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
  expect(String(body)).toMatch(/^BEGIN:VCALENDAR\r\n/)
  expect(String(body)).toContain('SUMMARY:Last day: Mum’s tablet (0')
  const { visitor: other } = await makeCustomer(world())
  expect((await other.get(path)).status).toBe(404)
  expect((await world().visitor().get(path)).headers.get('location')).toBe(`/services/${service.id}/number/`)
})
