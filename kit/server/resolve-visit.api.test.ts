import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { aRig } from '#testing/rig.ts'
import { rememberedDevice } from './known-device.ts'
import { createLatelyKnown } from './overload/lately-known.ts'
import { resolveVisit } from './resolve-visit.ts'
import { cookieOf, freshSession, saveSession } from './session.ts'

const rig = aRig(() => [])

test('a signed-in customer’s device cookie is let in first during overload only if its signature is ours', async () => {
  const { db, secrets } = rig()
  const user = { id: crypto.randomUUID(), emailVerified: true, passwordEpoch: 0 }
  const session = { ...freshSession(secrets), userId: user.id }
  await saveSession(db, session)
  const known = createLatelyKnown()
  const options = { db, secrets, secureCookies: false, findUser: async () => user, known }
  const cookie = cookieOf(secrets, session)
  const [genuine, madeUp] = [rememberedDevice(secrets, { device: null }, user), 'made.up']
  for (const device of [genuine, madeUp]) {
    const cookies = { fantail: cookie, fantail_device: device }
    const header = `fantail=${cookie}; fantail_device=${device}; csrftoken=${session.csrfToken}`
    const request = { cookies, headers: { cookie: header }, ip: '203.0.113.7', socket: {} }
    await resolveVisit(options as never, request as unknown as FastifyRequest, {} as FastifyReply)
  }
  expect([known.has(cookie), known.has(genuine), known.has(madeUp)]).toEqual([true, true, false])
})
