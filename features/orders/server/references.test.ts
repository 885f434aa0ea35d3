import { describe, expect, test } from 'vitest'
import { findOrderCode, parseOperationId, parsePaymentReference } from './references.present.ts'

const prefixes = new Set(['FT', 'TUI'])

describe('parsePaymentReference()', () => {
  test.each([
    ['FT0123456789-1', 'FT0123456789-1'],
    ['TUI0123456789-12', 'TUI0123456789-12'],
    ['TUI0123456789-1-refund-2', 'TUI0123456789-1'],
    ['FTABCDEFGHJK-1', 'FTABCDEFGHJK-1'],
  ])('finds the payment in the reference %s, whose prefix is known', (reference, payment) =>
    expect(parsePaymentReference(reference, prefixes)).toBe(payment),
  )

  test.each([
    'KEA0123456789-1',
    'FTA0123456789-1',
    'TUI012345678-1',
    'ft0123456789-1',
    'xFT0123456789-1',
    'FT0123456789',
    'FT0123456789-12345',
    'CONF-1',
    '',
  ])('does not accept "%s" as a reference of one of our payments', (reference) =>
    expect(parsePaymentReference(reference, prefixes)).toBeNull(),
  )
})

describe('parseOperationId()', () => {
  test.each([
    ['FT0123456789-sim-1', { orderCode: 'FT0123456789', kind: 'activate_sim' }],
    ['TUI0123456789-plan-2', { orderCode: 'TUI0123456789', kind: 'add_plan' }],
    ['TUI0123456789-port-1', { orderCode: 'TUI0123456789', kind: 'port' }],
    ['KEA0123456789-sim-1', null],
    ['TUI0123456789-1', null],
    ['release-8f14e45f-ceea-467f-a0e6-d2f6b0f9f3c1', null],
  ])('parses %s to %j', (id, parsed) => expect(parseOperationId(id, prefixes)).toEqual(parsed))
})

test.each([
  ['TUI0123456789-1', 'TUI0123456789'],
  ['KEA0123456789-plan-1', 'KEA0123456789'],
  ['8f14e45f-ceea-467f-a0e6-d2f6b0f9f3c1-port-1', null],
])('findOrderCode() extracts from %s the order code %s', (reference, code) =>
  expect(findOrderCode(reference)).toBe(code),
)
