import { describe, expect, test } from 'vitest'
import type { Endpoint } from '#kit/contract/endpoint.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import { apiRoutes } from './api.ts'
import type { Deps } from './deps.ts'

const world = useWorld()

// This test only lists the routes and never calls them, so it can pass `apiRoutes` an empty dependencies object.
const endpoints = apiRoutes({} as Deps)
  .map(({ endpoint }) => endpoint)
  .filter(({ path }) => /^\/api\/(account|services|orders|errors)\//.test(path))
const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`

/*
 * Account, service, order and error-report endpoints that do not require a confirmed email address. Think twice before adding an endpoint
 * to this list.
 */
const open = {
  anyone: [
    'GET /api/account/',
    'POST /api/account/login/',
    'POST /api/account/logout/',
    'POST /api/account/verify_email/',
    'POST /api/account/verify_email/about/',
    'POST /api/account/verify_email/not_me/',
    'POST /api/account/password_reset_request/',
    /*
     * The token in an emailed link authorises this request. The endpoint cannot require a login, because an attacker who took over the
     * account may have signed its owner out.
     */
    'POST /api/account/privacy/keep/',
    'GET /api/account/porting_providers/',
    'POST /api/orders/:orderId/resume/',
    // Error reports are accepted from anyone, because errors also occur before login.
    'POST /api/errors/',
  ],
  unconfirmed: [
    'GET /api/account/resend_verification/',
    'GET /api/account/update_email/',
    'POST /api/account/update_email/',
    'POST /api/account/update_email/resend_otp/',
    'POST /api/account/update_email/resend_email/',
    'POST /api/account/update_email/confirm/',
  ],
}

async function call(visitor: Visitor, { method, path }: Endpoint): Promise<{ status: number; body: unknown }> {
  await visitor.get('/api/account/')
  const headers = { 'content-type': 'application/json', 'x-csrftoken': visitor.cookie('csrftoken') ?? '' }
  // The server checks access before it validates the input, so an unknown id and an empty body are enough here.
  const filled = path.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000')
  const { status, body } = await visitor.send(method, filled, { headers, ...(method !== 'GET' && { body: '{}' }) })
  return { status, body }
}

test('every endpoint listed in this test exists', () => {
  const names = endpoints.map(nameOf)
  expect([...open.anyone, ...open.unconfirmed].filter((name) => !names.includes(name))).toEqual([])
})

const wayIn = (...names: string[][]) =>
  endpoints
    .filter((endpoint) => names.flat().includes(nameOf(endpoint)))
    .map((endpoint) => [nameOf(endpoint), endpoint] as const)
const noWayIn = (...names: string[][]) =>
  endpoints
    .filter((endpoint) => !names.flat().includes(nameOf(endpoint)))
    .map((endpoint) => [nameOf(endpoint), endpoint] as const)
const served = expect.toSatisfy((status: number) => [200, 400, 404, 409].includes(status))

describe('endpoints that an anonymous visitor may call', () => {
  test.each(wayIn(open.anyone))('an anonymous visitor may call %s', async (_name, endpoint) => {
    expect((await call(world().visitor(), endpoint)).status).toEqual(served)
  })

  test.each(noWayIn(open.anyone))('an anonymous visitor gets 401 from %s', async (_name, endpoint) => {
    expect(await call(world().visitor(), endpoint)).toEqual({
      status: 401,
      body: { code: 'Please log in to continue.' },
    })
  })
})

describe('endpoints that a customer with an unconfirmed email address may call', () => {
  const customer = () => makeCustomer(world(), { verified: false })

  test.each(wayIn(open.anyone, open.unconfirmed))(
    'a customer with an unconfirmed email address may call %s',
    async (_name, endpoint) => {
      expect((await call((await customer()).visitor, endpoint)).status).toEqual(served)
    },
  )

  test.each(noWayIn(open.anyone, open.unconfirmed))(
    'a customer with an unconfirmed email address gets 403 from %s',
    async (_name, endpoint) => {
      expect(await call((await customer()).visitor, endpoint)).toEqual({
        status: 403,
        body: { code: 'Please confirm your email address first.' },
      })
    },
  )
})

test.each(noWayIn())('a customer with a confirmed email address may call %s', async (_name, endpoint) => {
  const { visitor } = await makeCustomer(world())
  expect((await call(visitor, endpoint)).status).toEqual(served)
})
