import { expect, test } from 'vitest'
import { computeContrast, hexOf, rgbOf, parseHexColour } from './colours.ts'

// The contrast ratios come from the W3C's examples; other contrast checkers give the same values.
test.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  // Against white, these two greys have contrast ratios just below and just above 4.5 to 1.
  ['#777777', '#ffffff', 4.48],
  ['#767676', '#ffffff', 4.54],
  ['#ff0000', '#ffffff', 4],
  ['#0000ff', '#ffffff', 8.59],
])('the contrast ratio between %s and %s is %f', (one, other, ratio) => {
  const [a, b] = [parseHexColour(one), parseHexColour(other)]
  expect(Math.round(computeContrast(a, b) * 100) / 100).toBe(ratio)
  expect(computeContrast(b, a)).toBe(computeContrast(a, b))
})

test.each([
  ['rgb(11, 95, 87)', '#0b5f57'],
  ['rgba(255, 255, 255, 0.5)', '#ffffff'],
  ['none', null],
  ['', null],
])('the computed colour %s is %s in hexadecimal', (computed, hex) => {
  const colour = rgbOf(computed)
  expect(colour && hexOf(colour)).toBe(hex)
})

test.each(['rgb(1)', 'rgb(1, 2)'])('%s is not a colour', (computed) => expect(rgbOf(computed)).toBeNull())

test('the contrast of very dark greys uses the linear part of the sRGB curve', () => {
  expect(computeContrast([0, 0, 0], [10, 10, 10])).toBeCloseTo(1 + 10 / 255 / 12.92 / 0.05, 10)
})
