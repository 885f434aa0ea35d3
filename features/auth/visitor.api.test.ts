import * as v from 'valibot'
import { expect, test } from 'vitest'
import { endpoint } from '#kit/contract/endpoint.ts'
import { transact } from '#kit/server/db.ts'
import { createInProcessApi } from '#kit/server/in-process-api.ts'
import { route } from '#kit/server/route.ts'
import { hashToken } from '#kit/server/secrets.ts'
import { generateSession, saveSession } from '#kit/server/session.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import { useRouteServer } from '#quality/support/route-server.ts'
import { newEmail } from '#quality/support/visitor.ts'
import { accountQueryPart, insertUser, markEmailVerified } from './server/users.store.ts'
import { createCustomerRead, findVisitor } from './server/visitor.store.ts'

const rig = useRouteServer(() => [])

const readAccount = createCustomerRead(
  (db, userId) => ({ accounts: accountQueryPart(db, userId) }),
  ({ accounts }) => accounts,
)

async function aVisitor() {
  const { db, secrets, clock } = rig()
  const account = {
    email: newEmail(),
    password_hash: '$argon2id$x',
    first_name: 'Ana',
    last_name: 'Rewi',
    marketing_consent: false,
  }
  const userId = await transact(db, async (trx) => {
    const id = await insertUser(trx, account, clock.now())
    await markEmailVerified(trx, id, account.email, clock.now())
    return id
  })
  const session = { ...generateSession(secrets), userId }
  await saveSession(db, session)
  return { userId, email: account.email, tokenHash: hashToken(session.token) }
}

function counting() {
  let statements = 0
  const db = rig().db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      statements += 1
      return result
    },
  })
  return { db, statements: () => statements }
}

test('reads a session, its customer and the customer’s data in a single SQL statement', async () => {
  await aVisitor()
  const { userId, email, tokenHash } = await aVisitor()
  const { db, statements } = counting()
  const found = await readAccount.withVisitor(db, tokenHash, {})
  expect(statements()).toBe(1)
  expect(found?.session).toEqual(await findVisitor(rig().db, tokenHash))
  expect(found?.session).toMatchObject({ user_id: userId, user: { id: userId, emailVerified: true, passwordEpoch: 0 } })
  expect(found?.data).toEqual([expect.objectContaining({ email, email_verified_at: expect.any(Date) })])
  expect(found?.data).toEqual(await readAccount.of(rig().db, userId, {}))
})

test('reads no customer data for a blocked customer or an anonymous session', async () => {
  const { db, secrets } = rig()
  const blocked = await aVisitor()
  await db.updateTable('users').set({ blocked_at: new Date() }).where('id', '=', blocked.userId).execute()
  const anonymous = generateSession(secrets)
  await saveSession(db, anonymous)
  for (const tokenHash of [blocked.tokenHash, hashToken(anonymous.token)]) {
    expect(await readAccount.withVisitor(db, tokenHash, {})).toMatchObject({ session: { user: null }, data: null })
    expect(await findVisitor(db, tokenHash)).toMatchObject({ user: null })
  }
})

test('finds neither a session nor customer data for a made-up session token', async () => {
  const { db } = rig()
  expect(await readAccount.withVisitor(db, hashToken('made up'), {})).toBeUndefined()
  expect(await findVisitor(db, hashToken('made up'))).toBeUndefined()
})

const readOwn = endpoint({
  method: 'GET',
  path: '/api/own/',
  summary: 'The account of the visitor',
  output: v.array(v.looseObject({ email: v.string() })),
})
const routes = [
  route(readOwn, { access: 'signed-in', read: () => readAccount, values: () => ({}) }, ({ data }) => data),
]

const visitOf = (id: string): RequestContext => ({
  session: generateSession(rig().secrets),
  user: { id, emailVerified: true, passwordEpoch: 0 },
  device: null,
  clientIp: '203.0.113.9',
  inProcess: false,
})

test('an API request made during page rendering starts reading data before the visitor has been identified', async () => {
  const { userId, email, tokenHash } = await aVisitor()
  const { db, statements } = counting()
  const { promise: visit, resolve } = Promise.withResolvers<RequestContext>()
  const answer = createInProcessApi(db, routes, { visit, tokenHash }).call(readOwn, {})
  await expect.poll(statements).toBe(1)
  resolve(visitOf(userId))
  expect((await answer).data).toMatchObject([{ email }])
  expect(statements()).toBe(1)
})

test('an API request made during page rendering never returns data that was read for a different customer', async () => {
  const [ana, ben] = [await aVisitor(), await aVisitor()]
  const visit = Promise.resolve(visitOf(ben.userId))
  const { data } = await createInProcessApi(rig().db, routes, { visit, tokenHash: ana.tokenHash }).call(readOwn, {})
  expect(data).toMatchObject([{ email: ben.email }])
})
