import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { usableVoucher } from './server/usable-voucher.ts'
import { voucherCode } from './vouchers.contract.ts'

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

describe('a voucher', () => {
  test.each(['ACTIVATION', 'RENEWAL'] as const)(
    'that is there, unused, good until later, and for a product, can be used for an %s',
    (use) => expect(usableVoucher(good, use, now)).toEqual({ id: 'a voucher', product }),
  )

  test('for new customers renews nothing', () => {
    const welcome = { ...good, product: { new_customer_only: true } }
    expect(usableVoucher(welcome, 'ACTIVATION', now)).toEqual({ id: 'a voucher', product: welcome.product })
    expect(usableVoucher(welcome, 'RENEWAL', now)).toEqual(unknown)
  })

  test('ends with the very moment of its expiry', () => {
    expect(usableVoucher({ ...good, expires_at: new Date(now.epochMilliseconds) }, 'ACTIVATION', now)).toEqual({
      refusal: 'This voucher has expired.',
    })
  })

  test('that was used says so, and also once it has expired', () => {
    const used = { ...good, order_id: 'an order', expires_at: new Date('2026-11-22T00:00:00Z') }
    expect(usableVoucher(used, 'ACTIVATION', now)).toEqual({ refusal: 'This voucher has already been used.' })
  })

  test('that is void is no voucher, also once it has expired; one that was used says so', () => {
    expect(usableVoucher({ ...good, is_void: true }, 'ACTIVATION', now)).toEqual(unknown)
    const expired = { ...good, is_void: true, expires_at: new Date(now.epochMilliseconds) }
    expect(usableVoucher(expired, 'ACTIVATION', now)).toEqual(unknown)
    expect(usableVoucher({ ...good, is_void: true, order_id: 'an order' }, 'ACTIVATION', now)).toEqual({
      refusal: 'This voucher has already been used.',
    })
  })

  test('that is unknown, or for a product that is gone, is no voucher', () => {
    expect(usableVoucher(undefined, 'ACTIVATION', now)).toEqual(unknown)
    expect(usableVoucher({ ...good, product: undefined }, 'ACTIVATION', now)).toEqual(unknown)
  })
})

describe('a code as it is typed', () => {
  const faultOf = (code: unknown) => v.safeParse(voucherCode, code).issues?.map(({ message }) => message) ?? []

  test('is read in capitals, without the spaces around it', () => {
    expect(v.parse(voucherCode, ' abcd2345efgh ')).toBe('ABCD2345EFGH')
  })

  test.each(['', '  ', undefined, 7])('%j is asked for', (code) =>
    expect(faultOf(code)).toEqual(['Please enter a Voucher Code.']),
  )

  test('is not valid when it is longer than any', () => {
    expect(faultOf('ABCD2345EFGH')).toEqual([])
    expect(faultOf('ABCD2345EFGHJ')).toEqual(['This voucher code is not valid.'])
  })
})
