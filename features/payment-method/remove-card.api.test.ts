import { beforeEach, describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { encryptCard } from '#kit/web/card/encrypt.ts'
import { createRenewingCustomer, readCustomerSchedule } from '#quality/support/auto-renewal.ts'
import { dinersCardNumber } from '#quality/support/cards.ts'
import { type Customer, logInAs, makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { activate, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { buyAddOn, renew } from '#quality/support/purchases.ts'
import { readGatewayCards, clearFailures, failGateway } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Answer, Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import { insertCardRemoval } from './server/card-removals.store.ts'

const world = useWorld()
beforeEach(() => world().db.deleteFrom('rate_limits').execute())
beforeEach(() => clearFailures(world()))

const remove = (visitor: Visitor): Promise<Answer> =>
  visitor.send('DELETE', '/api/account/payment_method/', {
    headers: { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' },
  })
const cardOf = (userId: string) =>
  world().db.selectFrom('saved_cards').selectAll().where('user_id', '=', userId).executeTakeFirst()
const removalsOf = (storedId: string) =>
  world().db.selectFrom('card_removals').selectAll().where('stored_id', '=', storedId).execute()
const lookNow = (storedId: string) =>
  world()
    .db.updateTable('card_removals')
    .set({ retry_at: new Date(0) })
    .where('stored_id', '=', storedId)
    .execute()
const mailsAbout = async (email: string, subject: string) =>
  (await world().mailTo(email)).filter((mail) => mail.subject === subject)

async function withCard(): Promise<Customer & { storedId: string; holder: string }> {
  const customer = await makeCustomer(world(), { card: true })
  const card = await cardOf(customer.id)
  if (!card) throw new Error('no card was saved')
  return { ...customer, storedId: card.stored_id, holder: card.shopper_reference ?? customer.id }
}

function update({ visitor }: Pick<Customer, 'visitor'>, number = '4111 1111 1111 1111', holderName = 'Ana Rewi') {
  const card = { number, cvc: '737', holderName, expiryMonth: '03', expiryYear: '2030' }
  const { publicKey } = world().deps.bootstrap.card
  const now = world().deps.clock.now().toString({ fractionalSecondDigits: 3 })
  return visitor.post(
    '/api/orders/update_payment/',
    { payment_method: '1', adyen_encrypted: encryptCard(publicKey, card, now) },
    { 'idempotency-key': crypto.randomUUID() },
  )
}

describe('removing a saved card', () => {
  test('removing a saved card deletes it from the account and from the gateway, and emails the customer', async () => {
    const { visitor, id, email, storedId, holder } = await withCard()
    expect(await readGatewayCards(world(), holder)).toMatchObject([{ id: storedId }])
    const { status, body } = await remove(visitor)
    expect({ status, body }).toEqual({ status: 200, body: { credit_card_token: null } })
    expect((await visitor.get('/api/account/')).body.user.credit_card_token).toBeNull()
    await pollUntil(async () => (await readGatewayCards(world(), holder)).length === 0)
    await pollUntil(async () => (await removalsOf(storedId))[0]?.state === 'removed')
    expect(await removalsOf(storedId)).toMatchObject([{ retry_at: null }])
    const [mail] = await pollUntil(async () => {
      const mails = await mailsAbout(email, 'Your saved card was removed')
      return mails.length > 0 && mails
    })
    expect(mail?.text).toContain('your Visa ending 1111 is no longer saved in your Fantail Mobile account.')
    expect(mail?.text).toContain('If this wasn’t you, change your password and call us on ')
    expect(mail?.text).not.toContain('uto-renewal')
    const acts = await world()
      .db.selectFrom('audit_events')
      .select('event')
      .where('user_id', '=', id)
      .where('event', '=', 'card_removed')
      .execute()
    expect(acts).toHaveLength(1)
  })

  test('a removed card can no longer be charged', async () => {
    const { visitor, service } = await makeSubscriber(world(), { card: true })
    await remove(visitor)
    const refused = { status: 400, body: { __all__: ['You have no saved card. Please enter your card details.'] } }
    expect(await renew(world(), visitor, service, { saved: true })).toMatchObject(refused)
    expect(await buyAddOn(world(), visitor, service, { saved: true })).toMatchObject(refused)
  })

  test('auto-renewal cannot be turned on after the card has been removed, and no operator task is created', async () => {
    const { visitor, id, services } = await withCard()
    const [service] = services
    await remove(visitor)
    const { status } = await visitor.send('PUT', `/api/services/auto_renew/${service!.id}/${service!.shortId}/`, {
      headers: { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' },
    })
    expect(status).toBe(400)
    expect(await world().db.selectFrom('operator_tasks').selectAll().where('subject', '=', id).execute()).toEqual([])
  })

  test('removing the saved card leaves auto-renewal on, and the email warns that there is no card to charge', async () => {
    const renewing = await createRenewingCustomer(world())
    const { visitor, email } = renewing.customer
    await remove(visitor)
    expect(await readCustomerSchedule(renewing)).toMatchObject({ auto_recharge_enabled: true })
    const [mail] = await pollUntil(async () => {
      const mails = await mailsAbout(email, 'Your saved card was removed')
      return mails.length > 0 && mails
    })
    expect(mail?.text).toContain(
      `Auto-renewal is on for ${formatNational(renewing.service.msisdn)}, but there is no card to charge now.`,
    )
  })

  test('removing the saved card twice schedules one removal and sends one email', async () => {
    const { visitor, storedId, email } = await withCard()
    const answers = [await remove(visitor), await remove(visitor)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await removalsOf(storedId)).toHaveLength(1)
    await pollUntil(async () => (await removalsOf(storedId))[0]?.state === 'removed')
    await pollUntil(async () => (await world().deps.jobs.unfinished()) === 0)
    expect(await mailsAbout(email, 'Your saved card was removed')).toHaveLength(1)
  })

  test('removing a card does not affect another customer’s card', async () => {
    const [one, other] = [await withCard(), await withCard()]
    await remove(one.visitor)
    await pollUntil(async () => (await removalsOf(one.storedId))[0]?.state === 'removed')
    expect(await cardOf(other.id)).toMatchObject({ stored_id: other.storedId })
    expect(await readGatewayCards(world(), other.holder)).toHaveLength(1)
  })
})

describe('gateway failures while a card is being removed', () => {
  test.each(['error_500', 'lost_request', 'lost_answer'] as const)(
    'retries a failed card removal (%s) until the gateway has removed the card',
    { tags: ['slow'] },
    async (kind) => {
      const { visitor, storedId, holder } = await withCard()
      await failGateway(world(), { operation: 'disable', kind, times: 1 })
      await remove(visitor)
      await pollUntil(async () => ((await removalsOf(storedId))[0]?.tries ?? 0) > 0)
      await lookNow(storedId)
      await pollUntil(async () => (await removalsOf(storedId))[0]?.state === 'removed')
      expect(await readGatewayCards(world(), holder)).toEqual([])
    },
  )

  test('does not try again to remove a card if the gateway rejects the removal', async () => {
    const { visitor, storedId } = await withCard()
    await failGateway(world(), { operation: 'disable', kind: 'refuse' })
    await remove(visitor)
    await pollUntil(async () => (await removalsOf(storedId))[0]?.state === 'refused')
    expect(await removalsOf(storedId)).toMatchObject([{ refusal: '183', retry_at: null }])
  })
})

test('a card is not removed from the gateway if the customer saves it again before its removal', async () => {
  const { id, storedId, holder } = await withCard()
  await world()
    .db.transaction()
    .execute((trx) => insertCardRemoval(trx, { storedId, shopperReference: holder }))
  await lookNow(storedId)
  await pollUntil(async () => (await removalsOf(storedId))[0]?.state === 'kept')
  expect(await readGatewayCards(world(), holder)).toHaveLength(1)
  expect(await cardOf(id)).toMatchObject({ stored_id: storedId })
})

test('a card of an unsupported type is rejected and removed from the gateway', async () => {
  const customer = await makeCustomer(world())
  expect((await update(customer, dinersCardNumber)).status).toBe(400)
  const { visitor, email } = await advanceWizardTo(world(), 'PAYMENT')
  const answer = await visitor.post('/api/activate/pay/', {
    payment_method: '1',
    adyen_encrypted: world().card('Ana Rewi', dinersCardNumber),
  })
  expect(answer.status).toBe(400)
  const { id } = await world().db.selectFrom('orders').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  for (const holder of [customer.id, id])
    await pollUntil(async () => (await readGatewayCards(world(), holder)).length === 0)
})

describe('emails about saved cards', () => {
  const saved = 'A card was saved to your account'
  const changed = 'Your saved card has changed'
  const soon = async (email: string, subject: string) =>
    pollUntil(async () => {
      const mails = await mailsAbout(email, subject)
      return mails.length > 0 && mails
    })

  test('emails the customer about a new or replaced saved card, but not when the same card is saved again', async () => {
    const customer = await makeCustomer(world())
    await update(customer)
    expect((await soon(customer.email, saved))[0]?.text).toContain('your Visa ending 1111 is now saved')
    await update(customer)
    await update(customer, '5555 3412 4444 1115')
    expect((await soon(customer.email, changed))[0]?.text).toContain(
      'your Mastercard ending 1115 is now saved in your Fantail Mobile account, replacing your Visa ending 1111.',
    )
    expect(await mailsAbout(customer.email, saved)).toHaveLength(1)
    expect(await mailsAbout(customer.email, changed)).toHaveLength(1)
  })

  test('emails the customer when a renewal or an add-on purchase saves a card', { tags: ['slow'] }, async () => {
    const { visitor, service, email } = await makeSubscriber(world())
    await renew(world(), visitor, service)
    expect(await soon(email, saved)).toHaveLength(1)
    await buyAddOn(world(), visitor, service, { holder: 'Mere Tane', save: true })
    expect(await soon(email, changed)).toHaveLength(1)
  })

  test('emails an existing customer when a later activation saves a card', { tags: ['slow'] }, async () => {
    const customer = await makeCustomer(world(), { services: 1 })
    await activate({ ...world(), visitor: () => customer.visitor })
    expect(await soon(customer.email, saved)).toHaveLength(1)
  })

  test('the welcome email mentions a card saved by the first activation, and no separate email is sent', async () => {
    const { email, orderCode } = await activate(world())
    const [mail] = await pollUntil(async () => {
      const mails = await world().mailTo(email)
      return mails.length > 0 && mails
    })
    expect(mail?.text).toContain(orderCode)
    expect(mail?.text).toMatch(/Saved card\W+Visa ending 1111/)
    expect(await mailsAbout(email, saved)).toEqual([])
  })

  test('sends no email about a saved card if the purchase does not save the card', async () => {
    const { visitor, service, email } = await makeSubscriber(world())
    await renew(world(), visitor, service, { body: { save_token: false } })
    await pollUntil(async () => (await world().mailTo(email)).some(({ text }) => text.includes('Renewal successful')))
    expect(await mailsAbout(email, saved)).toEqual([])
  })
})

test('the security history lists the removal of a card', async () => {
  const customer = await withCard()
  await remove(customer.visitor)
  const elsewhere = await logInAs(world(), customer)
  const { body } = await elsewhere.get('/api/account/security_events/')
  expect(JSON.stringify(body)).toContain('Your saved card was removed.')
})
