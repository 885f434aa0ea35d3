import { describe, expect, test } from 'vitest'
import type { Endpoint } from '#kit/contract/endpoint.ts'
import { makeCustomer } from '#testing/customer.ts'
import type { Visitor } from '#testing/visitor.ts'
import { useWorld } from '#testing/world.ts'
import { apiRoutes } from './api.ts'
import type { Deps } from './deps.ts'

const world = useWorld()

// Only the table is read here.
const endpoints = apiRoutes({} as Deps).map(({ endpoint }) => endpoint).filter(({ path }) => /^\/api\/(account|services|orders)\//.test(path))
const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`

// All else under these paths is for confirmed customers alone: a new line here is a decision.
const open = {
  anyone: [
    'GET /api/account/',
    'POST /api/account/login/',
    'POST /api/account/logout/',
    'POST /api/account/verify_email/',
    'POST /api/account/password_reset_request/',
    // The wizard's own.
    'GET /api/account/porting_providers/',
    'POST /api/orders/:orderId/resume/',
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
  // Nobody has this, and it says nothing: who may call is asked before what.
  const filled = path.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000')
  const { status, body } = await visitor.send(method, filled, { headers, ...(method !== 'GET' && { body: '{}' }) })
  return { status, body }
}

test('every path that is open is there', () => {
  const names = endpoints.map(nameOf)
  expect([...open.anyone, ...open.unconfirmed].filter((name) => !names.includes(name))).toEqual([])
})

describe.each(endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', (name, endpoint) => {
  const [toAnyone, toUnconfirmed] = [open.anyone.includes(name), open.anyone.includes(name) || open.unconfirmed.includes(name)]

  test(toAnyone ? 'is open to anyone' : 'asks a stranger to log in', async () => {
    const answer = await call(world().visitor(), endpoint)
    if (toAnyone) expect([200, 400, 404]).toContain(answer.status)
    else expect(answer).toEqual({ status: 401, body: { code: 'Please log in to continue.' } })
  })

  test(toUnconfirmed ? 'is open to one who has not confirmed' : 'asks one who has not confirmed to do so', async () => {
    const { visitor } = await makeCustomer(world(), { verified: false })
    const answer = await call(visitor, endpoint)
    if (toUnconfirmed) expect([200, 400, 404, 409]).toContain(answer.status)
    else expect(answer).toEqual({ status: 403, body: { code: 'Please confirm your email address first.' } })
  })

  test('answers a confirmed customer', async () => {
    const { visitor } = await makeCustomer(world())
    expect([200, 400, 404, 409]).toContain((await call(visitor, endpoint)).status)
  })
})
