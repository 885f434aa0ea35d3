import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { exitCodes } from '#operator/command.ts'
import { isEndState } from '#features/orders/orders.states.ts'
import { setAutoRenewal } from '#quality/support/auto-renewal.ts'
import { makeSubscriber } from '#quality/support/customer.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { runCommand } from '#quality/support/operator.ts'
import { buyAddOn, renew } from '#quality/support/purchases.ts'
import { readProviderRecords } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const dataDir = createDataFolder('fantail-customers-race-')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const world = useWorld({ env: { DATA_DIR: dataDir } })

const run = (...args: string[]) => runCommand(dataDir, args)
const later = async <T>(ms: number, act: () => Promise<T>): Promise<T> => {
  await pause(ms)
  return act()
}
const purchasesOf = (id: string) =>
  world()
    .db.selectFrom('orders')
    .select(['order_code', 'state'])
    .where('user_id', '=', id)
    .where('kind', '!=', 'activation')
    .execute()

/** Milliseconds from the purchase to the erasure or block. The values vary so that the two operations collide at different points. */
const gaps = [-60, -20, 0, 0, 5, 10, 20, 40, 80]

describe('purchases made while the customer is being erased or blocked', () => {
  test.each(gaps)(
    'a purchase is completed or rejected, never left open, when its customer is erased %i ms later',
    async (gap) => {
      const { id, visitor, service } = await makeSubscriber(world(), { card: true })
      const [bought, erased] = await Promise.all([
        later(Math.max(0, -gap), () => renew(world(), visitor, service, { saved: true })),
        later(Math.max(0, gap), () => run('customers', 'erase', id, '--yes')),
      ])
      const openAtOnce = (await purchasesOf(id)).filter(({ state }) => !isEndState(state))
      const isErased = erased.exit === exitCodes.done
      expect(bought.status).toBeLessThan(500)
      // An erased customer has no open orders. If the customer was not erased, the purchase must have succeeded.
      expect(isErased ? openAtOnce : []).toEqual([])
      expect(isErased || bought.status === 200).toBe(true)
      expect(isErased ? '' : erased.complaints[0]).toMatch(
        /^$|^Not possible while something is open: |^This customer’s account is being changed/,
      )
      const over = await pollUntil(async () => {
        const purchases = await purchasesOf(id)
        return purchases.every(({ state }) => isEndState(state)) && purchases
      })
      expect(over.filter(({ state }) => state === 'completed')).toHaveLength(bought.status === 200 ? 1 : 0)
      // No money may be captured for orders that were not completed.
      const undone = over.filter(({ state }) => state !== 'completed')
      const lines = await Promise.all(undone.map(({ order_code: code }) => readProviderRecords(world(), code)))
      expect(lines.flatMap(({ gateway }) => gateway.filter(({ captured }) => captured > 0))).toEqual([])
    },
  )

  test.each(gaps)(
    'a purchase is accepted or rejected, and later ones are rejected, when its customer is blocked %i ms later',
    async (gap) => {
      const { id, visitor, service } = await makeSubscriber(world(), { card: true })
      await setAutoRenewal({ customer: { visitor, email: '' }, service }, 'PUT')
      const [bought, switched, blocked] = await Promise.all([
        later(Math.max(0, -gap), () => buyAddOn(world(), visitor, service, { saved: true })),
        later(Math.max(0, -gap), () =>
          setAutoRenewal({ customer: { visitor, email: '' }, service }, 'PUT').catch(() => null),
        ),
        later(Math.max(0, gap), () => run('customers', 'block', id)),
      ])
      expect(switched).toBeFalsy()
      expect(blocked.exit).toBe(exitCodes.done)
      expect([200, 202, 400, 401]).toContain(bought.status)
      expect((await purchasesOf(id)).length).toBe(bought.status < 400 ? 1 : 0)
      const { enabled } = await world()
        .db.selectFrom('auto_renewals')
        .select('enabled')
        .where('service_id', '=', service.id)
        .executeTakeFirstOrThrow()
      expect(enabled).toBe(false)
      expect((await visitor.get('/api/account/')).body.authenticated).toBe(false)
      expect((await buyAddOn(world(), visitor, service, { saved: true })).status).toBe(401)
    },
  )
})

test('when a customer is erased twice at once, one erasure succeeds and the other reports that the customer has been erased', async () => {
  const { id } = await makeSubscriber(world(), { card: true })
  const both = await Promise.all([run('customers', 'erase', id, '--yes'), run('customers', 'erase', id, '--yes')])
  expect(both.map(({ exit }) => exit).sort()).toEqual([exitCodes.done, exitCodes.refused])
  expect(both.flatMap(({ complaints }) => complaints)).toEqual(['This customer has been erased.'])
  await pollUntil(async () => (await run('customers', 'show', id)).said.join('').includes('ERASED'))
})

test('a customer who signs in while being blocked is not signed in afterwards', async () => {
  for (const gap of [0, 20, 60, 120]) {
    const customer = await makeSubscriber(world())
    const visitor = world().visitor()
    const [entered] = await Promise.all([
      visitor.post('/api/account/login/', { username: customer.email, password: customer.password }),
      later(gap, () => run('customers', 'block', customer.id)),
    ])
    expect([200, 400]).toContain(entered.status)
    expect((await visitor.get('/api/account/')).body.authenticated).toBe(false)
  }
})
