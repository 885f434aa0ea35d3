import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { resolveUsableVoucher } from './server/usable-voucher.ts'
import { voucherCodeSchema } from './vouchers.contract.ts'

const now = Temporal.Instant.from('2026-11-23T00:00:00Z')
const product = { new_customer_only: false }
const good = {
  id: 'a voucher',
  order_id: null,
  expires_at: new Date('2026-11-23T00:00:00.001Z'),
  is_void: false,
  product,
}
const unknown = { refusal: 'This voucher code is not valid.' }

describe('whether a voucher can be used', () => {
  test.each(['ACTIVATION', 'RENEWAL'] as const)('a known, unused and unexpired voucher can be used for an %s', (use) =>
    expect(resolveUsableVoucher(good, use, now)).toEqual({ id: 'a voucher', product }),
  )

  test('a voucher for new customers cannot be used for a renewal', () => {
    const welcome = { ...good, product: { new_customer_only: true } }
    expect(resolveUsableVoucher(welcome, 'ACTIVATION', now)).toEqual({ id: 'a voucher', product: welcome.product })
    expect(resolveUsableVoucher(welcome, 'RENEWAL', now)).toEqual(unknown)
  })

  test('a voucher expires at exactly the stated time', () => {
    expect(resolveUsableVoucher({ ...good, expires_at: new Date(now.epochMilliseconds) }, 'ACTIVATION', now)).toEqual({
      refusal: 'This voucher has expired.',
    })
  })

  test('a used voucher is reported as used, even after it has expired', () => {
    const used = { ...good, order_id: 'an order', expires_at: new Date('2026-11-22T00:00:00Z') }
    expect(resolveUsableVoucher(used, 'ACTIVATION', now)).toEqual({ refusal: 'This voucher has already been used.' })
  })

  test('a voided voucher is reported as not valid, even after it has expired, unless it was used before', () => {
    expect(resolveUsableVoucher({ ...good, is_void: true }, 'ACTIVATION', now)).toEqual(unknown)
    const expired = { ...good, is_void: true, expires_at: new Date(now.epochMilliseconds) }
    expect(resolveUsableVoucher(expired, 'ACTIVATION', now)).toEqual(unknown)
    expect(resolveUsableVoucher({ ...good, is_void: true, order_id: 'an order' }, 'ACTIVATION', now)).toEqual({
      refusal: 'This voucher has already been used.',
    })
  })

  test('a voucher is not valid if it is unknown or its product no longer exists', () => {
    expect(resolveUsableVoucher(undefined, 'ACTIVATION', now)).toEqual(unknown)
    expect(resolveUsableVoucher({ ...good, product: undefined }, 'ACTIVATION', now)).toEqual(unknown)
  })
})

describe('voucher codes typed by customers', () => {
  const faultOf = (code: unknown) => v.safeParse(voucherCodeSchema, code).issues?.map(({ message }) => message) ?? []

  test('a typed voucher code is trimmed and converted to upper case', () => {
    expect(v.parse(voucherCodeSchema, ' abcd2345efgh ')).toBe('ABCD2345EFGH')
  })

  test.each(['', '  ', undefined, 7])('asks for a voucher code when given %j', (code) =>
    expect(faultOf(code)).toEqual(['Please enter a Voucher Code.']),
  )

  test('a voucher code that is too long is not valid', () => {
    expect(faultOf('ABCD2345EFGH')).toEqual([])
    expect(faultOf('ABCD2345EFGHJ')).toEqual(['This voucher code is not valid.'])
  })
})
