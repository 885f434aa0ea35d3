import cookie from '@fastify/cookie'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { createSecrets } from './secrets.ts'
import { assignConnectionQuotas } from './assign-connection-quotas.ts'
import { createConnectionQuotas } from './connection-quota.ts'

test("a visitor's request counts against their quota of database connections, but a health check does not", async () => {
  const app = Fastify()
  await app.register(cookie)
  assignConnectionQuotas(app, { secrets: createSecrets('a secret of a test, and long'), secureCookies: false })
  const shares = createConnectionQuotas()
  const counted = async (): Promise<object> => {
    const leave = await shares.enter()
    const visitors = shares.size()
    leave()
    return { visitors }
  }
  app.get('/', counted)
  app.get('/readyz', { config: { admission: 'first' } }, counted)
  expect((await app.inject('/')).json()).toEqual({ visitors: 1 })
  expect((await app.inject('/readyz')).json()).toEqual({ visitors: 0 })
  await app.close()
})
