import * as fc from 'fast-check'
import { object, safeParse } from 'valibot'
import { expect, test } from 'vitest'
import { centsToDecimal } from '#kit/contract/money.ts'
import { expectedTotalField } from './card-payment.contract.ts'
import { orderMessages } from './orders.contract.ts'

const read = (expected_total: unknown) => safeParse(object(expectedTotalField), { expected_total })

test('accepts every price from $0.00 to $9,999,999.99 as an expected total', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 999_999_999 }), (cents) => read(centsToDecimal(cents)).success))
})

test.each(['', '29', '29.0', '29.000', '029.00', '-29.00', '+29.00', '2e1.00', ' 29.00', '29.00\n', '$29.00', '29,00'])(
  'rejects %o as an expected total and says that the page is out of date',
  (text) => expect(read(text).issues?.map(({ message }) => message)).toEqual([orderMessages.changed]),
)

test.each([29, null, ['29.00'], { total: '29.00' }, '9'.repeat(400)])(
  'rejects %o, which is not a valid expected total',
  (value) => expect(read(value).success).toBe(false),
)

test('the expected total in a payment request is optional', () =>
  expect(safeParse(object(expectedTotalField), {}).success).toBe(true))
