import { expect, test } from 'vitest'
import type { OrderEventRow } from '#features/orders/server/order-events.store.ts'
import type { OrderRecord } from './order-view.ts'
import { presentOrderTimeline } from './order-timeline.present.ts'

const began = Date.parse('2026-12-01T00:00:00Z')
const event = (name: string, seconds: number) =>
  ({ kind: 'state', name, at: new Date(began + seconds * 1_000), to_state: null, detail: null }) as OrderEventRow
const noteAfter = (seconds: number) => {
  const events = [event('placed', 0), event('no_answer', seconds)]
  const record = { order: { created_at: new Date(began) }, events, operations: [] } as unknown as OrderRecord
  return presentOrderTimeline(record, null).steps.at(-1)?.note
}

test('an order’s timeline says how long the gateway did not answer, unless its connection failed at once', () => {
  expect(noteAfter(15)).toBe('no answer for 15 s')
  expect(noteAfter(0.2)).toBeNull()
})

test('the step of an order that staff cancelled has no note that repeats its label', () => {
  const events = [event('placed', 0), { ...event('cancel', 9), detail: 'cancelled_by_operator' }]
  const record = { order: { created_at: new Date(began) }, events, operations: [] } as unknown as OrderRecord
  expect(presentOrderTimeline(record, null).steps.at(-1)).toMatchObject({ what: 'Cancelled by us', note: null })
})
