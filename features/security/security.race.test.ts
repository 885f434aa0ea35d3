import { beforeEach, describe, expect, test } from 'vitest'
import { realNow, toDate } from '#kit/server/clock.ts'
import { maxSessions } from '#kit/server/own-sessions.ts'
import { generateSession, saveSession } from '#kit/server/session.ts'
import { logInAs, makeCustomer } from '#quality/support/customer.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld({ hashing: 'real' })
beforeEach(async () => void (await world().db.deleteFrom('rate_limits').execute()))

type Session = { id: string; is_current: boolean }
const isSignedIn = async (visitor: Visitor): Promise<boolean> => (await visitor.get('/api/account/')).body.authenticated
const idOf = async (visitor: Visitor): Promise<string> =>
  (await visitor.get('/api/account/sessions/')).body.sessions.find(({ is_current }: Session) => is_current).id
const endOthers = (visitor: Visitor) => visitor.post('/api/account/end_other_sessions/')
const endOne = (visitor: Visitor, id: string) =>
  visitor.send('DELETE', `/api/account/sessions/${id}/`, {
    headers: { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' },
  })

describe.each(Array.from({ length: 5 }, (_, round) => round + 1))('round %i', () => {
  test('when devices log each other out at the same time, one of them stays logged in', async () => {
    const customer = await makeCustomer(world())
    const devices = [customer.visitor, await logInAs(world(), customer), await logInAs(world(), customer)]
    const answers = await Promise.all(devices.map(endOthers))
    const left = await Promise.all(devices.map(isSignedIn))
    expect(left.filter(Boolean)).toHaveLength(1)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
    expect(left[answers.findIndex(({ status }) => status === 200)]).toBe(true)
  })

  test('a session that two devices end at the same time is recorded as ended only once', async () => {
    const customer = await makeCustomer(world())
    const [other, lost] = [await logInAs(world(), customer), await logInAs(world(), customer)]
    const id = await idOf(lost)
    const answers = await Promise.all([endOne(customer.visitor, id), endOne(other, id)])
    for (const { status } of answers) expect([200, 404]).toContain(status)
    expect(await Promise.all([customer.visitor, other, lost].map(isSignedIn))).toEqual([true, true, false])
    const acts = await world()
      .db.selectFrom('audit_events')
      .select('id')
      .where('user_id', '=', customer.id)
      .where('event', '=', 'session_ended')
      .execute()
    expect(acts).toHaveLength(1)
  })

  test('ten simultaneous logins do not exceed the maximum number of sessions per account', async () => {
    const customer = await makeCustomer(world())
    for (let added = 0; added < maxSessions; added++)
      await saveSession(world().db, { ...generateSession(world().deps.secrets), userId: customer.id })
    const newest = await Promise.all(Array.from({ length: 10 }, () => logInAs(world(), customer)))
    expect(await Promise.all(newest.map(isSignedIn))).toEqual(newest.map(() => true))
    const left = await world()
      .db.selectFrom('sessions')
      .select('id')
      .where('user_id', '=', customer.id)
      .where('expires_at', '>', toDate(realNow()))
      .execute()
    expect(left).toHaveLength(maxSessions)
  })

  test('ending a session while that session changes the password leaves exactly one session logged in', async () => {
    const customer = await makeCustomer(world())
    const lost = await logInAs(world(), customer)
    const id = await idOf(lost)
    const change = { old_password: customer.password, new_password: 'kereru 22', password_confirm: 'kereru 22' }
    const [ended, changed] = await Promise.all([
      endOne(customer.visitor, id),
      lost.post('/api/account/change_password/', change),
    ])
    /*
     * If the password change comes first, it ends the customer's other session. Otherwise the change is rejected,
     * because the session that requested it has ended.
     */
    const left = await Promise.all([customer.visitor, lost].map(isSignedIn))
    expect([ended.status, changed.status].every((status) => [200, 401, 403, 404].includes(status))).toBe(true)
    expect(left.filter(Boolean)).toHaveLength(1)
  })
})
