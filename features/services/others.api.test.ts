import { beforeAll, describe, expect, test } from 'vitest'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import { newPortableNumber } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()

const calls: [name: string, method: string, path: (uuid: string, schedule: string) => string, body?: object][] = [
  ['the usage summary', 'GET', (uuid) => `/api/account/usage_summary/${uuid}/`],
  ['the usage detail', 'GET', (uuid) => `/api/account/usage_detail/${uuid}/`],
  ['the usage detail of a week', 'GET', (uuid) => `/api/account/usage_detail/${uuid}/?page=4`],
  ['the usage detail of an invalid week', 'GET', (uuid) => `/api/account/usage_detail/${uuid}/?page=nonsense`],
  ['switching auto-renewal on', 'PUT', (uuid, schedule) => `/api/services/auto_renew/${uuid}/${schedule}/`],
  ['switching auto-renewal off', 'DELETE', (uuid, schedule) => `/api/services/auto_renew/${uuid}/${schedule}/`],
  ['a number transfer', 'POST', (uuid) => `/api/services/port/${uuid}/`, portForm('+64274000001')],
  ['a number transfer with nothing filled in', 'POST', (uuid) => `/api/services/port/${uuid}/`, {}],
  ['the acknowledgement of a failed transfer', 'POST', (uuid) => `/api/services/acknowledge_port_failure/${uuid}/`, {}],
]

let owner: Customer
let other: Customer
beforeAll(async () => {
  ;[owner, other] = await Promise.all([
    makeCustomer(world(), { card: true }),
    makeCustomer(world(), { card: true, services: 2 }),
  ])
  const { id, shortId } = owner.services[0]!
  await send(owner.visitor, 'PUT', `/api/services/auto_renew/${id}/${shortId}/`)
  await owner.visitor.post(`/api/services/port/${id}/`, portForm(await newPortableNumber(world(), 'fails')))
  await world()
    .db.updateTable('services')
    .set({ released_at: new Date() })
    .where('id', '=', other.services[1]!.id)
    .execute()
  await world().advance('PT5H')
  await pollUntil(async () => (await seen()).porting_request?.status === 4)
})

const seen = async () => (await owner.visitor.get('/api/services/')).body[owner.services[0]!.id]

async function send(visitor: Visitor, method: string, path: string, body?: object) {
  if (!visitor.cookie('csrftoken')) await visitor.get('/api/account/')
  const headers = {
    'x-csrftoken': visitor.cookie('csrftoken') ?? '',
    ...(body && { 'content-type': 'application/json' }),
  }
  return visitor.send(method, path, { headers, ...(body && { body: JSON.stringify(body) }) })
}

async function answer(visitor: Visitor, method: string, path: string, body?: object) {
  // The test sends more requests than a customer's rate limits allow, so reset the limits before each request.
  await world().db.deleteFrom('rate_limits').execute()
  const { status, headers, body: said } = await send(visitor, method, path, body)
  const untold = new Set(['date', 'x-server-time', 'x-request-id', 'keep-alive', 'connection'])
  return {
    status,
    said,
    headers: Object.fromEntries(
      [...headers].filter(([name, value]) => !untold.has(name) && Number.isNaN(Date.parse(value))),
    ),
  }
}

const anyUuid = (): string => crypto.randomUUID()

describe.each(calls)('%s', (_name, method, path, body) => {
  const asked = (visitor: Visitor, uuid: string, schedule: string) =>
    answer(visitor, method, path(uuid, schedule), body)

  test('a request for another customer’s service gets the same answer as a request for a service that does not exist', async () => {
    const [theirs, own, gone] = [owner.services[0]!, other.services[0]!, other.services[1]!]
    const before = await seen()
    const never = await asked(other.visitor, anyUuid(), '0abcdefg')
    expect(never).toMatchObject({ status: 404, said: { code: 'Not found.' } })
    expect(await asked(other.visitor, theirs.id, theirs.shortId)).toEqual(never)
    expect(await asked(other.visitor, theirs.id.toUpperCase(), theirs.shortId)).toEqual(never)
    expect(await asked(other.visitor, theirs.id, own.shortId)).toEqual(never)
    expect(await asked(other.visitor, gone.id, gone.shortId)).toEqual(never)
    expect(await seen()).toEqual(before)
  })

  test('visitors without access get the same answer for existing and unknown services', async () => {
    const [service] = owner.services
    const stranger = world().visitor()
    const unconfirmed = (await makeCustomer(world(), { verified: false })).visitor
    for (const [visitor, status] of [
      [stranger, 401],
      [unconfirmed, 403],
    ] as const) {
      const never = await asked(visitor, anyUuid(), '0abcdefg')
      expect(never.status).toBe(status)
      expect(await asked(visitor, service!.id, service!.shortId)).toEqual(never)
    }
  })

  test('a malformed service ID gets the same answer as an unknown one, and an invalid encoding gets 400', async () => {
    const { id, shortId } = owner.services[0]!
    const [own] = other.services
    const never = await asked(other.visitor, anyUuid(), '0abcdefg')
    const nonsense = [
      'nonsense',
      '0',
      '-1',
      'null',
      'undefined',
      '[]',
      '{}',
      '[object Object]',
      `["${id}"]`,
      `{"id":"${id}"}`,
      `{${id}}`,
      `urn:uuid:${id}`,
      id.replaceAll('-', ''),
      ` ${id}`,
      `${id}\n`,
      `${id}\0`,
      '\0',
      'a/b',
      '../../services',
      `${id}/../${id}`,
      "' or true --",
      `${id}' or '1'='1`,
      '%',
      '%00',
      'ﷺ',
      '\ud83d\ude00',
      'x'.repeat(10_000),
      '1'.repeat(10_000),
      `${id},${own!.id}`,
    ]
    for (const text of nonsense) {
      const encoded = encodeURIComponent(text)
      expect({ text: text.slice(0, 80), ...(await asked(other.visitor, encoded, shortId)) }).toEqual({
        text: text.slice(0, 80),
        ...never,
      })
    }
    // These URLs contain an unpaired surrogate and bytes that are not valid UTF-8.
    for (const raw of ['%ED%A0%80', '%C0%AF', '%FF']) {
      const { said, status, headers } = await asked(other.visitor, raw, shortId)
      expect({ raw, said, status, policy: headers['content-security-policy'] }).toEqual({
        raw,
        said: { __all__: ['We could not read that request.'] },
        status: 400,
        policy: never.headers['content-security-policy'],
      })
    }
  })
})

describe.each(calls.filter(([, , path]) => path('', 'here').includes('here')))('%s', (_name, method, path) => {
  test('rejects a schedule that does not belong to the customer’s service', async () => {
    const [own, theirs, gone] = [other.services[0]!, owner.services[0]!, other.services[1]!]
    const { schedules } = (await other.visitor.get('/api/services/')).body[own.id]
    const never = await answer(other.visitor, method, path(anyUuid(), '0abcdefg'))
    for (const schedule of [
      theirs.shortId,
      gone.shortId,
      anyUuid(),
      'nonsense',
      '%00',
      encodeURIComponent('a/b'),
      '__proto__',
      'constructor',
      'x'.repeat(10_000),
      encodeURIComponent(`["${own.shortId}"]`),
      `${own.shortId}%20`,
      own.shortId.toUpperCase() + '_',
    ]) {
      expect({ schedule, ...(await answer(other.visitor, method, path(own.id, schedule))) }).toEqual({
        schedule,
        ...never,
      })
    }
    expect((await other.visitor.get('/api/services/')).body[own.id].schedules).toEqual(schedules)
  })
})

test('a customer’s list of services never contains another customer’s service, whatever the query string', async () => {
  for (const query of ['', `?uuid=${owner.services[0]!.id}`, `?user=${owner.id}`, `?user_id=${owner.id}&all=true`]) {
    expect(Object.keys((await other.visitor.get(`/api/services/${query}`)).body)).toEqual([other.services[0]!.id])
  }
})

test('another customer’s service and transfer stay the same after every attempt to change them', async () => {
  const [service] = owner.services
  expect(await seen()).toMatchObject({
    porting_request: { status: 4, failure_acknowledged_at: null },
    schedules: { [service!.shortId]: { auto_recharge_enabled: true } },
  })
  const transfers = await world().db.selectFrom('porting_requests').select('service_id').execute()
  expect(transfers).toEqual([{ service_id: service!.id }])
})
