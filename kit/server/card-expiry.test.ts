import { describe, expect, test } from 'vitest'
import { isCardExpired } from './card-expiry.ts'

const nz = 'Pacific/Auckland'
const isExpired = (expiry: string, at: string, zone = nz) => isCardExpired({ expiry }, Temporal.Instant.from(at), zone)

describe('isCardExpired: card expiry', () => {
  test.each([
    ['10/2026', true],
    ['11/2026', false],
    ['12/2026', false],
    ['12/2025', true],
    ['1/2027', false],
    ['01/2026', true],
  ])('whether a card that expires in %s has expired in November 2026: %s', (expiry, expired) => {
    expect(isExpired(expiry, '2026-11-20T00:00:00Z')).toBe(expired)
  })

  test("a card is valid until the end of its expiry month in the market's time zone", () => {
    expect(isExpired('11/2026', '2026-11-30T10:59:59.999Z')).toBe(false)
    expect(isExpired('11/2026', '2026-11-30T11:00:00Z')).toBe(true)
    expect(isExpired('11/2026', '2026-11-30T11:00:00Z', 'Australia/Sydney')).toBe(false)
    expect(isExpired('11/2026', '2026-11-30T13:00:00Z', 'Australia/Sydney')).toBe(true)
  })

  test.each(['', '11', '11/', '/2020'])('a card without a complete expiry (%j) counts as valid', (expiry) => {
    expect(isExpired(expiry, '2026-11-20T00:00:00Z')).toBe(false)
  })
})
