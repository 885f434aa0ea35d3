/* @module-tag slow */
import { beforeAll, describe, expect, test } from 'vitest'
import { formatDate } from '#kit/contract/dates.ts'
import { formatNational } from '#kit/contract/phone.ts'
import {
  advanceClockTo,
  chargeHours,
  readCharges,
  computeChargeTimes,
  formatWeekdayAndDate,
  readFailureEmails,
  readEmails,
  createRenewingCustomer,
  formatToMinute,
  type RenewingCustomer,
  readCustomerSchedule,
  readCustomerService,
  stopAutoRenewals,
  setAutoRenewal,
  zone,
} from '#quality/support/auto-renewal.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { failGateway, failNetwork } from '#quality/support/simulators.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()

const isExpired = async (renewing: RenewingCustomer): Promise<boolean> =>
  (await readCustomerService(renewing)).is_expired
const isOn = async (renewing: RenewingCustomer): Promise<boolean> =>
  (await readCustomerSchedule(renewing)).auto_recharge_enabled
const linkTo = (path: string): string => `${world().deps.publicUrl}${path}`
const allThree = (renewing: RenewingCustomer): string[] => computeChargeTimes(renewing).map(formatToMinute)

describe('auto-renewal when something has changed or gone wrong', () => {
  async function aPlanLike(
    uniqueId: string,
    change: { price_rebill_cents?: number; next_product_id?: string } = {},
  ): Promise<string> {
    const product = await world()
      .db.selectFrom('products')
      .selectAll()
      .where('unique_id', '=', uniqueId)
      .executeTakeFirstOrThrow()
    const id = `test-${crypto.randomUUID()}`
    await world()
      .db.insertInto('products')
      .values({ ...product, ...change, unique_id: id })
      .execute()
    return id
  }
  const change = (uniqueId: string, values: { price_cents?: number; hidden?: boolean; sku?: null }) =>
    world().db.updateTable('products').set(values).where('unique_id', '=', uniqueId).execute()
  const changeCard = ({ customer }: RenewingCustomer, values: { expiry?: string; stored_id?: string }) =>
    world().db.updateTable('saved_cards').set(values).where('user_id', '=', customer.id).execute()
  const storedId = async ({ customer }: RenewingCustomer) =>
    (
      await world()
        .db.selectFrom('saved_cards')
        .select('stored_id')
        .where('user_id', '=', customer.id)
        .executeTakeFirstOrThrow()
    ).stored_id

  let dearer: RenewingCustomer,
    moved: RenewingCustomer,
    withdrawn: RenewingCustomer,
    withdrawnLater: RenewingCustomer,
    without: RenewingCustomer,
    outOfDate: RenewingCustomer,
    replacing: RenewingCustomer,
    stopping: RenewingCustomer,
    late: RenewingCustomer
  let next: string, newCard: string

  // All customers share one test clock, so advance it to the end of their plans once for all tests.
  beforeAll(async () => {
    next = await aPlanLike('plan-7-1-5gb', { price_rebill_cents: 850 })
    const plans = [
      await aPlanLike('plan-7-500mb'),
      await aPlanLike('plan-7-500mb', { next_product_id: next }),
      await aPlanLike('plan-7-500mb'),
      await aPlanLike('plan-7-500mb'),
    ] as const
    ;[dearer, moved, withdrawn, withdrawnLater] = (await Promise.all(
      [0, 1, 2, 3].map((at) => createRenewingCustomer(world(), { plan: plans[at]! })),
    )) as [RenewingCustomer, RenewingCustomer, RenewingCustomer, RenewingCustomer]
    ;[without, outOfDate, replacing, stopping, late] = (await Promise.all(
      [0, 1, 2, 3, 4].map(() => createRenewingCustomer(world())),
    )) as [RenewingCustomer, RenewingCustomer, RenewingCustomer, RenewingCustomer, RenewingCustomer]
    await change(plans[2], { hidden: true })
    // Set the charge's due time to after the plan's end, as if no worker had been running when it was due.
    await world()
      .db.updateTable('auto_renewals')
      .set({ step: 'charge', attempts: 0, due_at: new Date(late.expiry.epochMilliseconds + 20_000) })
      .where('service_id', '=', late.service.id)
      .execute()
    await world().db.deleteFrom('saved_cards').where('user_id', '=', without.customer.id).execute()
    await changeCard(outOfDate, { expiry: '01/2020' })

    await advanceClockTo(world(), dearer.expiry.subtract({ days: 2 }))
    await change(plans[0], { price_cents: 9900 })
    await change(plans[3], { sku: null })
    // The gateway does not know this stored card, so it declines the charge.
    for (const each of [replacing, stopping]) await changeCard(each, { stored_id: 'GONE' })

    await advanceClockTo(world(), computeChargeTimes(dearer)[0].add({ hours: 1 }))
    await setAutoRenewal(stopping, 'DELETE')
    const card = { payment_method: '1', use_saved_card: false, adyen_encrypted: world().card('Ana Marie Rewi') }
    const { status } = await replacing.customer.visitor.post('/api/orders/update_payment/', card, {
      'idempotency-key': crypto.randomUUID(),
    })
    if (status !== 200) throw new Error(`the card was not replaced: ${status}`)
    newCard = await storedId(replacing)
    await advanceClockTo(world(), dearer.expiry.add({ minutes: 1 }))
  }, 240_000)

  test('charges the announced price even if the plan’s price has risen since the notice', async () => {
    expect(await readCharges(world(), dearer)).toMatchObject([{ state: 'completed', amount_cents: 600 }])
    const invoices = await world()
      .db.selectFrom('invoices')
      .select('total_cents')
      .where('service_id', '=', dearer.service.id)
      .orderBy('created_at')
      .execute()
    expect(invoices.map(({ total_cents }) => total_cents)).toEqual([600, 600])
  })

  test('auto-renewal of a plan that has a successor buys the successor, at the successor’s auto-renewal price', async () => {
    expect(await readCharges(world(), moved)).toMatchObject([
      { state: 'completed', product_id: next, amount_cents: 850 },
    ])
    expect((await readCustomerSchedule(moved)).product).toMatchObject({ unique_id: next, title: '1.5 GB Prepay Plan' })
  })

  test.each([
    ['before the notice', () => withdrawn, 3, 9],
    ['after the notice', () => withdrawnLater, 1, 9],
  ] as const)(
    'a plan withdrawn from sale %s expires without a charge, and the customer is notified',
    async (_when, who, days, hour) => {
      const mails = (await readEmails(world(), who())).filter(({ subject }) =>
        subject.startsWith('Please choose your next Prepay Plan'),
      )
      expect(mails).toMatchObject([
        {
          at: formatToMinute(who().expiry.subtract({ days }).withPlainTime({ hour })),
          links: expect.arrayContaining([linkTo(`/services/renew/${who().service.shortId}/`)]),
        },
      ])
      expect(await readCharges(world(), who())).toEqual([])
      expect(await isOn(who())).toBe(false)
      expect(await isExpired(who())).toBe(true)
    },
  )

  test.each([
    ['without a card', () => without, 'there is no credit card saved', 'add a card before then'],
    ['with a card that has expired', () => outOfDate, 'your saved credit card has expired', 'update'],
  ] as const)(
    'a customer %s gets one notice, and an email after each of three failed attempts',
    async (_what, who, sentence, remedy) => {
      const [notice, ...others] = (await readEmails(world(), who())).filter(({ subject }) =>
        subject.includes('renew yet'),
      )
      expect(others).toEqual([])
      expect(notice?.links).toContain(linkTo('/account/payment-method/'))
      expect(notice?.text).toContain(`Please ${remedy}`)
      const failures = await readFailureEmails(world(), who())
      expect(failures.map(({ at }) => at)).toEqual(allThree(who()))
      for (const { text } of failures) expect(text).toContain(sentence)
      expect(failures[0]?.text).toContain(`Please ${remedy}`)
      expect(await readCharges(world(), who())).toEqual([])
      expect([await isOn(who()), await isExpired(who())]).toEqual([false, true])
    },
  )

  test('if the plan ends before auto-renewal has charged the card, the customer is notified and not charged', async () => {
    expect(await readCharges(world(), late)).toEqual([])
    const [failure, ...more] = await readFailureEmails(world(), late)
    expect(more).toEqual([])
    expect(failure?.text).toContain(`it ended before the payment was made. You have not been charged.`)
    expect(failure?.text).toContain(`Your Prepay Plan expired on ${formatWeekdayAndDate(late.expiry)}`)
    expect([await isOn(late), await isExpired(late)]).toEqual([false, true])
  })

  test('after a declined charge, the next attempt charges the card that the customer has switched to', async () => {
    const orders = await readCharges(world(), replacing)
    expect(orders.map(({ state }) => state)).toEqual(['refused', 'completed'])
    const attempts = await world()
      .db.selectFrom('payment_attempts')
      .select('stored_card_id')
      .where(
        'order_id',
        'in',
        orders.map(({ id }) => id),
      )
      .orderBy('created_at')
      .execute()
    expect(attempts.map((attempt) => attempt.stored_card_id)).toEqual(['GONE', newCard])
    expect((await readFailureEmails(world(), replacing)).map(({ at }) => at)).toEqual(allThree(replacing).slice(0, 1))
    expect([await isOn(replacing), await isExpired(replacing)]).toEqual([true, false])
  })

  test('switching auto-renewal off after a declined charge prevents further attempts', async () => {
    expect((await readCharges(world(), stopping)).map(({ state }) => state)).toEqual(['refused'])
    expect((await readFailureEmails(world(), stopping)).map(({ at }) => at)).toEqual(allThree(stopping).slice(0, 1))
    expect([await isOn(stopping), await isExpired(stopping)]).toEqual([false, true])
  })
})

describe('declined auto-renewal charges', () => {
  test.each([
    ['refuse_expired', 'your saved credit card has expired. You have not been charged.'],
    [
      'refuse_balance',
      'there is not enough money on your Visa ending 1111, or it is over its limit. You have not been charged.',
    ],
  ] as const)('tells the customer why an auto-renewal charge was declined (%s)', async (kind, sentence) => {
    await stopAutoRenewals(world())
    const renewing = await createRenewingCustomer(world())
    await failGateway(world(), { operation: 'authorise', kind })
    await advanceClockTo(world(), computeChargeTimes(renewing)[0]!.add({ minutes: 1 }))
    const failures = await readFailureEmails(world(), renewing)
    expect(failures).toHaveLength(1)
    expect(failures[0]?.text).toContain(sentence)
  })

  test('notifies the customer of three declined charges, then switches auto-renewal off and lets the plan expire', async () => {
    await stopAutoRenewals(world())
    const renewing = await createRenewingCustomer(world())
    const { customer, service, expiry } = renewing
    await failGateway(world(), { operation: 'authorise', kind: 'refuse', times: 3 })
    await advanceClockTo(world(), computeChargeTimes(renewing).at(-1)!.subtract({ hours: 1 }))
    expect(await isOn(renewing)).toBe(true)
    await advanceClockTo(world(), expiry.add({ minutes: 1 }))

    const failures = await readFailureEmails(world(), renewing)
    const number = formatNational(service.msisdn)
    const again = `We could not renew your Prepay Plan for ${number}`
    expect(failures.map(({ subject }) => subject)).toEqual([
      again,
      again,
      `Your Prepay Plan for ${number} expires on ${formatDate(expiry.toInstant(), zone)}`,
    ])
    expect(failures.map(({ at }) => at)).toEqual(allThree(renewing))
    expect(
      failures.map(({ text }) =>
        /try again on .* at (\d+ [ap]m)|Auto-renewal is (now off)/.exec(text)?.slice(1).find(Boolean),
      ),
    ).toEqual([...chargeHours.slice(1).map((hour) => `${hour - 12} pm`), 'now off'])
    for (const { text, links } of failures) {
      expect(text).toContain('ending 1111 was declined')
      expect(links).toEqual(
        expect.arrayContaining([linkTo('/account/payment-method/'), linkTo(`/services/renew/${service.shortId}/`)]),
      )
    }
    expect((await readCharges(world(), renewing)).map(({ state }) => state)).toEqual(['refused', 'refused', 'refused'])
    expect([await isOn(renewing), await isExpired(renewing)]).toEqual([false, true])
    const acts = await world()
      .db.selectFrom('audit_events')
      .select('event')
      .where('user_id', '=', customer.id)
      .where('event', 'like', 'auto_%')
      .orderBy('id')
      .execute()
    expect(acts.map(({ event }) => event)).toEqual(['auto_renewal_enabled', 'auto_renewal_disabled'])
  })

  test('cancels an auto-renewal charge and tries again later if the network rejects the plan', async () => {
    await stopAutoRenewals(world())
    const renewing = await createRenewingCustomer(world())
    await failNetwork(world(), { operation: 'add_plan', kind: 'fail_permanent' })
    await advanceClockTo(world(), computeChargeTimes(renewing)[1]!.add({ hours: 1 }))
    expect((await readCharges(world(), renewing)).map(({ state }) => state)).toEqual(['undone', 'completed'])
    const [failure, ...more] = await readFailureEmails(world(), renewing)
    expect(more).toEqual([])
    expect(failure?.text).toContain('the network could not add the next Prepay Plan. You have not been charged.')
  })
})

test('our records match the providers’ records after failed auto-renewal charges', async () =>
  expect(await findFaultsWhenIdle(world())).toEqual([]))
