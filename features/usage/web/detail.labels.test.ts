import { expect, test } from 'vitest'
import { formatDestination, formatDuration, formatMegabytes, computeAxisMarks, getWeekLabel } from './detail.labels.ts'

test.each([
  [0, '0:00'],
  [7, '0:07'],
  [723, '12:03'],
  [3599, '59:59'],
  [3600, '1:00:00'],
  [3723, '1:02:03'],
  [36_000, '10:00:00'],
])('formats a call of %i seconds as %s', (seconds, text) => expect(formatDuration(seconds)).toBe(text))

test.each([
  [0, '0.0'],
  [0.04, '< 0.1'],
  [0.05, '0.1'],
  [812.43, '812.4'],
  [1024, '1,024.0'],
])('formats %d MB as %s', (mb, text) => expect(formatMegabytes(mb)).toBe(text))

test.each([
  ['+64215550142', 'NZ', '021 555 0142'],
  ['+61412345678', 'NZ', '+61 412 345 678'],
  ['+61412345678', 'AU', '0412 345 678'],
  ['+64215550142', 'AU', '+64 21 555 0142'],
  ['+6495550142', 'NZ', '+6495550142'],
  ['+2542', 'NZ', '+2542'],
  ['', 'AU', 'Unknown'],
] as const)('formats the phone number %j in %s as %j', (destination, home, text) =>
  expect(formatDestination(destination, home)).toBe(text),
)

test('labels each week of usage by how many weeks ago it was', () => {
  expect([0, 1, 4].map(getWeekLabel)).toEqual(['Last 7 days', '1 week earlier', '4 weeks earlier'])
})

test.each([
  [0, [0, 0.25, 0.5, 0.75, 1]],
  [0.3, [0, 0.25, 0.5, 0.75, 1]],
  [4, [0, 1, 2, 3, 4]],
  [100, [0, 25, 50, 75, 100]],
  [101, [0, 50, 100, 150]],
  [812.4, [0, 250, 500, 750, 1000]],
  [3200, [0, 1000, 2000, 3000, 4000]],
  [123_456, [0, 50_000, 100_000, 150_000]],
])('the scale of the usage chart for a maximum of %d MB is %j', (most, scale) =>
  expect(computeAxisMarks(most)).toEqual(scale),
)

test('the scale of the usage chart reaches the highest bar and has three to six marks', () => {
  for (let most = 0.5; most < 1e6; most *= 1.07) {
    const scale = computeAxisMarks(most)
    expect(scale.at(-1)).toBeGreaterThanOrEqual(most)
    expect(scale.length).toBeGreaterThanOrEqual(3)
    expect(scale.length).toBeLessThanOrEqual(6)
  }
})
