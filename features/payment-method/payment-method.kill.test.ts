import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  retryAcrossRestarts,
  type KillMoment,
  createKillMoments,
  ignoreBrokenConnection,
  runThroughKills,
} from '#quality/support/kill-moments.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { registerCustomer } from '#quality/support/register-customer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Answer, Visitor } from '#quality/support/visitor.ts'

let world: KillTestWorld
let customer: { visitor: Visitor; email: string }
beforeAll(async () => {
  world = await startKillTestWorld()
  customer = await registerCustomer(world)
})
beforeEach(() => world.product.start())
afterAll(() => world?.close())

const { before, lost, beforeWriting } = createKillMoments(() => world)

function repeatUntilAnswered(holderName: string): Promise<Answer> {
  const [key, card] = [crypto.randomUUID(), world.card(holderName)]
  return retryAcrossRestarts(world, async () => {
    const answer = await customer.visitor.post(
      '/api/orders/update_payment/',
      { adyen_encrypted: card },
      { 'idempotency-key': key },
    )
    return answer.status !== 202 && answer.status < 500 ? answer : null
  })
}

const writing = (state: string) => beforeWriting(new RegExp(`^update "card_updates" set .* ${state} `))

describe('saving or removing a card while the process is killed', () => {
  test.each<[string, KillMoment, string, number]>([
    ['before the update is committed', beforeWriting(/^insert into "card_updates"/), 'Ana Rewi', 200],
    ['before the authorisation is sent', before('authorise'), 'Ana Rewi', 200],
    ['after the gateway has authorised the card', lost('authorise'), 'Ana Rewi', 200],
    ['before the outcome is committed', writing('stored'), 'Ana Rewi', 200],
    ['before the card is saved', beforeWriting(/^insert into "saved_cards"/), 'Ana Rewi', 200],
    ['before the unknown outcome is stored', writing('unknown'), 'TIMEOUT', 200],
    ['before the rejection is stored', writing('refused'), 'DECLINED', 400],
    ['after the gateway has cancelled the authorisation', lost('technicalCancel'), 'HELD', 400],
  ])(
    'a card update reaches its outcome even if the process is killed %s',
    async (_when, moment, holderName, status) => {
      const lines = world.ledgers().gateway.length
      const answer = await runThroughKills(world, [moment], () => repeatUntilAnswered(holderName))
      expect(answer.status).toBe(status)
      // oxlint-disable-next-line vitest/no-conditional-expect
      if (status === 200) expect(answer.body.credit_card_token).toMatchObject({ card_holder_name: holderName })
      const { body } = await customer.visitor.get('/api/account/')
      expect(body.user.credit_card_token.masked_card_number).toBe('**** **** **** 1111')
      expect(world.ledgers().gateway.slice(lines)).toMatchObject([{ authorised: 0, captured: 0 }])
    },
    240_000,
  )

  test.each<[string, KillMoment]>([
    ['before the removal is committed', beforeWriting(/^insert into "card_removals"/)],
    ['before the gateway is called', before('disable')],
    ['after the gateway has removed the card', lost('disable')],
    ['before the removal is recorded', beforeWriting(/^update "card_removals" set .* removed /)],
  ])(
    'a card removal completes even if the process is killed %s',
    async (_when, moment) => {
      const { visitor } = await registerCustomer(world, { plan: 'plan-30-5gb' })
      const cards = await world.storedCards()
      const press = () =>
        visitor
          .send('DELETE', '/api/account/payment_method/', {
            headers: { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' },
          })
          .catch(ignoreBrokenConnection)
      await runThroughKills(world, [moment], press)

      const again = await press()
      expect(again?.body).toEqual({ credit_card_token: null })
      const { body } = await visitor.get('/api/account/')
      expect(body.user.credit_card_token).toBeNull()
      await pollUntil(async () => (await world.storedCards()) === cards - 1, { withinMs: 60_000 })
    },
    240_000,
  )

  test('our records match the gateway’s and the network’s after the process was killed during card updates', async () => {
    expect(await world.auditAfterwards()).toEqual([])
    expect(world.product.complaints()).toEqual([])
  })
})
