import { expect, test } from 'vitest'
import { contrastOf, hexOf, rgbOf } from './contrast.ts'

test.each([
  [[0, 0, 0], [255, 255, 255], 21],
  [[255, 255, 255], [255, 255, 255], 1],
  // The two greys on either side of 4.5 to 1 on white.
  [[118, 118, 118], [255, 255, 255], 4.54],
  [[255, 255, 255], [119, 119, 119], 4.48],
] as const)('the contrast of %j and %j is %d', (one, other, ratio) => expect(contrastOf(one, other)).toBeCloseTo(ratio, 2))

test.each([['rgb(11, 95, 87)', '#0b5f57'], ['rgba(255, 255, 255, 0.5)', '#ffffff'], ['none', null], ['', null]])('%s is %s', (computed, hex) => {
  const colour = rgbOf(computed)
  expect(colour && hexOf(colour)).toBe(hex)
})
