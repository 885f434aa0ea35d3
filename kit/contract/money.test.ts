import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatPrice, decimalToCents, gstOf, centsToDecimal } from './money.ts'

const cents = fc.integer({ min: -100_000_000, max: 100_000_000 })

describe('amounts of money in the API', () => {
  test.each([
    [0, '0.00'],
    [5, '0.05'],
    [-5, '-0.05'],
    [99, '0.99'],
    [3990, '39.90'],
    [-123_456, '-1234.56'],
  ])('writes %i cents as %s, and reads them back', (amount, wire) => {
    expect(centsToDecimal(amount)).toBe(wire)
    expect(decimalToCents(wire)).toBe(amount)
  })

  test('every amount of money stays the same when it is written and read back', () => {
    fc.assert(fc.property(cents, (amount) => decimalToCents(centsToDecimal(amount)) === amount))
  })

  test.each(['', '39', '39.9', '39.900', '.90', '39,90', '$39.90', ' 39.90', '1e3.00', '99999999999999999.00'])(
    'rejects %j as an amount of money',
    (wire) => expect(() => decimalToCents(wire)).toThrow(RangeError),
  )

  test.each([39.9, Number.NaN, Number.POSITIVE_INFINITY])('rejects %d as a number of cents', (amount) => {
    expect(() => centsToDecimal(amount)).toThrow(RangeError)
  })

  test('the error for an invalid amount of money contains the amount', () => {
    expect(() => centsToDecimal(39.9)).toThrow('39.9 is not a whole number of cents')
    expect(() => decimalToCents('39,90')).toThrow('"39,90" is not an amount of money')
  })

  test('reads the amount -0.00 as zero', () => expect(decimalToCents('-0.00')).toBe(0))
})

test('a price is shown with a dollar sign and two decimal places', () => {
  expect(formatPrice(3990)).toBe('$39.90')
  expect(formatPrice(0)).toBe('$0.00')
  expect(formatPrice(120_000)).toBe('$1200.00')
  expect(formatPrice(-3990)).toBe('-$39.90')
})

describe('GST included in a price', () => {
  test.each([
    [2300, [3, 23], 300],
    [3990, [3, 23], 520],
    [1100, [1, 11], 100],
    [3990, [1, 11], 363],
    [0, [3, 23], 0],
    [-2300, [3, 23], -300],
  ] as const)('calculates the GST included in %i cents using the fraction %j', (price, part, gst) =>
    expect(gstOf(price, part)).toBe(gst),
  )

  test.each([-1, -3])('the GST on %i cents is zero, not negative zero', (price) =>
    expect(gstOf(price, [3, 23])).toBe(0),
  )

  test('rounds half a cent of GST up', () => {
    expect(gstOf(1, [1, 2])).toBe(1)
    expect(gstOf(5, [1, 2])).toBe(3)
  })

  test("GST is within half a cent of the exact value, and a credit note's GST is the exact negative of its invoice's", () => {
    fc.assert(
      fc.property(cents, fc.constantFrom([3, 23] as const, [1, 11] as const), (price, part) => {
        const gst = gstOf(price, part)
        expect(Math.abs(gst * part[1] - price * part[0]) * 2).toBeLessThanOrEqual(part[1])
        expect(gst + gstOf(-price, part)).toBe(0)
      }),
    )
  })
})
