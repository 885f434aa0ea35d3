import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gstOf } from '#kit/contract/money.ts'
import { markets } from '#kit/server/markets.ts'
import { creditNoteTax } from './server/credit-note-tax.ts'

const saleOf = (total_cents: number, part: readonly [number, number]) => ({
  total_cents,
  tax_cents: gstOf(total_cents, part),
})

describe('GST on credit notes', () => {
  test.each([
    [2200, [2200], [287]],
    [2200, [1000, 1200], [130, 157]],
    [2900, [500, 500, 1900], [65, 65, 248]],
    [2, [1, 1], [0, 0]],
  ])(
    'a sale of %i cents refunded in parts of %j cents gives credit notes with %j cents of GST',
    (total, amounts, taxes) => {
      const sale = saleOf(total, markets.NZ.taxPart)
      let left = total
      expect(
        amounts.map((amount) => {
          const tax = creditNoteTax(sale, { left, amount })
          left -= amount
          return tax
        }),
      ).toEqual(taxes)
    },
  )

  const parts = fc
    .tuple(
      fc.integer({ min: 1, max: 100_000 }),
      fc.array(fc.integer({ min: 1, max: 100_000 }), { maxLength: 12 }),
      fc.constantFrom(markets.NZ.taxPart, markets.AU.taxPart),
    )
    .map(([total, wishes, part]) => {
      let left = total
      const amounts = wishes.flatMap((wish) => {
        const amount = Math.min(wish, left)
        left -= amount
        return amount > 0 ? [amount] : []
      })
      return { sale: saleOf(total, part), part, amounts: left > 0 ? [...amounts, left] : amounts }
    })

  test('the GST on all credit notes adds up to the invoice’s GST, and each note’s GST is within a cent of the exact amount', () => {
    fc.assert(
      fc.property(parts, ({ sale, part, amounts }) => {
        let left = sale.total_cents
        let taxes = 0
        for (const amount of amounts) {
          const tax = creditNoteTax(sale, { left, amount })
          left -= amount
          taxes += tax
          expect(Math.abs(tax - gstOf(amount, part))).toBeLessThanOrEqual(1)
          expect(tax).toBeGreaterThanOrEqual(0)
          expect(tax).toBeLessThanOrEqual(amount)
          expect(Math.abs(sale.tax_cents - taxes - gstOf(left, part))).toBeLessThanOrEqual(1)
        }
        expect([left, taxes]).toEqual([0, sale.tax_cents])
      }),
    )
  })

  test.each([
    [2200, 2201],
    [1000, 1001],
    [2300, 10],
    [1000, 0],
    [1000, -5],
  ])('with %i cents left to credit, rejects a credit of %i cents', (left, amount) => {
    expect(() => creditNoteTax(saleOf(2200, markets.NZ.taxPart), { left, amount })).toThrow(RangeError)
  })
})
