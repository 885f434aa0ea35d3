/* @module-tag slow */
import { afterEach, expect, test } from 'vitest'
import { advanceClockTo, getLastDayAtHour, createRenewingCustomer } from '#quality/support/auto-renewal.ts'
import { makeSubscriber } from '#quality/support/customer.ts'
import { sendNotification, setGatewayAccount } from '#quality/support/simulators.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
afterEach(() => setGatewayAccount(world(), { hidden: [] }))

const tasksAbout = async (userId: string): Promise<string[]> =>
  (
    await world()
      .db.selectFrom('operator_tasks')
      .select('reason')
      .where('kind', '=', 'payment')
      .where('subject', '=', userId)
      .where('done_at', 'is', null)
      .execute()
  ).map(({ reason }) => reason)
const attemptOf = (userId: string) =>
  world()
    .db.selectFrom('payment_attempts')
    .innerJoin('orders', 'orders.id', 'payment_attempts.order_id')
    .select(['payment_attempts.id', 'reference', 'card'])
    .where('orders.user_id', '=', userId)
    .where('store', '=', true)
    .executeTakeFirstOrThrow()
const unnamed = (reference: string) =>
  `${reference} was paid with a card that we were to save, but the gateway returned no stored card: auto-renewal has no card`
const nameCard = (reference: string, storedId: string) =>
  sendNotification(world(), {
    eventCode: 'RECURRING_CONTRACT',
    merchantReference: reference,
    pspReference: storedId,
    amount: { value: 0, currency: 'NZD' },
  })

test('switching auto-renewal on creates a staff task if the gateway never confirmed that it had saved the card', async () => {
  await setGatewayAccount(world(), { hidden: ['recurring.recurringDetailReference'] })
  const { visitor, id, service } = await makeSubscriber(world(), { card: true })
  expect(await tasksAbout(id)).toEqual([])
  const { status } = await visitor.send('PUT', `/api/services/auto_renew/${service.id}/${service.shortId}/`, {
    headers: { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' },
  })
  expect(status).toBe(400)
  const { reference } = await attemptOf(id)
  expect(await tasksAbout(id)).toEqual([unnamed(reference)])
  await nameCard(reference, '8415736344108917')
  expect(await tasksAbout(id)).toEqual([])
})

test('a due auto-renewal creates a staff task if the gateway never confirmed that it had saved the card', async () => {
  const renewing = await createRenewingCustomer(world())
  const { id } = renewing.customer
  const { id: attempt, reference, card } = await attemptOf(id)
  await world()
    .db.updateTable('payment_attempts')
    .set({ card: JSON.stringify({ ...card, storedId: null }) })
    .where('id', '=', attempt)
    .execute()
  await world().db.deleteFrom('saved_cards').where('user_id', '=', id).execute()
  await advanceClockTo(world(), getLastDayAtHour(renewing, 10))
  expect(await tasksAbout(id)).toEqual([unnamed(reference)])
  await nameCard(reference, card?.storedId ?? '')
  expect(await tasksAbout(id)).toEqual([])
})

test('a due auto-renewal creates no staff task if the customer has removed the card', async () => {
  const renewing = await createRenewingCustomer(world())
  const { id } = renewing.customer
  await world().db.deleteFrom('saved_cards').where('user_id', '=', id).execute()
  await advanceClockTo(world(), getLastDayAtHour(renewing, 10))
  expect(await tasksAbout(id)).toEqual([])
})
