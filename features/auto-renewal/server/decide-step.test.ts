import { describe, expect, test } from 'vitest'
import type { Order } from '#features/orders/server/orders.store.ts'
import type { ProductRow } from '#features/plans/server/plans.store.ts'
import type { ServiceRow } from '#features/services/server/plan-life.store.ts'
import type { AutoRenewal } from './auto-renewal.store.ts'
import type { SavedCard } from './card.ts'
import { decideStep, isStepDue, type StepFacts } from './decide-step.ts'
import type { LockedAutoRenewal } from './locked-auto-renewal.ts'

const zone = 'Pacific/Auckland'
const local = (text: string): Temporal.Instant => Temporal.PlainDateTime.from(text).toZonedDateTime(zone).toInstant()
const dateOf = (at: Temporal.Instant): Date => new Date(at.epochMilliseconds)

const expiresAt = local('2027-01-11T00:00')
const atNotice = local('2027-01-08T09:00')
const atCharge = local('2027-01-10T09:00')
const offer = { product: { title: '25 GB' } as ProductRow & { sku: string }, amountCents: 10_965 }
const card = { card_type: 'visa', last_four: '1111', expiry: '3/2030' } as SavedCard
const expired = { ...card, expiry: '12/2026' } as SavedCard
const order = (state: Order['state']) => ({ id: 'order', state }) as Order

type Locked = { autoRenewal?: Partial<AutoRenewal>; released?: boolean; now?: Temporal.Instant }

const locked = ({ autoRenewal = {}, released = false, now = atCharge }: Locked): LockedAutoRenewal => ({
  service: { id: 'service', user_id: 'user', released_at: released ? dateOf(now) : null } as ServiceRow,
  schedule: { scheduleId: 'schedule', shortId: 'S1', orderId: 'paid', productId: 'plan', title: '25 GB', expiresAt },
  autoRenewal: {
    service_id: 'service',
    enabled: true,
    step: 'charge',
    due_at: dateOf(now),
    attempts: 0,
    charge_order_id: null,
    notified_cents: null,
    notified_product_id: null,
    failure: null,
    failed_card: null,
    ...autoRenewal,
  },
  now,
})

const decide = ({ autoRenewal, released, now, ...facts }: Locked & Partial<Omit<StepFacts, 'locked'>> = {}) =>
  decideStep(
    {
      locked: locked({ ...(autoRenewal && { autoRenewal }), ...(released && { released }), ...(now && { now }) }),
      chargeOrder: null,
      renewal: null,
      isLeaving: false,
      offer,
      card,
      ...facts,
    },
    zone,
  )

describe('auto-renewal notices that are due', () => {
  const notice = { autoRenewal: { step: 'notice' as const }, now: atNotice }

  test('the auto-renewal notice names the card, and the charge is scheduled for the plan’s last day', () => {
    const next = { step: 'charge', attempts: 0, dueAt: atCharge }
    expect(decide(notice)).toEqual({ act: 'notify', offer, next, card, trouble: null })
  })

  test.each([
    ['no card is saved', null, 'no-card'],
    ['the saved card will have expired by the charge', expired, 'card-expired'],
  ])('the auto-renewal notice reports the problem when %s', (_, saved, trouble) => {
    expect(decide({ ...notice, card: saved })).toMatchObject({ act: 'notify', card: saved, trouble })
  })
})

describe('auto-renewal charges that are due', () => {
  test('charges the saved card when an auto-renewal charge is due', () => {
    expect(decide()).toEqual({ act: 'charge', offer })
  })

  test.each([
    ['no card is saved', null, 'no-card'],
    ['the saved card has expired', expired, 'card-expired'],
  ])('an auto-renewal charge fails without a request to the gateway when %s', (_, saved, trouble) => {
    expect(decide({ card: saved })).toEqual({ act: 'fail_card', trouble, card: saved })
  })

  test.each(['completed', 'refused', 'undone'] as const)(
    'records the outcome of the last charge before doing anything else when its order is %s',
    (state) => {
      const last = order(state)
      expect(decide({ chargeOrder: last, renewal: last })).toEqual({ act: 'record_charge', order: last })
    },
  )

  test('an auto-renewal charge counts as missed once the plan has ended', () => {
    expect(decide({ now: expiresAt })).toEqual({ act: 'miss' })
  })
})

describe('postponing and stopping auto-renewal', () => {
  test.each([
    ['while the plan runs', atCharge, atCharge.add({ minutes: 30 })],
    ['once the plan has ended', expiresAt, expiresAt.add({ hours: 24 })],
  ])('auto-renewal waits for a renewal in progress, %s', (_, now, dueAt) => {
    const next = { step: 'charge', attempts: 2, dueAt }
    expect(decide({ now, autoRenewal: { attempts: 2 }, renewal: order('finishing') })).toEqual({
      act: 'schedule',
      next,
    })
  })

  test.each([
    ['the plan has been renewed', { renewal: order('completed') }],
    ['the service has been released', { released: true }],
    ['auto-renewal has been switched off', { autoRenewal: { enabled: false } }],
    ['the step has been cleared in the meantime', { autoRenewal: { step: null } }],
  ])('auto-renewal schedules nothing further when %s', (_, facts) => {
    expect(decide(facts)).toEqual({ act: 'schedule', next: null })
  })

  test('auto-renewal is postponed by an hour while the customer’s account is about to be erased', () => {
    const next = { step: 'charge', attempts: 0, dueAt: atCharge.add({ hours: 1 }) }
    expect(decide({ isLeaving: true })).toEqual({ act: 'schedule', next })
  })

  test('auto-renewal stops when the next plan is no longer sold', () => {
    expect(decide({ offer: null })).toEqual({ act: 'withdraw' })
  })
})

test.each([
  ['at its time', { autoRenewal: { due_at: dateOf(atCharge) } }, true],
  ['a second before', { autoRenewal: { due_at: dateOf(atCharge.add({ seconds: 1 })) } }, false],
  ['without a step', { autoRenewal: { step: null } }, false],
  ['without a time', { autoRenewal: { due_at: null } }, false],
])('decides whether an auto-renewal step is due: %s', (_, change, isDue) => {
  expect(isStepDue(locked(change))).toBe(isDue)
})
