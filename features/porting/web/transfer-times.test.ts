import { expect, test } from 'vitest'
import { formatWithoutRepeatedDay, formatStartTime, formatTimeOnly } from './transfer-times.ts'

const reader = { zone: 'Pacific/Auckland', now: '2026-11-22T22:00:00Z' }
const sent = '2026-11-22T21:04:00Z'

test('a time on the hour is shown without minutes', () => {
  expect(formatTimeOnly(sent, reader)).toBe('10:04 am')
  expect(formatStartTime('2026-11-23T19:00:00Z', reader)).toBe('8 am on Tue 24 Nov')
})

test('times name Sydney time after the time or its date in Australia', () => {
  const sydneyReader = { ...reader, zone: 'Australia/Sydney' }
  expect(formatTimeOnly(sent, sydneyReader)).toBe('8:04 am Sydney time')
  expect(formatStartTime('2026-11-23T21:00:00Z', sydneyReader)).toBe('8 am on Tue 24 Nov, Sydney time')
  expect(formatWithoutRepeatedDay('2026-11-22T21:40:00Z', sent, sydneyReader)).toBe('8:40 am Sydney time')
  expect(formatWithoutRepeatedDay('2026-11-23T21:40:00Z', sent, sydneyReader)).toBe('Tue 24 Nov, 8:40 am, Sydney time')
})

test('a time that follows another time is shown with its date only if it falls on a different day', () => {
  expect(formatWithoutRepeatedDay('2026-11-22T21:40:00Z', sent, reader)).toBe('10:40 am')
  expect(formatWithoutRepeatedDay('2026-11-23T21:40:00Z', sent, reader)).toBe('Tue 24 Nov, 10:40 am')
})
