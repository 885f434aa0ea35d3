import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { password } from '#quality/support/journey.ts'
import { momentsIn, onBrokenConnection, throughMoments } from '#quality/support/kill-moments.ts'
import { type KillableWorld, startKillableWorld } from '#quality/support/killable.ts'
import { askCommand } from '#quality/support/operator.ts'
import { registered } from '#quality/support/registered.ts'
import { until } from '#quality/support/until.ts'

let world: KillableWorld
beforeAll(async () => {
  world = await startKillableWorld()
}, 120_000)
beforeEach(() => world.product.start())
afterAll(() => world?.close())

const found = async (email: string): Promise<string[]> => {
  const [group] = (await askCommand(world.dataDir, ['customers', 'find', email])) as [{ customers: { id: string }[] }]
  return group.customers.map(({ id }) => id)
}

describe('an erasure that a customer asked for is done once, though the product is killed at its time', () => {
  test.each<[string, RegExp, { plan?: string }]>([
    ['before anything is forgotten', /^delete from "messages"/, { plan: 'plan-30-5gb' }],
    ['before it is committed', /^insert into "erasures"/, {}],
    ['before its end is written down', /^update "erasures" set .* completed /, {}],
  ])(
    '%s',
    async (_when, statement, paidWith) => {
      // By card in the first alone: the clock moves on, and a card is encrypted at the real time.
      const { visitor, email } = await registered(world, paidWith)
      const [id = ''] = await found(email)
      const cards = await world.storedCards()
      expect((await visitor.post('/api/account/privacy/erasure/', { password })).status).toBe(200)
      // The call breaks off with the product.
      await throughMoments(world, [momentsIn(() => world).beforeWriting(statement)], () =>
        world.visitor().post('/demo/api/clock/', { advance: 'PT25H' }).catch(onBrokenConnection),
      )
      await until(async () => {
        const shown = await askCommand(world.dataDir, ['customers', 'show', id]).catch(() => null)
        return shown?.erasure_completed && shown
      })
      const { events } = await askCommand(world.dataDir, ['audit', '--customer', id])
      expect(events.filter(({ event }: { event: string }) => event === 'customer_erased')).toHaveLength(1)
      expect(await world.storedCards()).toBe(cards - (paidWith.plan ? 1 : 0))
      expect(await found(email)).toEqual([])
    },
    120_000,
  )

  test('and nothing was complained of', () => expect(world.product.complaints()).toEqual([]))
})
