import { expect, test } from 'vitest'
import { formatPriceWithCommas } from './format-price-with-commas.ts'

test.each([
  [99_999, '$999.99'],
  [120_000, '$1,200.00'],
  [-120_000, '-$1,200.00'],
  [123_456_789, '$1,234,567.89'],
])('formats %i cents as %s', (amount, words) => expect(formatPriceWithCommas(amount)).toBe(words))
