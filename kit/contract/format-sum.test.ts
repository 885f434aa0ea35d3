import { expect, test } from 'vitest'
import { formatSum } from './format-sum.ts'

test.each([
  [99_999, '$999.99'],
  [120_000, '$1,200.00'],
  [-120_000, '-$1,200.00'],
  [123_456_789, '$1,234,567.89'],
])('shows a sum of %i cents as %s', (amount, words) => expect(formatSum(amount)).toBe(words))
