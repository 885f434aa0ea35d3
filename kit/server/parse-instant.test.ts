import { expect, test } from 'vitest'
import { parseLocalInstant, parseFutureInstant } from './parse-instant.ts'

test.each([
  ['2026-12-01', '2026-11-30T11:00:00Z'],
  ['2026-12-01T08:30', '2026-11-30T19:30:00Z'],
  ['2026-06-01', '2026-05-31T12:00:00Z'],
])('parses %s as a local time in Auckland', (text, instant) =>
  expect(parseLocalInstant(text, 'Pacific/Auckland')?.toString()).toBe(instant),
)

test.each([
  '',
  'tomorrow',
  '2026-13-01',
  '2026-02-30',
  '2026-12-01T8:30',
  '2026-12-01T08:30:00',
  '2026-12-01T08:30Z',
  '2026-09-27T02:30',
  '2026-04-05T02:30',
])('rejects "%s", which is not a single instant in Auckland', (text) =>
  expect(parseLocalInstant(text, 'Pacific/Auckland')).toBeNull(),
)

test('parseFutureInstant rejects a local time that has passed or that a clock change skips', () => {
  const now = Temporal.Instant.from('2026-11-26T00:00:00Z')
  const zone = 'Pacific/Auckland'
  expect(parseFutureInstant('2026-12-01T00:00', zone, now)).toEqual({
    instant: Temporal.Instant.from('2026-11-30T11:00:00Z'),
  })
  expect(parseFutureInstant('2026-11-26T13:00', zone, now)).toEqual({ fault: 'over' })
  expect(parseFutureInstant('2026-09-27T02:30', zone, now)).toEqual({ fault: 'none' })
})
