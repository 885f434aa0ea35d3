import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatPrice, fromWire, gstOf, toWire } from './money.ts'

const cents = fc.integer({ min: -100_000_000, max: 100_000_000 })

describe('money on the wire', () => {
  test.each([
    [0, '0.00'],
    [5, '0.05'],
    [-5, '-0.05'],
    [99, '0.99'],
    [3990, '39.90'],
    [-123_456, '-1234.56'],
  ])('%i cents is %s', (amount, wire) => {
    expect(toWire(amount)).toBe(wire)
    expect(fromWire(wire)).toBe(amount)
  })

  test('every amount survives the round trip', () => {
    fc.assert(fc.property(cents, (amount) => fromWire(toWire(amount)) === amount))
  })

  test.each(['', '39', '39.9', '39.900', '.90', '39,90', '$39.90', ' 39.90', '1e3.00', '99999999999999999.00'])(
    'refuses %j',
    (wire) => expect(() => fromWire(wire)).toThrow(RangeError),
  )

  test.each([39.9, Number.NaN, Number.POSITIVE_INFINITY])('refuses %d cents', (amount) => {
    expect(() => toWire(amount)).toThrow(RangeError)
  })

  test('an error names the amount that is at fault', () => {
    expect(() => toWire(39.9)).toThrow('39.9 is not a whole number of cents')
    expect(() => fromWire('39,90')).toThrow('"39,90" is not an amount of money')
  })

  test('minus nothing is nothing', () => expect(fromWire('-0.00')).toBe(0))
})

test('a price has a dollar sign and two decimals', () => {
  expect(formatPrice(3990)).toBe('$39.90')
  expect(formatPrice(0)).toBe('$0.00')
  expect(formatPrice(120_000)).toBe('$1200.00')
  expect(formatPrice(-3990)).toBe('-$39.90')
})

describe('GST inside a price', () => {
  test.each([
    [2300, [3, 23], 300],
    [3990, [3, 23], 520],
    [1100, [1, 11], 100],
    [3990, [1, 11], 363],
    [0, [3, 23], 0],
    [-2300, [3, 23], -300],
  ] as const)('%i cents at %j', (price, part, gst) => expect(gstOf(price, part)).toBe(gst))

  test.each([-1, -3])('of %i cents is nothing, and not less than nothing', (price) =>
    expect(gstOf(price, [3, 23])).toBe(0),
  )

  test('half a cent goes up', () => {
    expect(gstOf(1, [1, 2])).toBe(1)
    expect(gstOf(5, [1, 2])).toBe(3)
  })

  test('is within half a cent of the exact part, and a credit takes back just what its invoice had', () => {
    fc.assert(
      fc.property(cents, fc.constantFrom([3, 23] as const, [1, 11] as const), (price, part) => {
        const gst = gstOf(price, part)
        expect(Math.abs(gst * part[1] - price * part[0]) * 2).toBeLessThanOrEqual(part[1])
        expect(gst + gstOf(-price, part)).toBe(0)
      }),
    )
  })
})
