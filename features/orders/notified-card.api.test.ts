/* @module-tag slow */
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import {
  readGatewayCards,
  failGateway,
  readProviderRecords,
  sendNotification,
  setGatewayAccount,
  setWebhookMode,
} from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()

const cardOf = (userId: string) =>
  world().db.selectFrom('saved_cards').selectAll().where('user_id', '=', userId).executeTakeFirst()
const lastOrderOf = (email: string) =>
  world()
    .db.selectFrom('orders')
    .selectAll()
    .where('email', '=', email)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

describe('saving a card whose payment is authorised later', () => {
  const shopperOf = async (email: string): Promise<string> => (await lastOrderOf(email)).id
  afterEach(() => setWebhookMode(world(), { mode: 'normal', release: true }))

  async function pending(body: Record<string, unknown> = {}) {
    await setWebhookMode(world(), { mode: 'hold' })
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    const paid = await traveller.pay({ holder: 'PENDING', body })
    expect(paid.status).toBe(202)
    const reference = `${paid.body.order_code}-1`
    const attempt = await world()
      .db.selectFrom('payment_attempts')
      .selectAll()
      .where('reference', '=', reference)
      .executeTakeFirstOrThrow()
    const tell = (additionalData: Record<string, string>) =>
      sendNotification(world(), {
        eventCode: 'AUTHORISATION',
        merchantReference: reference,
        pspReference: attempt.psp_reference ?? '',
        amount: { value: 2200, currency: 'NZD' },
        additionalData,
      })
    const savedCard = async () => {
      await traveller.arriveAt('SUCCESSFUL')
      return cardOf((await lastOrderOf(traveller.email)).user_id ?? '')
    }
    return { traveller, reference, tell, savedCard }
  }

  test('a card is saved and can be used again even if its payment is authorised later', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    expect((await traveller.pay({ holder: 'PENDING' })).status).toBe(202)
    await traveller.arriveAt('SUCCESSFUL')
    const order = await lastOrderOf(traveller.email)
    const [stored] = await readGatewayCards(world(), await shopperOf(traveller.email))
    expect(await cardOf(order.user_id ?? '')).toMatchObject({
      stored_id: stored?.id,
      last_four: '1111',
      card_type: 'visa',
      holder_name: 'PENDING',
      shopper_reference: order.id,
    })
    expect(
      await world().deps.card.authorise({
        reference: `${order.order_code}-9`,
        idempotencyKey: crypto.randomUUID(),
        amount: 100,
        currency: 'NZD',
        shopperReference: order.id,
        shopperEmail: traveller.email,
        card: { storedId: stored?.id ?? '' },
        store: false,
      }),
    ).not.toMatchObject({ outcome: 'invalid' })
  })

  test('an activation’s card is saved even if the notification arrives before the response to our request', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    await failGateway(world(), { operation: 'authorise', kind: 'slow', delay_ms: 4_000 })
    const answer = traveller.pay({ holder: 'PENDING' })
    await pollUntil(async () => {
      const { gateway } = await readProviderRecords(world(), (await lastOrderOf(traveller.email)).order_code)
      return gateway.length > 0
    })
    await world().advance('PT5S')
    await answer
    await traveller.arriveAt('SUCCESSFUL')
    expect(await cardOf((await lastOrderOf(traveller.email)).user_id ?? '')).toMatchObject({ last_four: '1111' })
  })

  test('if a notification names an unknown card network, the card is saved without a type and a task is created', async () => {
    onTestFinished(() => setGatewayAccount(world(), { hidden: ['cardBin'] }))
    await setGatewayAccount(world(), { hidden: ['paymentMethod'] })
    const { tell, savedCard } = await pending()
    await tell({ paymentMethod: 'late_network', 'recurring.recurringDetailReference': '8415000000000005' })
    expect(await savedCard()).toMatchObject({ stored_id: '8415000000000005', card_type: null })
    const tasks = await world()
      .db.selectFrom('operator_tasks')
      .select('reason')
      .where('subject', '=', 'card gateway')
      .execute()
    expect(tasks.map(({ reason }) => reason)).toContainEqual(expect.stringContaining('“late_network”'))
  })

  test('a card that the customer chose not to save is not saved when its payment is authorised later', async () => {
    const { tell, savedCard } = await pending({ save_token: false })
    await tell({ 'recurring.recurringDetailReference': '8415000000000001' })
    expect(await savedCard()).toBeUndefined()
  })

  test("a card's details come from the gateway's response, even if the notification differs", async () => {
    const { traveller, tell, savedCard } = await pending()
    await tell({
      'recurring.recurringDetailReference': '8415000000000002',
      'recurring.shopperReference': await shopperOf(traveller.email),
      cardSummary: '9999',
      cardHolderName: 'Mallory',
      expiryDate: '1/2099',
    })
    expect(await savedCard()).toMatchObject({
      stored_id: '8415000000000002',
      last_four: '1111',
      holder_name: 'PENDING',
    })
  })

  test('if the gateway reports a card while its payment is being abandoned, only one removal of the card is requested', async () => {
    const { traveller, reference, tell } = await pending()
    const { card } = world().deps
    const { technicalCancel } = card
    onTestFinished(() => void Object.assign(card, { technicalCancel }))
    card.technicalCancel = async (modification) => {
      if (modification.originalReference === reference)
        await tell({ 'recurring.recurringDetailReference': '8415000000000004' })
      return technicalCancel(modification)
    }
    await world()
      .db.updateTable('payment_attempts')
      .set({ resolve_by: new Date(0) })
      .where('reference', '=', reference)
      .execute()
    await traveller.visitor.post(`/api/orders/${reference.replace(/-1$/, '')}/resume/`)
    expect(await lastOrderOf(traveller.email)).toMatchObject({ state: 'refused', user_id: null })
    const removals = await world()
      .db.selectFrom('card_removals')
      .select('id')
      .where('stored_id', '=', '8415000000000004')
      .execute()
    expect(removals).toHaveLength(1)
  })

  test('a card reported under a shopper reference that is not ours is not saved', async () => {
    const { tell, savedCard } = await pending()
    await tell({ 'recurring.recurringDetailReference': '8415000000000003', 'recurring.shopperReference': 'somebody' })
    expect(await savedCard()).toBeUndefined()
  })
})
