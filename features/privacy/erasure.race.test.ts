import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { makeCustomer } from '#quality/support/customer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { erasureSweeps } from './server/erasure.jobs.ts'

const world = useWorld()
beforeEach(async () => void (await world().db.deleteFrom('rate_limits').execute()))

const path = '/api/account/privacy/erasure/'
const actsOf = async (userId: string, event: string): Promise<number> =>
  (
    await world()
      .db.selectFrom('audit_events')
      .select('at')
      .where('user_id', '=', userId)
      .where('event', '=', event)
      .execute()
  ).length
const isGone = async (userId: string): Promise<boolean> =>
  (await world().db.selectFrom('users').select('erased_at').where('id', '=', userId).executeTakeFirstOrThrow())
    .erased_at !== null

async function leaving() {
  const customer = await makeCustomer(world())
  const { status } = await customer.visitor.post(path, { password: customer.password })
  expect(status).toBe(200)
  const token = await pollUntil(async () => {
    const links = (await world().mailTo(customer.email)).flatMap((mail) => mail.links)
    return links.map((link) => /\/keep\/\?token=([\w-]+)/.exec(link)?.[1]).find(Boolean)
  })
  return { ...customer, token }
}

const comeDue = (userId: string) =>
  world()
    .db.updateTable('erasure_requests')
    .set({ due_at: new Date(world().deps.clock.now().epochMilliseconds - 1_000) })
    .where('user_id', '=', userId)
    .execute()
const sweep = () => erasureSweeps(world().deps)[0]?.run(world().deps.clock.now())

test.each([0, 0, 2, 5, 10, 20, 40])(
  'cancelling an erasure %i ms after it is due either keeps the customer or is rejected',
  async (gap) => {
    const { id, token } = await leaving()
    await comeDue(id)
    const [, kept] = await Promise.all([
      sweep(),
      pause(gap).then(() => world().visitor().post('/api/account/privacy/keep/', { token })),
    ])
    expect([200, 400]).toContain(kept.status)
    expect(await isGone(id)).toBe(kept.status === 400)
    expect(await actsOf(id, 'erasure_called_off')).toBe(kept.status === 200 ? 1 : 0)
    expect(await actsOf(id, 'customer_erased')).toBe(kept.status === 200 ? 0 : 1)
  },
)

test('when several processes find a due erasure request, only one of them erases the customer', async () => {
  const { id } = await leaving()
  await comeDue(id)
  await Promise.all([sweep(), sweep(), sweep()])
  expect(await isGone(id)).toBe(true)
  expect(await actsOf(id, 'customer_erased')).toBe(1)
})

test('concurrent erasure requests count as one with one email, and only one of several concurrent cancellations succeeds', async () => {
  const { id, visitor, password, email } = await makeCustomer(world())
  const asked = await Promise.all([1, 2, 3].map(() => visitor.post(path, { password })))
  expect(asked.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await actsOf(id, 'erasure_requested')).toBe(1)
  const headers = { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' }
  const off = await Promise.all([1, 2, 3].map(() => visitor.send('DELETE', path, { headers })))
  expect(off.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  await pollUntil(async () =>
    (await world().mailTo(email)).some(({ subject }) => subject === 'We’ve kept your account'),
  )
  expect((await world().mailTo(email)).map(({ subject }) => subject).toSorted()).toEqual([
    'We’ve kept your account',
    'Your data will be deleted',
  ])
})
