import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { insertUser } from '#features/auth/server/users.store.ts'
import { findVisitor } from '#features/auth/server/visitor.store.ts'
import { useRouteServer } from '#quality/support/route-server.ts'
import { newEmail } from '#quality/support/visitor.ts'
import { transact } from './db.ts'
import type { HttpOptions } from './http.ts'
import { createKnownDeviceCookie } from './known-device.ts'
import { createRecentVisitors } from './overload/recent-visitors.ts'
import { resolveRequestContext } from './resolve-request-context.ts'
import { buildCookieValue, generateSession, saveSession, type Session } from './session.ts'

const rig = useRouteServer(() => [])

test("a customer's device cookie gives priority during overload only if we signed it", async () => {
  const { secrets } = rig()
  const session = await aCustomersSession()
  const user = { id: session.userId, passwordEpoch: 0 }
  const known = createRecentVisitors()
  const cookie = buildCookieValue(secrets, session)
  const [genuine, madeUp] = [createKnownDeviceCookie(secrets, { device: null }, user), 'made.up']
  for (const device of [genuine, madeUp]) await visitWith({ known }, session, device)
  expect([known.has(cookie), known.has(genuine), known.has(madeUp)]).toEqual([true, true, false])
})

test('an anonymous session that has bought something has priority during overload until it ends', async () => {
  const { db, secrets } = rig()
  const session = generateSession(secrets)
  const id = await saveSession(db, session)
  const cookie = buildCookieValue(secrets, session)
  const known = createRecentVisitors()
  const isKnownAfterCall = async (): Promise<boolean> => {
    await visitWith({ known }, session)
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

test('a customer who was blocked after logging in no longer has priority during overload', async () => {
  const { db, secrets } = rig()
  const session = await aCustomersSession()
  const known = createRecentVisitors()
  await visitWith({ known }, session)
  expect(known.has(buildCookieValue(secrets, session))).toBe(true)
  await db.updateTable('users').set({ blocked_at: new Date() }).where('id', '=', session.userId).execute()
  await visitWith({ known }, session)
  expect(known.has(buildCookieValue(secrets, session))).toBe(false)
})

async function aCustomersSession(): Promise<Session & { userId: string }> {
  const { db, secrets } = rig()
  const names = { first_name: 'Ana', last_name: 'Rewi' }
  const account = { ...names, email: newEmail(), password_hash: '$argon2id$x', marketing_consent: false }
  const userId = await transact(db, (trx) => insertUser(trx, account, rig().clock.now()))
  const session = { ...generateSession(secrets), userId }
  await saveSession(db, session)
  return session
}

async function visitWith(options: Partial<HttpOptions>, session: Session, device?: string): Promise<void> {
  const { db, secrets } = rig()
  const cookies = {
    fantail: buildCookieValue(secrets, session),
    csrftoken: session.csrfToken,
    ...(device && { fantail_device: device }),
  }
  const cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
  const request = { cookies, headers: { cookie }, ip: '203.0.113.7', socket: {} }
  const reply = { setCookie() {} }
  const all = { db, secrets, secureCookies: false, findSession: findVisitor, ...options }
  await resolveRequestContext(
    all as HttpOptions,
    request as unknown as FastifyRequest,
    reply as unknown as FastifyReply,
  )
}
