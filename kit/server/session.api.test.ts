import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useRouteServer } from '#quality/support/route-server.ts'
import { findVisitor } from '#features/auth/server/visitor.store.ts'
import { realNow, toDate } from './clock.ts'
import { transact } from './db.ts'
import {
  buildCookieValue,
  endSession,
  endSessions,
  purgeOldSessions,
  generateSession,
  saveSession,
  readSession,
  type Session,
} from './session.ts'
import { signIn, signOut } from './sign-in.ts'
import type { BrowserIdentity, RequestContext } from './request-context.ts'

const rig = useRouteServer(() => [])

const read = async (session: Session): Promise<Session> => {
  const { db, secrets } = rig()
  return (await readSession(db, secrets, buildCookieValue(secrets, session), findVisitor)).session
}
const visitOf = async (session: Session): Promise<RequestContext> => ({
  session: await read(session),
  user: null,
  device: null,
  clientIp: '203.0.113.7',
  inProcess: false,
})
const newUserId = () => crypto.randomUUID()

async function aSession(userId: string | null = null): Promise<Session & { id: string }> {
  const session = { ...generateSession(rig().secrets), userId }
  return { ...session, id: await saveSession(rig().db, session) }
}

/** Signs in using a session that was read earlier, as a concurrent request would. */
const signInWith = (visit: RequestContext, userId: string): Promise<BrowserIdentity> =>
  transact(rig().db, (trx) => signIn(trx, rig(), visit, { id: userId, passwordEpoch: 0 }))

test('recognises a session by its cookie even before the session has a database row', async () => {
  const session = generateSession(rig().secrets)
  expect(await read(session)).toEqual({ ...session, fresh: false })
  const id = await saveSession(rig().db, await read(session))
  expect(await saveSession(rig().db, await read(session))).toBe(id)
  expect((await read(session)).id).toBe(id)
})

test('two concurrent requests that store the same session create one database row', async () => {
  const session = generateSession(rig().secrets)
  const ids = await Promise.all([saveSession(rig().db, session), saveSession(rig().db, session)])
  expect(new Set(ids).size).toBe(1)
})

test('replaces an ended session with a new session that has a different token', async () => {
  const session = await aSession(newUserId())
  await transact(rig().db, (trx) => endSession(trx, session))
  const next = await read(session)
  expect(next).toMatchObject({ id: null, userId: null, fresh: true })
  expect(next.token).not.toBe(session.token)
})

test('signing in keeps the session but changes its token; a concurrent sign-in gets a different session', async () => {
  const [session, userId] = [await aSession(), newUserId()]
  const looks = [await visitOf(session), await visitOf(session)] as const
  const [first, second] = [await signInWith(looks[0], userId), await signInWith(looks[1], userId)]
  expect(first.session.id).toBe(session.id)
  expect(second.session.id).not.toBe(session.id)
  for (const { session: own } of [first, second]) expect(await read(own)).toMatchObject({ id: own.id, userId })
  expect(await read(session)).toMatchObject({ id: null, userId: null })
})

test('signing in keeps a session that was stored after the request read it', async () => {
  const session = generateSession(rig().secrets)
  const look = await visitOf(session)
  const id = await saveSession(rig().db, await read(session))
  const after = await signInWith(look, newUserId())
  expect(after.session.id).toBe(id)
  expect(await read(session)).toMatchObject({ id: null })
})

test("signing in reuses neither a signed-out session nor another customer's session", async () => {
  const [left, owner, userId] = [await aSession(), newUserId(), newUserId()]
  const look = await visitOf(left)
  await transact(rig().db, (trx) => endSession(trx, left))
  expect((await signInWith(look, userId)).session.id).not.toBe(left.id)
  const others = await aSession(owner)
  expect((await signInWith(await visitOf(others), userId)).session.id).not.toBe(others.id)
  expect(await read(others)).toMatchObject({ userId: null, fresh: true })
})

test('signing out ends the session even if its token has changed since it was read', async () => {
  const session = await aSession()
  const look = await visitOf(session)
  const entered = await signInWith(look, newUserId())
  const after = await transact(rig().db, (trx) => signOut(trx, rig(), look))
  expect(await read(entered.session)).toMatchObject({ id: null, userId: null, fresh: true })
  expect(after.session).toMatchObject({ id: null, userId: null, fresh: true })
  expect(after.session.token).not.toBe(look.session.token)
})

test("ends all of a user's sessions, or all except one", async () => {
  const userId = newUserId()
  const [one, two, others] = [await aSession(userId), await aSession(userId), await aSession(newUserId())]
  await transact(rig().db, (trx) => endSessions(trx, userId, two.id))
  expect([await read(one), await read(two), await read(others)].map((session) => session.userId !== null)).toEqual([
    false,
    true,
    true,
  ])
  await transact(rig().db, (trx) => endSessions(trx, userId, null))
  expect((await read(two)).userId).toBeNull()
})

const seen = (session: { id: string }, ago: Temporal.DurationLike) =>
  rig()
    .db.updateTable('sessions')
    .set({ last_seen_at: toDate(realNow().subtract(ago)) })
    .where('id', '=', session.id)
    .execute()

const lastSeen = async ({ id }: { id: string }): Promise<number> =>
  Date.now() -
  (
    await rig().db.selectFrom('sessions').select('last_seen_at').where('id', '=', id).executeTakeFirstOrThrow()
  ).last_seen_at.getTime()

test('a session ends after 14 days without use, even if its 30 days have not passed', async () => {
  const [idle, used, userId] = [await aSession(newUserId()), await aSession(newUserId()), newUserId()]
  await seen(idle, { hours: 14 * 24 })
  await seen(used, { hours: 14 * 24 - 1 })
  expect(await read(idle)).toMatchObject({ id: null, userId: null, fresh: true, formerCsrfTokens: [idle.csrfToken] })
  expect(await read(used)).toMatchObject({ id: used.id, userId: used.userId, fresh: false })
  expect(await lastSeen(used)).toBeLessThan(60_000)

  const left = await aSession()
  const look = await visitOf(left)
  await seen(left, { hours: 14 * 24 })
  expect((await signInWith(look, userId)).session.id).not.toBe(left.id)
})

test('records the last use of a session at most every ten minutes, and once for concurrent requests', async () => {
  const session = await aSession(newUserId())
  await seen(session, { minutes: 9 })
  await read(session)
  expect(await lastSeen(session)).toBeGreaterThan(8 * 60_000)
  await seen(session, { minutes: 11 })
  const writes = () =>
    rig()
      .db.selectFrom('sessions')
      .select(sql<string>`xmin::text`.as('version'))
      .where('id', '=', session.id)
      .executeTakeFirstOrThrow()
  await Promise.all(Array.from({ length: 5 }, () => read(session)))
  const once = await writes()
  expect(await lastSeen(session)).toBeLessThan(60_000)
  await Promise.all(Array.from({ length: 5 }, () => read(session)))
  expect(await writes()).toEqual(once)
})

test('signing in records the time, the browser and the system, but not the raw user agent', async () => {
  const [one, other] = [await aSession(), generateSession(rig().secrets)]
  const looks = [
    { ...(await visitOf(one)), userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' },
    { ...(await visitOf(other)), userAgent: '<b>mine</b>' },
  ]
  const notes = []
  for (const look of looks) {
    const { session } = await signInWith(look, newUserId())
    notes.push(
      await rig()
        .db.selectFrom('sessions')
        .select(['browser', 'system', 'authenticated_at'])
        .where('id', '=', session.id ?? '')
        .executeTakeFirstOrThrow(),
    )
  }
  expect(notes).toEqual([
    { browser: 'Firefox', system: 'Linux', authenticated_at: expect.any(Date) },
    { browser: null, system: null, authenticated_at: expect.any(Date) },
  ])
})

test('a session that ended after 14 days without use is deleted from the database 30 days later', async () => {
  const [idle, longAgo] = [await aSession(newUserId()), await aSession(newUserId())]
  await seen(idle, { hours: 44 * 24 - 1 })
  await seen(longAgo, { hours: 44 * 24 + 1 })
  await purgeOldSessions(rig().db)
  const ids = (await rig().db.selectFrom('sessions').select('id').execute()).map(({ id }) => id)
  expect([ids.includes(idle.id), ids.includes(longAgo.id)]).toEqual([true, false])
})

test('an expired session stays in the database for 30 more days', async () => {
  const [running, justEnded, longAgo] = [await aSession(), await aSession(), await aSession()]
  const end = (session: { id: string }, hours: number) =>
    rig()
      .db.updateTable('sessions')
      .set({ expires_at: toDate(realNow().subtract({ hours })) })
      .where('id', '=', session.id)
      .execute()
  await end(justEnded, 30 * 24 - 1)
  await end(longAgo, 30 * 24 + 1)
  await purgeOldSessions(rig().db)
  const ids = (await rig().db.selectFrom('sessions').select('id').execute()).map(({ id }) => id)
  expect(ids).toContain(running.id)
  expect(ids).toContain(justEnded.id)
  expect(ids).not.toContain(longAgo.id)
})
