import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { markets } from '#kit/server/markets.ts'
import { simPack } from '#demo/stock.ts'
import { readServiceOf } from '#quality/support/auto-renewal.ts'
import { ignoreBrokenConnection } from '#quality/support/kill-moments.ts'
import { startAfterLeases } from '#quality/support/end-leases.ts'
import { type KillableWorld, startKillableWorld } from '#quality/support/killable-world.ts'
import { registerCustomer } from '#quality/support/register-customer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'

const moments = [
  ['as the check is taken', /^update "usage_watch" set "due_at" = .* returning "service_id"/],
  ['before the check is recorded', /^update "usage_watch" set .*"last_threshold"/],
  ['before the text is queued', /^insert into "messages" .*usage-alert:.*:text/],
  ['between the text and the email', /^insert into "messages" .*usage-alert:.*:mail/],
] as const

let world: KillableWorld
// Register all customers before the clock moves, because cards are encrypted at the real time, which does not follow the product's clock.
const customers: Awaited<ReturnType<typeof usedUp>>[] = []
beforeAll(async () => {
  world = await startKillableWorld()
  while (customers.length < moments.length) customers.push(await usedUp())
}, 240_000)
afterAll(() => world?.close())

async function usedUp() {
  const customer = await registerCustomer(world, { plan: 'plan-7-500mb' })
  const service = await readServiceOf({ customer })
  const pack = Array.from({ length: 1_000 }, (_, position) => simPack(position, markets.NZ)).find(
    ({ msisdn }) => msisdn === service.msisdn,
  )
  const response = await fetch(`${world.network.url}/_simulator/uses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ iccid: pack?.iccid, type: 'data', amount: 9_999 }),
  })
  expect(response.ok).toBe(true)
  return { ...customer, service }
}

/** The value of `most` differs from the default, so the test can tell whether these settings were saved. */
const chosen = { half: 'off', most: 'off', all: 'both', before_end: 'both' }

const passTime = () => world.visitor().post('/demo/api/clock/', { advance: 'PT11M' })

const sentTo = async (address: string): Promise<number> =>
  (await world.mailTo(address)).filter(({ text }) => text.includes('is used up')).length

describe('alerts about used-up data when the product is killed', () => {
  test.each(moments.map(([when, statement], at) => ({ when, statement, at })))(
    'the alert about used-up data is sent once when the product is killed $when',
    async ({ statement, at }) => {
      const { visitor, email, service } = customers[at]!
      const dead = world.product.death()
      await world.product.dieBefore(statement)
      // Saving the settings triggers a usage check, so the product may die before it responds.
      const path = `/api/services/alerts/${service.uuid}/`
      const choose = () => visitor.post(path, chosen).catch(ignoreBrokenConnection)
      await choose()
      await dead
      await startAfterLeases(world)
      // A check that was scheduled earlier may have killed the product before the settings were saved.
      if ((await visitor.get(path)).body.most !== chosen.most) await choose()
      // The leases of the dead process expire within this time.
      await passTime()
      await pollUntil(async () => (await sentTo(service.msisdn)) > 0 && (await sentTo(email)) > 0, {
        withinMs: 150_000,
      })
      // A duplicate message would have arrived by the end of this wait.
      await passTime()
      expect([await sentTo(service.msisdn), await sentTo(email)]).toEqual([1, 1])
    },
    240_000,
  )

  test('after all kills the ledgers agree, and the product has printed no warnings or errors', async () => {
    expect(await world.auditAfterwards()).toEqual([])
    expect(world.product.complaints()).toEqual([])
  }, 120_000)
})
