import { beforeEach, describe, expect, test } from 'vitest'
import { type Subscriber, makeSubscriber } from '#quality/support/customer.ts'
import { renew } from '#quality/support/purchases.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { readGatewayCards, clearFailures, failGateway } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
beforeEach(() => world().db.deleteFrom('rate_limits').execute())
beforeEach(() => clearFailures(world()))

const remove = (visitor: Visitor) =>
  visitor.send('DELETE', '/api/account/payment_method/', {
    headers: { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' },
  })
/** A card used before the customer had an account may be stored at the gateway under the first order's reference. */
async function withCard(): Promise<Subscriber & { holder: string }> {
  const customer = await makeSubscriber(world(), { card: true })
  const card = await world()
    .db.selectFrom('saved_cards')
    .select('shopper_reference')
    .where('user_id', '=', customer.id)
    .executeTakeFirstOrThrow()
  return { ...customer, holder: card.shopper_reference ?? customer.id }
}

test('a card with a pending charge is removed from the gateway only after the charge is resolved', async () => {
  const customer = await withCard()
  await failGateway(world(), { operation: 'authorise', kind: 'error_500', times: 1000 })
  const pressed = renew(world(), customer.visitor, customer.service, { saved: true })
  await pollUntil(
    async () =>
      (
        await world()
          .db.selectFrom('payment_attempts')
          .select('state')
          .where('stored_card_id', 'is not', null)
          .where('state', '=', 'unknown')
          .execute()
      ).length === 1,
  )
  expect((await remove(customer.visitor)).status).toBe(200)
  expect(await readGatewayCards(world(), customer.holder)).toHaveLength(1)
  await clearFailures(world())
  const { status, body } = await pressed
  expect([200, 202]).toContain(status)
  const order = await pollUntil(async () => {
    const found = await world()
      .db.selectFrom('orders')
      .select(['state', 'id'])
      .where('order_code', '=', body.order_code)
      .executeTakeFirst()
    return found?.state === 'completed' && found
  })
  expect(order.state).toBe('completed')
  await pollUntil(async () => (await readGatewayCards(world(), customer.holder)).length === 0)
})

test('ten concurrent removals of a saved card remove it only once', async () => {
  const customer = await withCard()
  const answers = await Promise.all(Array.from({ length: 10 }, () => remove(customer.visitor)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const found = await world()
    .db.selectFrom('card_removals')
    .selectAll()
    .where('shopper_reference', '=', customer.holder)
    .execute()
  expect(found).toHaveLength(1)
})

describe('removing a saved card while it is being charged', () => {
  test('a charge while the saved card is being removed either succeeds or is rejected because no card is saved', async () => {
    for (let round = 0; round < 5; round++) {
      const customer = await withCard()
      const [paid, removed] = await Promise.all([
        renew(world(), customer.visitor, customer.service, { saved: true }),
        remove(customer.visitor),
      ])
      expect(removed.status).toBe(200)
      if (paid.status === 400)
        // oxlint-disable-next-line vitest/no-conditional-expect
        expect(paid.body.__all__).toEqual(['You have no saved card. Please enter your card details.'])
      // oxlint-disable-next-line vitest/no-conditional-expect
      else expect([200, 202]).toContain(paid.status)
      await pollUntil(async () => (await readGatewayCards(world(), customer.holder)).length === 0)
    }
  })
})

test('our records match the gateway’s and the network’s after cards were removed concurrently', async () =>
  expect(await findFaultsWhenIdle(world())).toEqual([]))
