import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CallName } from '#testing/killable-outside.ts'
import { type KillableWorld, startKillableWorld } from '#testing/killable.ts'
import { registered } from '#testing/registered.ts'
import { until } from '#testing/until.ts'
import type { Answer, Visitor } from '#testing/visitor.ts'

let world: KillableWorld
let customer: { visitor: Visitor; email: string }
beforeAll(async () => {
  world = await startKillableWorld()
  customer = await registered(world)
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

/** Sends a card, and after each broken connection sends it again with the same key, until there is an outcome. */
async function repeatUntilAnswered(holderName: string): Promise<Answer> {
  const [key, card] = [crypto.randomUUID(), world.card(holderName)]
  for (const end = performance.now() + 90_000; performance.now() < end; await pause(100)) {
    const answer = await customer.visitor
      .post('/api/orders/update_payment/', { adyen_encrypted: card }, { 'idempotency-key': key })
      .catch(onBrokenConnection)
    if (answer && answer.status !== 202 && answer.status < 500) return answer
  }
  throw new Error('there is no outcome')
}

function onBrokenConnection(error: unknown): null {
  // What `fetch` throws of every connection that was refused, reset or cut.
  if (error instanceof TypeError) return null
  throw error
}

const writing = (state: string) => beforeWriting(new RegExp(`^update "card_updates" set .* ${state} `))

describe('a card update survives that the product is killed', () => {
  test.each<[string, Moment, string, number]>([
    ['before it is committed', beforeWriting(/^insert into "card_updates"/), 'Ana Rewi', 200],
    ['before the call leaves', atCall('authorise', 'before'), 'Ana Rewi', 200],
    ['when the gateway has done it', atCall('authorise', 'after'), 'Ana Rewi', 200],
    ['before the outcome is committed', writing('stored'), 'Ana Rewi', 200],
    ['before the card is kept', beforeWriting(/^insert into "saved_cards"/), 'Ana Rewi', 200],
    ['before doubt is written down', writing('unknown'), 'TIMEOUT', 200],
    ['before a refusal is written down', writing('refused'), 'DECLINED', 400],
    ['when it has been cancelled', atCall('technicalCancel', 'after'), 'HELD', 400],
  ])(
    '%s',
    async (_when, moment, holderName, status) => {
      const lines = world.ledgers().gateway.length
      const { dead } = await moment()
      const outcome = repeatUntilAnswered(holderName)
      await Promise.race([dead, outcome.then(() => dead)])
      await world.product.start()

      const answer = await outcome
      expect(answer.status).toBe(status)
      // oxlint-disable-next-line vitest/no-conditional-expect
      if (status === 200) expect(answer.body.credit_card_token).toMatchObject({ card_holder_name: holderName })
      const { body } = await customer.visitor.get('/api/account/')
      expect(body.user.credit_card_token.masked_card_number).toBe('**** **** **** 1111')
      // One authorisation, of nothing.
      expect(world.ledgers().gateway.slice(lines)).toMatchObject([{ authorised: 0, captured: 0 }])
    },
    240_000,
  )

  test.each<[string, Moment]>([
    ['before its removal is committed', beforeWriting(/^insert into "card_removals"/)],
    ['before the gateway is asked to forget it', atCall('disable', 'before')],
    ['when the gateway has forgotten it', atCall('disable', 'after')],
    ['before that is written down', beforeWriting(/^update "card_removals" set .* removed /)],
  ])(
    'and so does a removal: %s',
    async (_when, moment) => {
      const { visitor } = await registered(world, { plan: 'plan-30-5gb' })
      const before = await world.storedCards()
      const { dead } = await moment()
      const press = () =>
        visitor
          .send('DELETE', '/api/account/payment_method/', {
            headers: { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' },
          })
          .catch(onBrokenConnection)
      const first = press()
      await Promise.race([dead, first.then(() => dead)])
      await world.product.start()

      const again = await press()
      expect(again?.body).toEqual({ credit_card_token: null })
      const { body } = await visitor.get('/api/account/')
      expect(body.user.credit_card_token).toBeNull()
      await until(async () => (await world.storedCards()) === before - 1, { withinMs: 60_000 })
    },
    240_000,
  )

  test('and in the end all books agree', async () => {
    expect(await world.auditAfterwards()).toEqual([])
    expect(world.product.complaints()).toEqual([])
  }, 120_000)
})
