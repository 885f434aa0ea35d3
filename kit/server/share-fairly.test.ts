import cookie from '@fastify/cookie'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { createSecrets } from './secrets.ts'
import { shareFairly } from './share-fairly.ts'
import { createShares } from './visitor-share.ts'

test("a visitor's call counts against their connection quota, and a health check does not", async () => {
  const app = Fastify()
  await app.register(cookie)
  shareFairly(app, { secrets: createSecrets('a secret of a test, and long'), secureCookies: false })
  const shares = createShares()
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
