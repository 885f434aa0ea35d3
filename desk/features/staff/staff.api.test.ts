import { expect, test } from 'vitest'
import { newStaffVisitor } from '#quality/support/desk-visitor.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { inviteStaff } from '#quality/support/staff-member.ts'
import { newPasskey, type Passkey } from '#quality/support/passkey.ts'
import { useWorld, newEmail } from '#quality/support/world.ts'
import { staffMessages } from './staff.contract.ts'
import { suspendByEmail } from './server/invitations.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })
const desk = (): string => world().deskUrl ?? ''
const visitor = () => newStaffVisitor(desk(), null)

const operator = { by: 'operator', name: 'Tom' } as const
const inviteSomebody = async (email = newEmail()) => ({
  email,
  token: await inviteStaff(world(), { email, roles: ['support'] }),
})

async function accept(who: Visitor, token: string, { origin = desk(), isVerified = true } = {}) {
  const opened = await who.post('/api/desk/invitations/open/', { token })
  const passkey = newPasskey('localhost')
  const answer = passkey.register({ origin, challenge: opened.body.options?.challenge, isVerified })
  const accepted = await who.post('/api/desk/invitations/accept/', { token, answer, passkey: 'Laptop' })
  return { opened, passkey, accepted }
}

async function newMember() {
  const { email, token } = await inviteSomebody()
  const who = await visitor()
  const { passkey } = await accept(who, token)
  return { email, who, passkey }
}

async function signIn(passkey: Passkey, shown: { origin?: string; counter?: number; isVerified?: boolean } = {}) {
  const who = await visitor()
  const { body } = await who.post('/api/desk/sign-in/begin/')
  const answer = passkey.show({ origin: desk(), challenge: body.options.challenge, ...shown })
  return { who, answer, signedIn: await who.post('/api/desk/sign-in/', { answer }) }
}
const nameOf = async (who: Visitor): Promise<string | undefined> => (await who.get('/api/desk/me/')).body.staff?.name

test('an invitation can be used once to register a passkey, and then signs the person in', async () => {
  const { email, token } = await inviteSomebody()
  const who = await visitor()
  const { opened, accepted } = await accept(who, token)
  expect(opened.body).toMatchObject({ name: 'Tui Hall', email, roles: ['support'] })
  expect(accepted.status).toBe(200)
  expect((await who.get('/api/desk/me/')).body.staff).toEqual({
    id: expect.any(String),
    name: 'Tui Hall',
    email,
    roles: ['support'],
    is_lead: false,
    passkeys: 1,
  })
  const again = await accept(await visitor(), token)
  expect([again.opened.status, again.accepted.status]).toEqual([400, 400])
  expect(again.opened.body).toEqual({ __all__: [staffMessages.invitation] })
})

test('a second invitation invalidates the first, and using it removes the person’s earlier passkey', async () => {
  const { email, passkey } = await newMember()
  const first = await inviteSomebody(email)
  const second = await inviteSomebody(email)
  expect((await accept(await visitor(), first.token)).accepted.status).toBe(400)
  expect((await signIn(passkey)).signedIn.status).toBe(200)
  expect((await accept(await visitor(), second.token)).accepted.status).toBe(200)
  expect((await signIn(passkey)).signedIn.body).toEqual({ __all__: [staffMessages.passkey] })
})

test('no passkey can be registered from a different origin, without user verification or with another browser’s challenge', async () => {
  const elsewhere = await inviteSomebody()
  expect((await accept(await visitor(), elsewhere.token, { origin: 'http://localhost:1' })).accepted.status).toBe(400)
  const unknown = await inviteSomebody()
  expect((await accept(await visitor(), unknown.token, { isVerified: false })).accepted.status).toBe(400)
  const { token } = await inviteSomebody()
  const opened = await (await visitor()).post('/api/desk/invitations/open/', { token })
  const answer = newPasskey('localhost').register({ origin: desk(), challenge: opened.body.options.challenge })
  const accepted = await (await visitor()).post('/api/desk/invitations/accept/', { token, answer, passkey: 'Laptop' })
  expect(accepted.status).toBe(400)
})

test('a passkey signs its owner in, with a session token that differs from an anonymous browser’s', async () => {
  const { passkey } = await newMember()
  const before = await visitor()
  await before.post('/api/desk/sign-in/begin/')
  const { who, signedIn } = await signIn(passkey)
  expect(signedIn.status).toBe(200)
  expect(await nameOf(who)).toBe('Tui Hall')
  expect(who.cookie('desk')).not.toBe(before.cookie('desk'))
})

test.each([
  ['from another origin', { origin: 'https://desk.example' }],
  ['without user verification', { isVerified: false }],
])('a passkey %s cannot sign in', async (_, shown) => {
  const { passkey } = await newMember()
  const { who, signedIn } = await signIn(passkey, shown)
  expect([signedIn.status, await nameOf(who)]).toEqual([400, undefined])
})

test('a passkey challenge can be used once, and only in the browser that requested it', async () => {
  const { passkey } = await newMember()
  const { who, answer } = await signIn(passkey)
  expect((await who.post('/api/desk/sign-in/', { answer })).status).toBe(400)
  const other = await visitor()
  const { body } = await other.post('/api/desk/sign-in/begin/')
  const stolen = passkey.show({ origin: desk(), challenge: body.options.challenge })
  expect((await (await visitor()).post('/api/desk/sign-in/', { answer: stolen })).status).toBe(400)
})

test('a passkey whose signature counter has not increased is rejected as a possible copy', async () => {
  const { passkey } = await newMember()
  expect((await signIn(passkey, { counter: 5 })).signedIn.status).toBe(200)
  expect((await signIn(passkey, { counter: 5 })).signedIn.status).toBe(400)
  expect((await signIn(passkey, { counter: 6 })).signedIn.status).toBe(200)
})

test('a suspended person is signed out immediately and cannot sign in again', async () => {
  const { email, who, passkey } = await newMember()
  expect(await nameOf(who)).toBe('Tui Hall')
  expect(await suspendByEmail(world().deps, email, operator)).toBe(true)
  expect(await nameOf(who)).toBeUndefined()
  expect((await signIn(passkey)).signedIn.status).toBe(400)
})

test('a desk session ends on sign-out, after 30 minutes without a request, and at its expiry time', async () => {
  const { who, passkey } = await newMember()
  const kept = who.cookie('desk') ?? ''
  expect((await who.post('/api/desk/sign-out/')).status).toBe(200)
  who.setCookie('desk', kept)
  expect(await nameOf(who)).toBeUndefined()
  const sessions = world().db.updateTable('staff_sessions')
  for (const column of ['last_seen_at', 'expires_at'] as const) {
    const { who: other } = await signIn(passkey)
    expect(await nameOf(other)).toBe('Tui Hall')
    const then = new Date(Date.now() - 31 * 60_000)
    await sessions
      .set({ [column]: then })
      .where('expires_at', '>', new Date())
      .execute()
    expect(await nameOf(other)).toBeUndefined()
  }
})

test('a POST request to the desk needs a CSRF token and must come from the desk’s own origin', async () => {
  const who = await visitor()
  await who.get('/api/desk/me/')
  const bare = { body: '{}', headers: { 'content-type': 'application/json' } }
  expect((await who.send('POST', '/api/desk/sign-in/begin/', bare)).status).toBe(403)
  expect((await who.post('/api/desk/sign-in/begin/', {}, { origin: 'https://elsewhere.example' })).status).toBe(403)
})

test('demo staff can sign in with a button, and other staff cannot', async () => {
  const offered = (await (await visitor()).get('/api/desk/me/')).body.demo
  expect(offered.map(({ name, roles }: { name: string; roles: string[] }) => [name, roles])).toEqual(
    expect.arrayContaining([
      ['Hine Walker', ['support']],
      ['Mere Ngata', ['finance']],
      ['Jo Tan', ['admin']],
    ]),
  )
  const hine = await newStaffVisitor(desk(), 'hine.walker@fantail.example')
  expect(await nameOf(hine)).toBe('Hine Walker')
  const unknown = await (await visitor()).post('/api/desk/sign-in/demo/', { email: newEmail() })
  expect(unknown.body).toEqual({ email: ['There is no demo user with that address.'] })
})

test('the portal rejects the desk’s API requests and ignores its cookies, and the desk rejects the portal’s API requests', async () => {
  const hine = await newStaffVisitor(desk(), 'hine.walker@fantail.example')
  const customer = world().visitor()
  await customer.get('/api/account/')
  for (const [name, value] of hine.cookies()) customer.setCookie(name, value)
  expect((await customer.get('/api/desk/me/')).status).toBe(404)
  expect((await customer.get('/api/account/')).body.user).toBeNull()
  const elsewhere = await visitor()
  for (const [name, value] of customer.cookies()) elsewhere.setCookie(name, value)
  expect((await elsewhere.get('/api/account/')).status).toBe(404)
})

test('staff audit events cannot be changed or deleted', async () => {
  await newMember()
  const acts = await world().db.selectFrom('audit_events').selectAll().where('staff_id', 'is not', null).execute()
  expect(acts.map(({ event }) => event)).toEqual(expect.arrayContaining(['staff_passkey_made', 'staff_signed_in']))
  const { db } = world()
  const refusal = 'what staff did stays as it is'
  await expect(
    db.updateTable('audit_events').set({ at: new Date() }).where('staff_id', 'is not', null).execute(),
  ).rejects.toThrow(refusal)
  await expect(db.deleteFrom('audit_events').where('staff_id', 'is not', null).execute()).rejects.toThrow(refusal)
})
