import { describe, expect, test } from 'vitest'
import type { ProductRow } from '#features/plans/server/plans.store.ts'
import type { AutoRenewal } from './auto-renewal.store.ts'
import type { SavedCard } from './card.ts'
import { computePlanStatus, type PlanFacts, type PlanStatusContext, type PlanStatusState } from './plan-status.ts'
import { presentPlanStatus } from './plan-status.present.ts'
import { presentOffer } from './offer.present.ts'

const zone = 'Pacific/Auckland'
const rules: PlanStatusContext = {
  market: {
    code: 'NZ',
    zone,
    currency: 'NZD',
    phoneRegion: 'NZ',
    country: 'New Zealand',
    taxLabel: 'GST',
    taxPart: [3, 23],
  },
  numberKeptDays: 50,
}
const local = (text: string): Temporal.Instant => Temporal.PlainDateTime.from(text).toZonedDateTime(zone).toInstant()

const product = {
  unique_id: 'plan-90-25gb',
  sku: 'P90-25',
  product_type: 1,
  title: '25 GB Prepay Plan',
  length_days: 90,
  price_cents: 10965,
  price_rebill_cents: null,
  data_gb: 25,
  hidden: false,
  new_customer_only: false,
  next_product_id: null,
} as ProductRow
const offer = { product: product as ProductRow & { sku: string }, amountCents: 10965 }
const card = { card_type: 'visa', last_four: '1111', expiry: '3/2030' } as SavedCard
const renewal = (change: Partial<AutoRenewal> = {}): AutoRenewal => ({
  service_id: 's',
  enabled: true,
  step: 'notice',
  due_at: new Date(local('2027-01-08T09:00').epochMilliseconds),
  attempts: 0,
  charge_order_id: null,
  notified_cents: null,
  notified_product_id: null,
  failure: null,
  failed_card: null,
  ...change,
})
const charging = (hour: string, change: Partial<AutoRenewal> = {}): AutoRenewal =>
  renewal({ step: 'charge', due_at: new Date(local(`2027-01-10T${hour}`).epochMilliseconds), ...change })

/** Facts about a 25 GB, 90-day plan that expires on Mon 11 Jan 2027. */
const facts = (change: Partial<PlanFacts> = {}): PlanFacts => ({
  product,
  expiresAt: local('2027-01-11T00:00'),
  queued: null,
  isCancelling: false,
  autoRenewal: null,
  offer,
  card,
  ...change,
})
const at = (now: string, change: Partial<PlanFacts> = {}) =>
  presentPlanStatus(computePlanStatus(facts(change), local(now), rules), rules)

describe('the plan status shown to the customer', () => {
  const november = '2026-11-22T20:58'
  const lastDay = '2027-01-10T12:00'
  const off = { enabled: false, step: null, due_at: null } as const
  test.each<[string, string, Partial<PlanFacts>, object]>([
    [
      'far from its end',
      november,
      {},
      {
        state: 'ends',
        tone: 'calm',
        title: 'Plan expires on 11 Jan 2027',
        text: 'Your last day is **10 Jan 2027**. Nothing is charged unless you renew.',
        line: 'Expires on 11 Jan',
        badge: null,
        days_left: 50,
        last_day: '2027-01-10',
      },
    ],
    [
      'a week before its end',
      '2027-01-04T00:00',
      {},
      {
        state: 'ends_soon',
        title: 'Plan expires on 11 Jan 2027',
        text: '7 days left. Your last day is **10 Jan 2027**. Renew today and the next plan starts on 11 Jan 2027: you lose nothing.',
        badge: null,
      },
    ],
    ['just over a week before its end', '2027-01-03T23:59', {}, { state: 'ends', days_left: 8 }],
    [
      'three days before its end',
      '2027-01-08T09:00',
      {},
      {
        title: '3 days left',
        line: 'Last day Sun 10 Jan',
        badge: { text: '3 days left', tone: 'soon' },
      },
    ],
    [
      'on its last day',
      lastDay,
      {},
      {
        state: 'last_day',
        title: 'Today is the last day of your plan',
        text: 'Plan expires on 11 Jan 2027: data, calls and texts stop at midnight tonight. We keep your number for 50 days.',
        badge: { text: 'Last day', tone: 'soon' },
      },
    ],
    ['in the last second of its last day', '2027-01-10T23:59:59', {}, { state: 'last_day', days_left: 1 }],
    [
      'once it has ended',
      '2027-01-11T00:00',
      {},
      {
        state: 'expired',
        title: 'Prepay Plan Expired on 11 Jan 2027!',
        text:
          'Your Phone Number will be reserved for 50 days past your Prepay Plan expiry.\n' +
          'The last day to keep it is **01 Mar 2027**.\nRenew a Prepay Plan to keep your Phone Number.',
        line: 'Renew by Mon 1 Mar to keep your number',
        days_left: 0,
      },
    ],
    [
      'with auto-renewal',
      november,
      { autoRenewal: renewal() },
      {
        state: 'renews',
        title: 'Plan renews on 11 Jan 2027',
        text: '**$109.65** from Visa ending 1111, charged at 9 am on 10 Jan 2027. We’ll confirm the amount by email on 08 Jan 2027.',
        line: 'Renews on 11 Jan, $109.65',
      },
    ],
    [
      'after the notice of a charge',
      '2027-01-09T10:00',
      { autoRenewal: charging('09:00') },
      { text: '**$109.65** from Visa ending 1111, charged at 9 am on 10 Jan 2027. We have emailed you the amount.' },
    ],
    [
      'with a card that has expired',
      november,
      { autoRenewal: renewal(), card: { ...card, expiry: '10/2026' } },
      {
        state: 'card_trouble',
        tone: 'bad',
        title: 'Your plan can’t renew yet',
        text: 'Visa ending 1111 expired in October 2026. Update it before **9 am on 10 Jan 2027**, or your plan expires on 11 Jan 2027.',
        badge: { text: 'Card expired', tone: 'bad' },
        card_button: 'Update card',
        line: 'Expires on 11 Jan',
      },
    ],
    [
      'with a card that will have expired by the charge',
      november,
      { autoRenewal: renewal(), card: { ...card, expiry: '12/2026' } },
      {
        state: 'card_trouble',
        text: expect.stringContaining('Visa ending 1111 expires at the end of December 2026. Update it before'),
      },
    ],
    [
      'with a card that expires in the month of the charge',
      november,
      { autoRenewal: renewal(), card: { ...card, expiry: '1/2027' } },
      { state: 'renews' },
    ],
    [
      'with auto-renewal but no card',
      november,
      { autoRenewal: renewal(), card: null },
      {
        state: 'card_trouble',
        text: 'There is no card to charge. Add one before **9 am on 10 Jan 2027**, or your plan expires on 11 Jan 2027.',
        badge: { text: 'No card', tone: 'bad' },
        card_button: 'Add credit card',
      },
    ],
    [
      'with a failed charge',
      lastDay,
      { autoRenewal: charging('15:00', { attempts: 1, failure: 'refused', failed_card: 'Visa ending 1111' }) },
      {
        state: 'charge_failed',
        title: 'We couldn’t charge Visa ending 1111',
        text:
          'You haven’t been charged. We’ll try again at **3 pm today**, then at 9 pm today. ' +
          'If both fail, your plan expires on 11 Jan 2027: today is its last day.',
        card_button: 'Update card',
      },
    ],
    [
      'with a failed charge and another card since',
      lastDay,
      { autoRenewal: charging('21:00', { attempts: 2, failure: 'refused', failed_card: 'Mastercard ending 4444' }) },
      {
        title: 'We couldn’t charge Mastercard ending 4444',
        text: expect.stringContaining(
          'We’ll try again at **9 pm today** with Visa ending 1111. If that fails, your plan',
        ),
      },
    ],
    [
      'with a failed charge and no card any more',
      lastDay,
      {
        card: null,
        autoRenewal: charging('15:00', { attempts: 1, failure: 'refused', failed_card: 'Visa ending 1111' }),
      },
      { state: 'card_trouble', card_button: 'Add credit card' },
    ],
    [
      'with a charge in progress',
      lastDay,
      { autoRenewal: charging('15:00', { attempts: 1, charge_order_id: 'o' }) },
      { state: 'charging', card_button: null },
    ],
    [
      'after the last charge failed',
      '2027-01-10T21:05',
      { autoRenewal: renewal({ ...off, failure: 'refused', failed_card: 'Visa ending 1111' }) },
      {
        state: 'gave_up',
        title: 'Plan expires on 11 Jan 2027',
        text:
          'We couldn’t charge Visa ending 1111. Auto-renewal is off. ' +
          'Renew before **midnight tonight** to stay connected.',
        card_button: 'Update card',
      },
    ],
    [
      'after the network could not add the next plan',
      '2027-01-10T21:05',
      { autoRenewal: renewal({ ...off, failure: 'network' }) },
      { text: expect.stringContaining('The network couldn’t add your next plan'), card_button: null },
    ],
    [
      'that is no longer sold',
      november,
      { autoRenewal: renewal(), offer: null },
      {
        state: 'withdrawn',
        title: 'Choose your next plan',
        text:
          'The plan with 25 GB for 90 days is no longer sold, so we can’t renew it. ' +
          'Plan expires on 11 Jan 2027. Your last day is **10 Jan 2027**.',
      },
    ],
    [
      'that was withdrawn, so that auto-renewal ended',
      '2027-01-09T10:00',
      { autoRenewal: renewal({ ...off, failure: 'withdrawn' }) },
      { state: 'withdrawn', badge: { text: 'Choose a plan', tone: 'soon' } },
    ],
  ])('shows the status of a plan %s, on %s', (_, now, change, expected) =>
    expect(at(now, change)).toMatchObject(expected),
  )

  describe('dates in the plan status', () => {
    const queued = {
      product,
      lengthDays: 90,
      startsAt: local('2027-01-11T00:00'),
      paidAt: local('2026-12-01T09:00'),
      byVoucher: false,
      isPlacedByAutoRenewal: false,
      orderCode: 'FT1111111111',
      paidCents: 10965,
    }
    test.each<[PlanStatusState, string, Partial<PlanFacts>]>([
      ['next_plan_paid', november, { queued }],
      ['next_plan_cancelling', november, { isCancelling: true }],
      ['next_plan_cancelling', november, { isCancelling: true, autoRenewal: renewal() }],
      ['charging', lastDay, { autoRenewal: charging('09:00', { charge_order_id: 'o' }) }],
      ['charge_failed', lastDay, { autoRenewal: charging('15:00', { attempts: 1, failure: 'refused' }) }],
      ['card_trouble', november, { autoRenewal: renewal(), card: null }],
      ['gave_up', '2027-01-05T12:00', { autoRenewal: renewal({ ...off, failure: 'refused' }) }],
      ['withdrawn', november, { autoRenewal: renewal(), offer: null }],
      ['renews', november, { autoRenewal: renewal() }],
      ['last_day', lastDay, {}],
      ['ends_soon', '2027-01-08T09:00', {}],
      ['ends_soon', '2027-01-04T00:00', {}],
      ['ends', november, {}],
    ])(
      'the plan status “%s” on %s says when the plan renews or expires, and writes every date like 05 Jan 2027',
      (state, now, change) => {
        const view = at(now, change)
        expect(view.state).toBe(state)
        const words = `${view.title}\n${view.text}`
        expect(words).toMatch(/(renews|expires) on 11 Jan 2027/)
        expect(words.replaceAll(/\b\d\d [A-Z][a-z]{2} 202\d\b/g, '')).not.toMatch(
          /\d (Nov|Dec|Jan|Apr)|(Mon|Tue|Wed|Thu|Fri|Sat|Sun) /,
        )
      },
    )

    test('while a next plan is being cancelled, the text says “renews” only if auto-renewal can charge a card', () => {
      const cancelling = (change: Partial<PlanFacts>) => at(november, { isCancelling: true, ...change }).text
      expect(cancelling({ autoRenewal: renewal() })).toContain('works as usual until it renews on 11 Jan 2027.')
      expect(cancelling({ autoRenewal: renewal(), card: null })).toContain('until it expires on 11 Jan 2027.')
      expect(cancelling({})).toContain('until it expires on 11 Jan 2027.')
    })
  })

  describe('plan status when the next plan has been paid for', () => {
    const queued = {
      product,
      lengthDays: 90,
      startsAt: local('2027-01-11T00:00'),
      paidAt: local('2027-01-10T09:00'),
      byVoucher: false,
      isPlacedByAutoRenewal: false,
      orderCode: 'FT1111111111',
      paidCents: 10965,
    }
    test('when the next plan has been paid for, the plan status says whether auto-renewal continues after it', () => {
      expect(at(lastDay, { queued, autoRenewal: renewal({ step: null, due_at: null }) })).toMatchObject({
        state: 'next_plan_paid',
        tone: 'good',
        title: 'Next plan starts on 11 Jan 2027',
        text:
          '**25 GB, 90 days**, paid on 10 Jan 2027. ' +
          'It starts automatically when this plan expires on 11 Jan 2027. Auto-renewal continues after that plan.',
        line: 'Next plan paid, starts on 11 Jan',
        badge: null,
      })
      expect(at(lastDay, { queued, autoRenewal: renewal(off) }).text).toMatch(
        /Auto-renewal is off, so that plan expires on 11 Apr 2027\.$/,
      )
    })

    test.each<[string, string, object, string | null]>([
      ['long before it starts', november, {}, ' Cancel it for a full refund until the end of **09 Jan 2027**. '],
      [
        'on the last day for cancelling',
        '2027-01-09T23:59',
        {},
        ' Cancel it for a full refund until **midnight tonight**. ',
      ],
      ['on the day before it starts', '2027-01-10T00:00', {}, null],
      [
        'paid by voucher',
        november,
        { byVoucher: true },
        ' Cancel it until the end of **09 Jan 2027**, and your voucher code works again. ',
      ],
      ['charged by auto-renewal', november, { isPlacedByAutoRenewal: true }, null],
    ])('shows whether a next plan that has been paid for can be cancelled: %s', (_, now, change, words) => {
      const { text, ...view } = at(now, { queued: { ...queued, ...change } })
      expect([view.can_cancel_next_plan, view.change_next_plan?.instead_of ?? null]).toEqual(
        words === null ? [false, null] : [true, 'FT1111111111'],
      )
      expect(/ Cancel it[^.]*\. /.exec(text)?.[0] ?? null).toEqual(words)
    })

    test.each([
      [false, 'Your 25 GB Prepay Plan of $109.65 will be refunded in full once the new plan is paid for.'],
      [
        true,
        'Your 25 GB Prepay Plan will be cancelled once the new plan is paid for. ' +
          'Its voucher code will then work again if it is still valid.',
      ],
    ])('a next plan that has been paid for can be changed (paid by voucher: %s)', (byVoucher, line) =>
      expect(at(november, { queued: { ...queued, byVoucher } }).change_next_plan?.line).toBe(line),
    )

    test('the plan status says that the next plan is being cancelled', () =>
      expect(at(november, { isCancelling: true })).toMatchObject({
        state: 'next_plan_cancelling',
        tone: 'calm',
        title: 'We’re cancelling your next plan',
        can_cancel_next_plan: false,
        change_next_plan: null,
      }))

    test('when the next plan has been paid for, the auto-renewal terms are about the renewal after that plan', () => {
      const after = computePlanStatus(facts({ queued }), local(lastDay), rules)
      expect(presentOffer(after, rules, { number: '021 505 9102', shortId: '1A' })).toMatchObject({
        lead: 'We’ll renew 021 505 9102 for you when your next plan ends.',
        rows: [
          { label: 'Next plan', note: '11 Apr 2027 to 09 Jul 2027' },
          { label: 'You pay' },
          { label: 'Charged', value: '10 Apr 2027, 9 am' },
          { label: 'Card' },
        ],
      })
    })
  })

  test.each([
    [30, 'Your Phone Number will be reserved for 30 days past your Prepay Plan expiry.', '09 Feb 2027'],
    [1, 'Your Phone Number will be reserved for 1 day past your Prepay Plan expiry.', '11 Jan 2027'],
  ])('an expired plan’s status says that the number is kept for %i days', (numberKeptDays, sentence, day) => {
    const kept = { ...rules, numberKeptDays }
    const { text } = presentPlanStatus(computePlanStatus(facts(), local('2027-01-11T00:00'), kept), kept)
    expect(text).toContain(`${sentence}\nThe last day to keep it is **${day}**.`)
  })

  test('a weekly plan has the status “ends soon” only during its last two days', () => {
    const week = { product: { ...product, length_days: 7 } }
    expect([at('2027-01-08T12:00', week).state, at('2027-01-09T12:00', week).state]).toEqual(['ends', 'ends_soon'])
  })
})

describe('the next charge to the saved card, as shown in the plan status', () => {
  const queued = {
    product,
    lengthDays: 90,
    startsAt: local('2027-01-11T00:00'),
    paidAt: local('2027-01-10T09:00'),
    byVoucher: false,
    isPlacedByAutoRenewal: false,
    orderCode: 'FT1111111111',
    paidCents: 10965,
  }
  test.each<[string, string, Partial<PlanFacts>, string | null]>([
    ['with auto-renewal', '2026-11-22T20:58', { autoRenewal: renewal() }, 'on 10 Jan 2027: $109.65'],
    ['on the day of the charge', '2027-01-10T08:00', { autoRenewal: charging('09:00') }, 'today: $109.65'],
    [
      'after a failed charge',
      '2027-01-10T12:00',
      { autoRenewal: charging('15:00', { attempts: 1 }) },
      'today: $109.65',
    ],
    [
      'after a paid next plan',
      '2027-01-10T12:00',
      { queued, autoRenewal: renewal({ step: null, due_at: null }) },
      'on 10 Apr 2027: $109.65',
    ],
    ['without auto-renewal', '2026-11-22T20:58', {}, null],
    [
      'with a card that expires before the charge',
      '2026-11-22T20:58',
      { autoRenewal: renewal(), card: { ...card, expiry: '12/2026' } },
      null,
    ],
    ['with a plan that is no longer sold', '2026-11-22T20:58', { autoRenewal: renewal(), offer: null }, null],
    [
      'while a charge is in progress',
      '2027-01-10T12:00',
      { autoRenewal: charging('15:00', { charge_order_id: 'o' }) },
      null,
    ],
  ])('shows the next charge to the saved card, if any: %s, on %s', (_, now, change, expected) =>
    expect(at(now, change).card_charge).toBe(expected),
  )
})

describe('terms shown before auto-renewal is switched on', () => {
  const names = { number: '021 505 9102', shortId: '1A' }
  const offered = (now: string, change: Partial<PlanFacts> = {}) =>
    presentOffer(computePlanStatus(facts(change), local(now), rules), rules, names)

  test('the auto-renewal terms show the plan, the price, when the card is charged, and which card', () =>
    expect(offered('2026-11-22T20:58')).toEqual({
      lead: 'We’ll renew 021 505 9102 for you when this plan ends.',
      rows: [
        { label: 'Next plan', value: '25 GB, 90 days', note: '11 Jan 2027 to 10 Apr 2027', link: null },
        { label: 'You pay', value: '$109.65', note: 'NZD, including $14.30 GST', link: null },
        { label: 'Charged', value: '10 Jan 2027, 9 am', note: 'then every 90 days', link: null },
        {
          label: 'Card',
          value: 'Visa ending 1111',
          note: null,
          link: { text: 'Change', url: '/account/payment-method/' },
        },
      ],
      promises: [
        'We email you the exact amount 3 days before every charge.',
        'You can turn auto-renewal off any time up to the charge, at no cost.',
        'If the card fails we try again at 3 pm and 9 pm that day, and tell you each time.',
      ],
      trouble: null,
      can_enable: true,
      button: null,
    }))

  test('the auto-renewal terms compare the price with that of a manual renewal', () =>
    expect(offered('2026-11-22T20:58', { offer: { ...offer, amountCents: 9900 } }).rows[1]?.value).toBe(
      '$99.00 instead of $109.65',
    ))

  test('if the usual charge time has passed, the auto-renewal terms say that the card will be charged in about 10 minutes', () => {
    const { rows, promises } = offered('2027-01-10T13:00')
    expect(rows[2]?.value).toBe('today, in about 10 minutes')
    expect(promises[0]).toBe('We email you the exact amount straight away, and 3 days before every later charge.')
  })

  test('the auto-renewal terms show a warning if the card will expire, and require a new card if it is missing or has expired', () => {
    expect(offered('2026-11-22T20:58', { card: { ...card, expiry: '12/2026' } })).toMatchObject({
      trouble:
        'Visa ending 1111 expires at the end of December 2026, before the charge. Update it, or your plan can’t renew.',
      can_enable: true,
    })
    expect(offered('2026-11-22T20:58', { card: { ...card, expiry: '10/2026' } })).toMatchObject({
      trouble: 'Your saved credit card has expired. Please update it before you enable Auto Renewal.',
      can_enable: false,
      button: { text: 'Update card' },
    })
    expect(offered('2026-11-22T20:58', { card: null })).toMatchObject({
      trouble: 'Please add a credit card before you enable Auto Renewal.',
      can_enable: false,
      button: { text: 'Add credit card', url: '/account/payment-method/' },
    })
  })

  test('shows no auto-renewal terms for a plan that is no longer sold, and does not let the customer switch auto-renewal on', () =>
    expect(offered('2026-11-22T20:58', { offer: null })).toMatchObject({
      rows: [],
      can_enable: false,
      button: { url: '/services/renew/1A/' },
    }))
})

describe('the note about auto-renewal in the plan status', () => {
  const cheaper = { ...offer, amountCents: offer.product.price_cents - 200 }
  const [automatic, byHand] = ['**$107.65**', '**$109.65**']
  test.each<[string, string, Partial<PlanFacts>, string | null]>([
    [
      'on, and cheaper',
      '2026-11-22T20:58',
      { autoRenewal: renewal(), offer: cheaper },
      `You don’t need to do anything. If you renew manually with a card, you pay ${byHand} instead of ${automatic}. ` +
        'Auto-renewal stays on if you renew manually.',
    ],
    [
      'off, and cheaper',
      '2026-11-22T20:58',
      { offer: cheaper },
      `Your next plan costs ${automatic} with auto-renewal instead of ${byHand}.`,
    ],
    [
      'on, at the same price',
      '2026-11-22T20:58',
      { autoRenewal: renewal() },
      'You don’t need to do anything. Auto-renewal stays on if you renew manually.',
    ],
    [
      'on, without a card',
      '2026-11-22T20:58',
      { autoRenewal: renewal(), card: null },
      'Auto-renewal stays on if you renew manually.',
    ],
    [
      'on, while a charge is under way',
      '2027-01-10T12:00',
      { autoRenewal: charging('15:00', { charge_order_id: 'o' }) },
      'You don’t need to do anything.',
    ],
    ['on, with a plan that is no longer sold', '2026-11-22T20:58', { autoRenewal: renewal(), offer: null }, null],
    ['off, at the same price', '2026-11-22T20:58', {}, null],
    ['off, after the end of the plan', '2027-01-11T12:00', { offer: cheaper }, null],
    ['off, with a plan that is no longer sold', '2026-11-22T20:58', { offer: null }, null],
  ])('returns the note about auto-renewal: %s, on %s', (_, now, change, expected) =>
    expect(at(now, change).auto_renewal_note).toBe(expected),
  )
})
