import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { aRig } from '#testing/rig.ts'
import type { HttpOptions } from './http.ts'
import { rememberedDevice } from './known-device.ts'
import { createLatelyKnown } from './overload/lately-known.ts'
import { resolveVisit } from './resolve-visit.ts'
import { cookieOf, freshSession, saveSession, type Session } from './session.ts'

const rig = aRig(() => [])

test('a signed-in customer’s device cookie is let in first during overload only if its signature is ours', async () => {
  const { db, secrets } = rig()
  const user = { id: crypto.randomUUID(), emailVerified: true, passwordEpoch: 0 }
  const session = { ...freshSession(secrets), userId: user.id }
  await saveSession(db, session)
  const known = createLatelyKnown()
  const cookie = cookieOf(secrets, session)
  const [genuine, madeUp] = [rememberedDevice(secrets, { device: null }, user), 'made.up']
  for (const device of [genuine, madeUp]) await visitWith({ known, findUser: async () => user }, session, device)
  expect([known.has(cookie), known.has(genuine), known.has(madeUp)]).toEqual([true, true, false])
})

test('an anonymous session is let in first during overload once it was remembered as a buyer’s, until it ends', async () => {
  const { db, secrets } = rig()
  const session = freshSession(secrets)
  const id = await saveSession(db, session)
  const cookie = cookieOf(secrets, session)
  const known = createLatelyKnown()
  const isKnownAfterCall = async (): Promise<boolean> => {
    await visitWith({ known, findUser: async () => null }, session)
    return known.has(cookie)
  }
  expect(await isKnownAfterCall()).toBe(false)
  known.note(cookie, true)
  expect(await isKnownAfterCall()).toBe(true)
  await db
    .updateTable('sessions')
    .set({ expires_at: new Date(0) })
    .where('id', '=', id)
    .execute()
  expect(await isKnownAfterCall()).toBe(false)
})

test('a customer who was blocked after logging in is no longer let in first during overload', async () => {
  const { db, secrets } = rig()
  const user = { id: crypto.randomUUID(), emailVerified: true, passwordEpoch: 0 }
  const session = { ...freshSession(secrets), userId: user.id }
  await saveSession(db, session)
  const known = createLatelyKnown()
  await visitWith({ known, findUser: async () => user }, session)
  expect(known.has(cookieOf(secrets, session))).toBe(true)
  await visitWith({ known, findUser: async () => null }, session)
  expect(known.has(cookieOf(secrets, session))).toBe(false)
})

/** Resolves a request with this session’s cookies. */
async function visitWith(options: Partial<HttpOptions>, session: Session, device?: string): Promise<void> {
  const { db, secrets } = rig()
  const cookies = {
    fantail: cookieOf(secrets, session),
    csrftoken: session.csrfToken,
    ...(device && { fantail_device: device }),
  }
  const cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
  const request = { cookies, headers: { cookie }, ip: '203.0.113.7', socket: {} }
  const reply = { setCookie() {} }
  const all = { db, secrets, secureCookies: false, ...options }
  await resolveVisit(all as HttpOptions, request as unknown as FastifyRequest, reply as unknown as FastifyReply)
}
