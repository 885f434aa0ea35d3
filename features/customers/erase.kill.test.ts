import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  retryAcrossRestarts,
  type KillMoment,
  createKillMoments,
  runThroughKills,
} from '#quality/support/kill-moments.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { runCommandForJson, runCommand } from '#quality/support/operator.ts'
import { registerCustomer } from '#quality/support/register-customer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'

let world: KillTestWorld
beforeAll(async () => {
  world = await startKillTestWorld()
})
beforeEach(() => world.product.start())
afterAll(() => world?.close())

const { before, lost, beforeWriting } = createKillMoments(() => world)

const erase = (id: string) => runCommand(world.dataDir, ['customers', 'erase', id, '--yes']).catch(() => null)

describe('erasing a customer while the server is killed', () => {
  test.each<[string, KillMoment]>([
    ['before it is committed', beforeWriting(/^insert into "erasures"/)],
    ['before the gateway is asked to delete the card', before('disable')],
    ['when the gateway has deleted the card', lost('disable')],
    ['before the deletion of the card is recorded', beforeWriting(/^update "card_removals" set .* removed /)],
    ['before its entry in the list is recorded', beforeWriting(/^update "erasures" set "listed_at"/)],
    ['before its completion is recorded', beforeWriting(/^update "erasures" set .* completed /)],
  ])(
    'a customer is erased completely even if the server is killed %s',
    async (_when, moment) => {
      const { email } = await registerCustomer(world, { plan: 'plan-30-5gb' })
      const [{ customers }] = (await runCommandForJson(world.dataDir, ['customers', 'find', email])) as [
        { customers: { id: string }[] },
      ]
      const id = customers[0]?.id ?? ''
      const cards = await world.storedCards()
      await runThroughKills(world, [moment], () => erase(id))

      await retryAcrossRestarts(world, async () => {
        const again = await erase(id)
        return again?.exit === 0 || again?.complaints[0] === 'This customer has been erased.' ? again : null
      })
      const shown = await pollUntil(async () => {
        const customer = await runCommandForJson(world.dataDir, ['customers', 'show', id]).catch(() => null)
        return customer?.erasure_completed && customer
      })
      expect(shown).toMatchObject({ email: `${id}@erased.invalid`, first_name: '', saved_card: null })
      expect(await world.storedCards()).toBe(cards - 1)
      expect(await runCommandForJson(world.dataDir, ['customers', 'find', email])).toMatchObject([{ customers: [] }])
    },
    120_000,
  )

  test('the server logs no errors when erasures are interrupted', () => expect(world.product.complaints()).toEqual([]))
})
