import { expect, test } from 'vitest'
import { instantOf } from './instant.ts'

test.each([
  ['2026-12-01', '2026-11-30T11:00:00Z'],
  ['2026-12-01T08:30', '2026-11-30T19:30:00Z'],
  ['2026-06-01', '2026-05-31T12:00:00Z'],
])('%s is a moment in Auckland', (text, instant) =>
  expect(instantOf(text, 'Pacific/Auckland')?.toString()).toBe(instant),
)

test.each([
  '',
  'tomorrow',
  '2026-13-01',
  '2026-02-30',
  '2026-12-01T8:30',
  '2026-12-01T08:30:00',
  '2026-12-01T08:30Z',
  // The clocks go forward over it, and back through it.
  '2026-09-27T02:30',
  '2026-04-05T02:30',
])('"%s" is none', (text) => expect(instantOf(text, 'Pacific/Auckland')).toBeNull())
