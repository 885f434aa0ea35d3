import { expect, test } from 'vitest'
import { formatSum } from './sums.ts'

test.each([
  [99_999, '$999.99'],
  [120_000, '$1,200.00'],
  [-120_000, '-$1,200.00'],
  [123_456_789, '$1,234,567.89'],
])('the sum of %i cents is read as %s', (amount, words) => expect(formatSum(amount)).toBe(words))
