import { expect, test } from 'vitest'
import { verifyPassword } from '#kit/server/password.ts'
import { logInAs, makeCustomer } from '#quality/support/customer.ts'
import { requestReset, submitReset, requestResetLink, readResetLinks } from '#quality/support/reset-link.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { findUser } from './server/users.store.ts'

const world = useWorld({ hashing: 'real' })

const openSessions = (userId: string) =>
  world().db.selectFrom('sessions').select('id').where('user_id', '=', userId).execute()

test('twenty concurrent resets with the same link and different passwords set only one of the passwords', async () => {
  const customer = await makeCustomer(world())
  const link = await requestResetLink(world(), customer.email)
  const tries = Array.from({ length: 20 }, (_, index) => ({
    password: `korimako ${index}`,
    visitor: world().visitor(),
  }))
  const answers = await Promise.all(tries.map(({ password, visitor }) => submitReset(link, visitor, password)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 400)])

  const won = answers.findIndex(({ status }) => status === 200)
  const hash = (await findUser(world().db, customer.id))?.password_hash ?? ''
  const matching = []
  for (const { password } of tries) if (await verifyPassword(password, hash)) matching.push(password)
  expect(matching).toEqual([tries[won]?.password])

  expect(await openSessions(customer.id)).toHaveLength(1)
  await pollUntil(async () => (await world().deps.jobs.unfinished()) === 0)
  expect(
    (await world().mailTo(customer.email)).filter(({ subject }) => subject === 'Your password was changed'),
  ).toHaveLength(1)
})

test('of several reset links requested at once, only one can be used', async () => {
  await world().db.deleteFrom('rate_limits').execute()
  const { email } = await makeCustomer(world())
  await Promise.all(Array.from({ length: 5 }, () => requestReset(world(), email)))
  const links = await pollUntil(async () => {
    const found = await readResetLinks(world(), email)
    return found.length === 5 && found
  })
  const statuses = []
  for (const link of links) statuses.push((await submitReset(link, world().visitor(), 'korimako2')).status)
  expect(statuses.toSorted()).toEqual([200, 400, 400, 400, 400])
})

test('a password reset ends sessions from concurrent logins with the old password', async () => {
  await world().db.deleteFrom('rate_limits').execute()
  const customer = await makeCustomer(world())
  const link = await requestResetLink(world(), customer.email)
  const owner = world().visitor()
  await Promise.all([
    submitReset(link, owner, 'korimako2'),
    ...Array.from({ length: 5 }, () => logInAs(world(), customer).catch(() => null)),
  ])
  expect((await owner.get('/api/account/')).body.authenticated).toBe(true)
  expect(await openSessions(customer.id)).toHaveLength(1)
})
