import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { password } from '#quality/support/activation-journey.ts'
import { createKillMoments, ignoreBrokenConnection, runThroughKills } from '#quality/support/kill-moments.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { runCommandForJson } from '#quality/support/operator.ts'
import { registerCustomer } from '#quality/support/register-customer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'

let world: KillTestWorld
beforeAll(async () => {
  world = await startKillTestWorld()
})
beforeEach(() => world.product.start())
afterAll(() => world?.close())

const found = async (email: string): Promise<string[]> => {
  const [group] = (await runCommandForJson(world.dataDir, ['customers', 'find', email])) as [
    { customers: { id: string }[] },
  ]
  return group.customers.map(({ id }) => id)
}

describe('erasing a customer while the process is killed', () => {
  test.each<[string, RegExp, { plan?: string }]>([
    ['before any data is deleted', /^delete from "messages"/, { plan: 'plan-30-5gb' }],
    ['before the erasure is committed', /^insert into "erasures"/, {}],
    ['before its completion is recorded', /^update "erasures" set .* completed /, {}],
  ])(
    'an erasure is done exactly once, even if the process is killed %s',
    async (_when, statement, paidWith) => {
      /*
       * Only the first case pays by card: encrypted cards contain the real time, but this test moves the
       * application's clock forward.
       */
      const { visitor, email } = await registerCustomer(world, paidWith)
      const [id = ''] = await found(email)
      const cards = await world.storedCards()
      expect((await visitor.post('/api/account/privacy/erasure/', { password })).status).toBe(200)
      await runThroughKills(world, [createKillMoments(() => world).beforeWriting(statement)], () =>
        world.visitor().post('/demo/api/clock/', { advance: 'PT25H' }).catch(ignoreBrokenConnection),
      )
      await pollUntil(async () => {
        const shown = await runCommandForJson(world.dataDir, ['customers', 'show', id]).catch(() => null)
        return shown?.erasure_completed && shown
      })
      const { events } = await runCommandForJson(world.dataDir, ['audit', '--customer', id])
      expect(events.filter(({ event }: { event: string }) => event === 'customer_erased')).toHaveLength(1)
      expect(await world.storedCards()).toBe(cards - (paidWith.plan ? 1 : 0))
      expect(await found(email)).toEqual([])
    },
    120_000,
  )

  test('nothing unexpected is logged when the process is killed during erasures', () =>
    expect(world.product.complaints()).toEqual([]))
})
