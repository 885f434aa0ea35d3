import { expect, test } from 'vitest'
import { useRouteServer } from '#quality/support/route-server.ts'
import { realNow, toDate } from './clock.ts'
import { transact } from './db.ts'
import { endOwnSession, isPasswordRecent, listOwnSessions, recordPasswordEntry } from './own-sessions.ts'
import { generateSession, saveSession } from './session.ts'

const rig = useRouteServer(() => [])
const newUserId = () => crypto.randomUUID()

const aSession = (userId: string | null, note: Parameters<typeof saveSession>[2] = {}): Promise<string> =>
  saveSession(rig().db, { ...generateSession(rig().secrets), userId }, note)

const change = (id: string, values: { last_seen_at?: Date; expires_at?: Date; authenticated_at?: Date }) =>
  rig().db.updateTable('sessions').set(values).where('id', '=', id).execute()

const hoursAgo = (hours: number): Date => toDate(realNow().subtract({ minutes: Math.round(hours * 60) }))
const end = (userId: string, id: string) => transact(rig().db, (trx) => endOwnSession(trx, userId, id))
const idsOf = async (userId: string) => (await listOwnSessions(rig().db, userId)).map(({ id }) => id)

test("lists a user's active sessions, most recently used first", async () => {
  const userId = newUserId()
  const [older, newer, over, idle] = [
    await aSession(userId),
    await aSession(userId),
    await aSession(userId),
    await aSession(userId),
  ]
  await aSession(newUserId())
  await aSession(null)
  await change(older, { last_seen_at: hoursAgo(3) })
  await change(over, { expires_at: hoursAgo(0.1) })
  await change(idle, { last_seen_at: hoursAgo(14 * 24) })
  expect(await idsOf(userId)).toEqual([newer, older])
})

test("only a session's owner can end it, and only once", async () => {
  const [owner, stranger] = [newUserId(), newUserId()]
  const [one, two] = [await aSession(owner), await aSession(owner)]
  expect(await end(stranger, one)).toBe(false)
  expect(await idsOf(owner)).toHaveLength(2)
  expect(await Promise.all([end(owner, one), end(owner, one)])).toEqual(expect.arrayContaining([true, false]))
  expect(await idsOf(owner)).toEqual([two])
  expect(await end(owner, one)).toBe(false)
})

test('a password counts as recently entered for a day, and only in the session in which it was entered', async () => {
  const userId = newUserId()
  const now = toDate(realNow())
  const [fresh, old, never] = [
    await aSession(userId, { authenticated_at: now }),
    await aSession(userId, { authenticated_at: now }),
    await aSession(userId),
  ]
  await change(fresh, { authenticated_at: hoursAgo(23.9) })
  await change(old, { authenticated_at: hoursAgo(24.1) })
  const recent = (id: string | null, of = userId) => isPasswordRecent(rig().db, of, id)
  expect([
    await recent(fresh),
    await recent(old),
    await recent(never),
    await recent(null),
    await recent(fresh, newUserId()),
  ]).toEqual([true, false, false, false, false])

  expect(await recordPasswordEntry(rig().db, newUserId(), old)).toBe(false)
  expect(await recent(old)).toBe(false)
  expect(await recordPasswordEntry(rig().db, userId, old)).toBe(true)
  expect([await recent(old), await recent(never)]).toEqual([true, false])
  await end(userId, never)
  expect(await recordPasswordEntry(rig().db, userId, never)).toBe(false)
})
