import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CallName } from '#testing/killable-outside.ts'
import { type KillableWorld, startKillableWorld } from '#testing/killable.ts'
import { askCommand, runCommand } from '#testing/operator.ts'
import { registered } from '#testing/registered.ts'
import { until } from '#testing/until.ts'

let world: KillableWorld
beforeAll(async () => {
  world = await startKillableWorld()
}, 120_000)
beforeEach(() => world.product.start())
afterAll(() => world?.close())

/** A moment at which the product is killed: lays the trap, and answers what resolves when it is dead. */
type Moment = () => Promise<{ dead: Promise<void> }>

const atCall =
  (call: CallName, when: 'before' | 'after'): Moment =>
  async () => {
    const held = world.hold(call, when)
    return { dead: held.reached.then(() => world.product.kill()).then(held.drop) }
  }

const beforeWriting =
  (statement: RegExp): Moment =>
  async () => {
    const dead = world.product.death()
    await world.product.dieBefore(statement)
    return { dead }
  }

const erase = (id: string) => runCommand(world.dataDir, ['customers', 'erase', id, '--yes']).catch(() => null)

describe('an erasure survives that the product is killed', () => {
  test.each<[string, Moment]>([
    ['before it is committed', beforeWriting(/^insert into "erasures"/)],
    ['before the gateway is asked to forget the card', atCall('disable', 'before')],
    ['when the gateway has forgotten it', atCall('disable', 'after')],
    ['before that is written down', beforeWriting(/^update "card_removals" set .* removed /)],
    ['before it is known to be in the list', beforeWriting(/^update "erasures" set "listed_at"/)],
    ['before its end is written down', beforeWriting(/^update "erasures" set .* completed /)],
  ])(
    '%s',
    async (_when, moment) => {
      const { email } = await registered(world, { plan: 'plan-30-5gb' })
      const [{ customers }] = (await askCommand(world.dataDir, ['customers', 'find', email])) as [
        { customers: { id: string }[] },
      ]
      const id = customers[0]?.id ?? ''
      const cards = await world.storedCards()
      const { dead } = await moment()
      const first = erase(id)
      await dead
      await first
      await world.product.start()

      // Whoever does not know how it went asks again.
      for (const end = performance.now() + 60_000; performance.now() < end; await pause(100)) {
        const again = await erase(id)
        if (again?.exit === 0 || again?.complaints[0] === 'This customer has been erased.') break
      }
      const shown = await until(async () => {
        const customer = await askCommand(world.dataDir, ['customers', 'show', id]).catch(() => null)
        return customer?.erasure_completed && customer
      })
      expect(shown).toMatchObject({ email: `${id}@erased.invalid`, first_name: '', saved_card: null })
      expect(await world.storedCards()).toBe(cards - 1)
      expect(await askCommand(world.dataDir, ['customers', 'find', email])).toMatchObject([{ customers: [] }])
    },
    120_000,
  )

  test('and nothing was complained of', () => expect(world.product.complaints()).toEqual([]))
})
