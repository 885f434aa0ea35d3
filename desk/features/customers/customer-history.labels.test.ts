import { describe, expect, test } from 'vitest'
import type { HistoryEvent } from '#features/customers/server/history.store.ts'
import { disputeStates } from '#features/disputes/disputes.states.ts'
import { orderStates } from '#features/orders/orders.states.ts'
import { portingStatuses } from '#features/porting/porting.states.ts'
import { refundStates } from '#features/refunds/refunds.states.ts'
import { eventLabel } from './server/event.labels.ts'
import { describeEntry } from './server/customer-history.labels.ts'

const happened = (of: HistoryEvent['of'], what: string, more: Partial<HistoryEvent> = {}): HistoryEvent => ({
  at: new Date('2026-11-24T09:00:00Z'),
  key: 'x',
  of,
  what,
  detail: '',
  cents: null,
  ref: null,
  actor: null,
  order_code: null,
  kind: null,
  reason: null,
  ...more,
})
const said = (...told: Parameters<typeof happened>) => describeEntry(happened(...told))

/** Matches signs of an internal name: snake case, capitals, or the fallback title for an unknown event. */
const raw = /_|[A-Z]{4}|Other activity|recharge|undefined/

describe('event labels in a customer’s history', () => {
  test.each([
    [
      said('order', 'activation completed', { detail: '5 GB Prepay Plan', cents: 2200 }),
      'SIM activated',
      '5 GB Prepay Plan · $22.00',
    ],
    [said('order', 'recharge completed', { detail: '25 GB', cents: 4300 }), 'Plan renewed', '25 GB · $43.00'],
    [said('order', 'recharge completed', { kind: 'auto', detail: '25 GB' }), 'Plan renewed automatically', '25 GB'],
    [said('order', 'recharge refused', { kind: 'auto', cents: 4300 }), 'Auto-renewal: payment refused', '$43.00'],
    [said('order', 'addon held'), 'Add-On: held because of a network failure', ''],
    [said('refund', 'received', { cents: 1000 }), 'Refunded', '$10.00'],
    [said('dispute', 'charged_back', { cents: 4300 }), 'Chargeback: the bank took the money back', '$43.00'],
    [said('gateway', 'CAPTURE_FAILED'), 'From the gateway: the payment could not be taken', ''],
    [said('gateway', 'NEWLY_MADE'), 'From the gateway: a notification about a payment', ''],
    [said('number', 'began', { detail: '+64215550142' }), 'Number activated', '021 555 0142'],
    [said('number', 'released', { detail: '+64215550142' }), 'Number returned to the network', '021 555 0142'],
    [said('transfer', 'FAILED', { detail: '+64215550142' }), 'Number transfer declined', '021 555 0142'],
    [said('message', 'email sent', { detail: 'Your refund of $10.00' }), 'Email sent: Your refund of $10.00', ''],
    [
      said('message', 'email refused', { detail: 'Hello' }),
      'Email refused: Hello',
      'The message could not be delivered',
    ],
    [
      said('message', 'sms sent', { kind: 'reset-pin', detail: 'reset-pin' }),
      'Text sent: about a PIN to set a new password',
      '',
    ],
    [said('message', 'sms waits', { kind: 'new-kind', detail: 'new-kind' }), 'Text waiting', 'Not sent yet'],
    [said('look', 'email_shown'), 'E-mail address shown', ''],
  ])('a customer’s history labels this event: %j', ({ title, detail }, expected, more) =>
    expect([title, detail]).toEqual([expected, more]),
  )

  test('an event caused by staff shows a reason from the list, a free-text reason or a ticket number', () => {
    const by = { actor: 'staff:Hine Walker' }
    expect(said('act', 'customer_blocked', { ...by, reason: 'fraud' })).toMatchObject({
      icon: 'staff',
      why: 'Fraud',
      tone: 'bad',
    })
    expect(said('act', 'customer_blocked', { ...by, reason: 'other: agreed on the call' }).why).toBe(
      'Other: agreed on the call',
    )
    expect(said('look', 'customer_opened', { ...by, reason: 'ticket', detail: '48213' }).why).toBe('Ticket 48213')
    expect(said('look', 'customer_opened', { ...by, reason: 'call' })).toMatchObject({
      title: 'Record opened by us',
      why: 'A call',
    })
  })

  test('no event in a customer’s history shows a state’s internal name', () => {
    const all = [
      ...['activation', 'recharge', 'addon'].flatMap((kind) =>
        orderStates.map((state) => said('order', `${kind} ${state}`)),
      ),
      ...refundStates.map((state) => said('refund', state)),
      ...disputeStates.map((state) => said('dispute', state)),
      ...['won', 'lost', 'nothing'].map((outcome) => said('dispute', `closed as ${outcome}`)),
      ...portingStatuses.map((status) => said('transfer', status)),
      ...['email', 'sms'].flatMap((channel) =>
        ['sent', 'refused', 'dropped', 'waits'].map((state) => said('message', `${channel} ${state}`)),
      ),
    ]
    expect(all.filter(({ title, detail }) => raw.test(`${title} ${detail}`))).toEqual([])
  })

  test('history events written by a different version of the application get a general label', () => {
    expect(eventLabel('brand_new_event').title).toBe('Other activity')
    expect(said('order', 'gift given').title).toBe('Order: in progress')
  })
})
