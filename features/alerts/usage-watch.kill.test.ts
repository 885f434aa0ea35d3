import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { markets } from '#kit/server/markets.ts'
import { simPack } from '#demo/stock.ts'
import { readCustomerService } from '#quality/support/auto-renewal.ts'
import { ignoreBrokenConnection } from '#quality/support/kill-moments.ts'
import { endLeasesAndStartProduct } from '#quality/support/end-leases.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { registerCustomer } from '#quality/support/register-customer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'

const moments = [
  ['as the check is taken', /^update "usage_watch" set "due_at" = .* returning "service_id"/],
  ['before the check is recorded', /^update "usage_watch" set .*"last_threshold"/],
  ['before the text is queued', /^insert into "messages" .*usage-alert:.*:text/],
  ['between the text and the email', /^insert into "messages" .*usage-alert:.*:mail/],
] as const

let world: KillTestWorld
// Register all customers before advancing the application's clock, because card encryption uses the real time.
const customers: Awaited<ReturnType<typeof usedUp>>[] = []
beforeAll(async () => {
  world = await startKillTestWorld()
  while (customers.length < moments.length) customers.push(await usedUp())
})
afterAll(() => world?.close())

async function usedUp() {
  const customer = await registerCustomer(world, { plan: 'plan-7-500mb' })
  const service = await readCustomerService({ customer })
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

/** The setting `most` differs from its default, so the test can tell whether these settings have been saved. */
const chosen = { half: 'off', most: 'off', all: 'both', before_end: 'both' }

const passTime = () => world.visitor().post('/demo/api/clock/', { advance: 'PT11M' })

const sentTo = async (address: string): Promise<number> =>
  (await world.mailTo(address)).filter(({ text }) => text.includes('is used up')).length

describe('sending alerts about used-up data when the process is killed', () => {
  test.each(moments.map(([when, statement], at) => ({ when, statement, at })))(
    'sends the alert about used-up data once when the process is killed $when',
    async ({ statement, at }) => {
      const { visitor, email, service } = customers[at]!
      const dead = world.product.death()
      await world.product.killBeforeStatement(statement)
      // Saving the settings triggers a usage check, so the process may be killed before it responds.
      const path = `/api/services/alerts/${service.uuid}/`
      const choose = () => visitor.post(path, chosen).catch(ignoreBrokenConnection)
      await choose()
      await dead
      await endLeasesAndStartProduct(world)
      // The process may have been killed by an earlier scheduled check, before the settings were saved.
      if ((await visitor.get(path)).body.most !== chosen.most) await choose()
      // Advance the clock until the killed process's leases have expired.
      await passTime()
      await pollUntil(async () => (await sentTo(service.msisdn)) > 0 && (await sentTo(email)) > 0, {
        withinMs: 150_000,
      })
      // If there were a duplicate message, it would arrive within this time.
      await passTime()
      expect([await sentTo(service.msisdn), await sentTo(email)]).toEqual([1, 1])
    },
    240_000,
  )

  test('after the process is killed repeatedly, the portal’s records match the providers’ and no error is logged', async () => {
    expect(await world.auditAfterwards()).toEqual([])
    expect(world.product.complaints()).toEqual([])
  })
})
