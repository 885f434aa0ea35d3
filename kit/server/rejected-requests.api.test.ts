/* @module-tag slow */
import { beforeEach, expect, test } from 'vitest'
import * as v from 'valibot'
import { useRouteServer } from '#quality/support/route-server.ts'
import { newVisitor } from '#quality/support/visitor.ts'
import { endpoint } from '../contract/endpoint.ts'
import { hashIp } from './ip-hash.ts'
import { countLimitUse } from './limits.ts'
import { route } from './route.ts'

const look = endpoint({ method: 'GET', path: '/api/look/', summary: 'Gives the cookies', output: v.object({}) })
const knock = endpoint({
  method: 'POST',
  path: '/api/doors/:name/',
  summary: 'Knocks',
  params: v.object({ name: v.string() }),
  output: v.object({}),
})
const ring = endpoint({ method: 'POST', path: '/api/bell/', summary: 'Rings', output: v.object({}) })

const busy = () => [{ key: 'busy', times: 0, seconds: 60 }]
const rig = useRouteServer(
  () => [
    route(look, { access: 'anyone' }, async () => ({})),
    route(knock, { access: 'anyone', limits: busy }, async () => ({})),
    route(ring, { access: 'anyone', limits: busy }, async () => ({})),
  ],
  {
    trustedProxies: ['127.0.0.1', '::1'],
  },
)
beforeEach(async () => {
  await rig().db.deleteFrom('rate_limits').execute()
  await rig().db.deleteFrom('audit_events').execute()
})

const events = () => rig().db.selectFrom('audit_events').select(['event', 'user_id', 'details']).orderBy('id').execute()
const at = (address: string) => newVisitor(rig().url, '/api/look/', { 'x-forwarded-for': address })

test('records requests that exceed a rate limit in the audit trail, once an hour for each route and address', async () => {
  const [one, other] = [at('203.0.113.1'), at('203.0.113.2')]
  for (const visitor of [one, one, at('203.0.113.1'), other])
    expect((await visitor.post('/api/doors/blue/')).status).toBe(429)
  expect((await one.post('/api/doors/red/')).status).toBe(429)
  expect((await one.post('/api/bell/')).status).toBe(429)
  const hashOf = (address: string) => hashIp(rig().secrets, address)
  expect(await events()).toEqual([
    {
      event: 'too_many_requests',
      user_id: null,
      details: { route: '/api/doors/:name/', address: hashOf('203.0.113.1') },
    },
    {
      event: 'too_many_requests',
      user_id: null,
      details: { route: '/api/doors/:name/', address: hashOf('203.0.113.2') },
    },
    { event: 'too_many_requests', user_id: null, details: { route: '/api/bell/', address: hashOf('203.0.113.1') } },
  ])
  await rig()
    .db.updateTable('rate_limits')
    .set({ window_started_at: new Date(Date.now() - 3_601_000) })
    .execute()
  await one.post('/api/bell/')
  expect(await events()).toHaveLength(4)
})

test('records requests with a wrong CSRF token or from another site in the audit trail', async () => {
  const visitor = at('203.0.113.1')
  const forged: Record<string, string>[] = [
    { 'x-csrftoken': 'planted' },
    { origin: 'https://evil.example' },
    { 'x-csrftoken': '' },
  ]
  for (const headers of forged) expect((await visitor.post('/api/bell/', {}, headers)).status).toBe(403)
  expect(await events()).toMatchObject([{ event: 'csrf_refused', details: { route: '/api/bell/' } }])
})

test('the audit trail records concurrent rejections of one address once, and at most a thousand rejections an hour in all', async () => {
  await Promise.all(Array.from({ length: 10 }, () => at('203.0.113.1').post('/api/bell/')))
  expect(await events()).toHaveLength(1)
  for (let count = 1; count < 1_000; count++)
    await countLimitUse(rig().db, [{ key: 'audit:too_many_requests', times: 1_000, seconds: 3_600 }])
  expect((await at('203.0.113.3').post('/api/bell/')).status).toBe(429)
  expect(await events()).toHaveLength(1)
})

test('does not record a 404 in the audit trail', async () => {
  expect((await at('203.0.113.1').post('/api/bells/')).status).toBe(404)
  expect(await events()).toEqual([])
})
