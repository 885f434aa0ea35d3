import { describe, expect, test } from 'vitest'
import { markets } from '#kit/server/markets.ts'
import type { ProductRow } from '#features/plans/server/plans.store.ts'
import type { AutoRenewal } from './auto-renewal.store.ts'
import type { SavedCard } from './card.ts'
import { presentOffer } from './offer.present.ts'
import { presentPlanStatus } from './plan-status.present.ts'
import { computePlanStatus, type PlanFacts, type PlanStatusContext } from './plan-status.ts'

const market = markets.AU
const rules: PlanStatusContext = { market, numberKeptDays: 50 }
const local = (text: string): Temporal.Instant =>
  Temporal.PlainDateTime.from(text).toZonedDateTime(market.zone).toInstant()
const product = {
  unique_id: 'plan-90-25gb',
  sku: 'P90-25',
  title: '25 GB Prepay Plan',
  length_days: 90,
  price_cents: 10_965,
  data_gb: 25,
  next_product_id: null,
} as ProductRow & { sku: string }
const card = { card_type: 'visa', last_four: '1111', expiry: '3/2030' } as SavedCard
const failedRenewal = { service_id: 's', enabled: true, step: 'charge', attempts: 1, failure: 'refused' } as AutoRenewal
const retry = (hour: number, change: Partial<AutoRenewal>): AutoRenewal => ({
  ...failedRenewal,
  due_at: new Date(local(`2027-01-10T${hour}:00`).epochMilliseconds),
  charge_order_id: null,
  ...change,
})

/** A 25 GB, 90-day plan that expires on Mon 11 Jan 2027. */
const statusAt = (now: string, change: Partial<PlanFacts> = {}) =>
  computePlanStatus(
    {
      product,
      expiresAt: local('2027-01-11T00:00'),
      queued: null,
      isCancelling: false,
      autoRenewal: null,
      offer: { product, amountCents: 10_965 },
      card,
      ...change,
    },
    local(now),
    rules,
  )
const textAt = (now: string, change: Partial<PlanFacts> = {}) => presentPlanStatus(statusAt(now, change), rules).text

describe('times in the plan status in Australia, which has five time zones', () => {
  const lastDay = '2027-01-10T12:00'

  test('names Sydney time after midnight on the last day of a plan', () =>
    expect(textAt(lastDay)).toContain(
      'data, calls and texts stop at midnight tonight, Sydney time. We keep your number',
    ))

  test('names Sydney time after each time at which the card is charged again', () => {
    expect(textAt(lastDay, { autoRenewal: retry(15, { failed_card: 'Visa ending 1111' }) })).toContain(
      'We’ll try again at **3 pm today, Sydney time**, then at 9 pm today, Sydney time. If both fail, your plan',
    )
    expect(
      textAt(lastDay, { autoRenewal: retry(21, { attempts: 2, failed_card: 'Mastercard ending 4444' }) }),
    ).toContain('We’ll try again at **9 pm today, Sydney time**, with Visa ending 1111. If that fails, your plan')
  })

  test('names Sydney time after the time by which the customer must renew', () =>
    expect(
      textAt('2027-01-10T21:05', { autoRenewal: { ...failedRenewal, enabled: false, step: null, due_at: null } }),
    ).toContain('Renew before **midnight tonight, Sydney time**, to stay connected.'))

  test('writes “Sydney time” next to the last day on which the next plan can be cancelled', () => {
    const queued = {
      product,
      lengthDays: 90,
      startsAt: local('2027-01-11T00:00'),
      paidAt: local('2026-11-20T09:00'),
      byVoucher: false,
      isPlacedByAutoRenewal: false,
      orderCode: 'FT1111111111',
      paidCents: 10_965,
    }
    expect(textAt('2026-11-22T12:00', { queued })).toContain('until the end of **09 Jan 2027, Sydney time**.')
    expect(textAt('2027-01-09T12:00', { queued })).toContain('until **midnight tonight, Sydney time**.')
  })

  test('the auto-renewal terms name Sydney time after the times of the charge and of its retries', () => {
    const terms = presentOffer(statusAt('2026-11-22T12:00'), rules, { number: '0491 570 156', shortId: '1A' })
    expect(terms.rows.find(({ label }) => label === 'Charged')?.value).toBe('10 Jan 2027, 9 am, Sydney time')
    expect(terms.promises.at(-1)).toBe(
      'If the card fails we try again at 3 pm and 9 pm that day, Sydney time, and tell you each time.',
    )
  })
})
