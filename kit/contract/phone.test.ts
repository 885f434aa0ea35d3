import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatForRegion, formatNational, parseDomesticMobile, parseMobile } from './phone.ts'

describe('parseMobile: mobile numbers as people write them', () => {
  test.each([
    ['021 555 0142', 'NZ', '+64215550142', 'NZ'],
    ['(021) 555-0142', 'NZ', '+64215550142', 'NZ'],
    ['021.555.0142', 'NZ', '+64215550142', 'NZ'],
    ['021\u00a0555\u20110142', 'NZ', '+64215550142', 'NZ'],
    ['０２１ ５５５ ０１４２', 'NZ', '+64215550142', 'NZ'],
    ['+64 (0)21 555 0142', 'NZ', '+64215550142', 'NZ'],
    ['64215550142', 'NZ', '+64215550142', 'NZ'],
    ['0064 21 555 0142', 'NZ', '+64215550142', 'NZ'],
    ['+64 21 555 0142', 'AU', '+64215550142', 'NZ'],
    ['0011 64 21 555 0142', 'AU', '+64215550142', 'NZ'],
    ['021 123 456', 'NZ', '+6421123456', 'NZ'],
    ['0210 812 3456', 'NZ', '+642108123456', 'NZ'],
    ['0412 345 678', 'AU', '+61412345678', 'AU'],
    ['+61 412 345 678', 'AU', '+61412345678', 'AU'],
    ['+61 412 345 678', 'NZ', '+61412345678', 'AU'],
  ] as const)('parses %s, with %s as the default country, into %s in %s', (text, region, e164, country) => {
    expect(parseMobile(text, region)).toEqual({ e164, region: country })
  })

  test.each([
    ['+1 202 555 0123', 'NZ'],
    ['+44 7700 900123', 'AU'],
    ['+675 7123 4567', 'NZ'],
    ['+800 1234 5678', 'NZ'],
    ['00 1 202 555 0123', 'NZ'],
    ['0011 1 202 555 0123', 'AU'],
  ] as const)('reports %s, with %s as the default country, as foreign', (text, region) =>
    expect(parseMobile(text, region)).toBe('foreign'),
  )

  test.each([
    ['', 'nothing'],
    ['+', 'a plus alone'],
    ['09 379 5555', 'an Auckland landline'],
    ['+64 9 379 5555', 'a landline with its country code'],
    ['+61 2 9374 4000', 'a Sydney landline'],
    ['0800 123 456', 'a free call'],
    ['026 123 4567', 'a pager'],
    ['+64 26 123 4567', 'a pager with its country code'],
    ['021 555', 'too short'],
    ['021 555 0142 999', 'too long'],
    ['0412 345 678', 'an Australian mobile without its country code'],
    ['021 555 01a2', 'a letter'],
    ['021 555 0142 ext 5', 'an extension'],
    ['call 021 555 0142', 'words'],
    ['021+5550142', 'a plus inside'],
    ['021 555 0142; 021 555 0143', 'two numbers'],
    ['+0 21 555 0142', 'a country code of zero'],
  ])('reports %s as invalid: %s', (text) => expect(parseMobile(text, 'NZ')).toBe('invalid'))

  test('parseMobile parses its own output, in E.164 or national format, as the same mobile number', () => {
    const typed = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789+ ()-') }))
    fc.assert(
      fc.property(typed, fc.constantFrom('NZ' as const, 'AU' as const), (text, region) => {
        const mobile = parseMobile(text, region)
        if (typeof mobile === 'string') return
        expect(parseMobile(mobile.e164, 'NZ')).toEqual(mobile)
        expect(parseMobile(formatNational(mobile.e164), mobile.region)).toEqual(mobile)
      }),
    )
  })

  test('parseMobile preserves the digits of every 041 number in Australia and every 021, 022 and 027 number in New Zealand', () => {
    const digits = (count: number) =>
      fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: count, maxLength: count })
    fc.assert(
      fc.property(fc.constantFrom('21', '22', '27'), digits(7), (prefix, rest) => {
        expect(parseMobile(`0${prefix} ${rest}`, 'NZ')).toEqual({ e164: `+64${prefix}${rest}`, region: 'NZ' })
      }),
    )
    fc.assert(
      fc.property(digits(7), (rest) => {
        expect(parseMobile(`041${rest}`, 'AU')).toEqual({ e164: `+6141${rest}`, region: 'AU' })
      }),
    )
  })
})

test('formatNational formats a mobile number the way its own country does', () => {
  expect(formatNational('+64215550142')).toBe('021 555 0142')
  expect(formatNational('+61412345678')).toBe('0412 345 678')
  expect(formatNational('+6421123456')).toBe('021 123 456')
  expect(formatNational('unknown')).toBe('unknown')
})

describe('parseMobile: limits on the length of the text', () => {
  const padded = (length: number) => `021 555 0142${' '.repeat(length - 12)}`

  test('parseMobile rejects text of more than fifty characters', () => {
    expect(parseMobile(padded(50), 'NZ')).toEqual({ e164: '+64215550142', region: 'NZ' })
    expect(parseMobile(padded(51), 'NZ')).toBe('invalid')
  })

  test.each(['+1 202 555 0123x', '00 1 202 555 0123x', '+1 202 555x0123'])(
    'parseMobile reports %s as invalid, not as foreign',
    (text) => expect(parseMobile(text, 'NZ')).toBe('invalid'),
  )
  test.each(['0011 1 202 555 0123x', '+1 202 555 0123x'])(
    'parseMobile in Australia reports %s as invalid, not as foreign',
    (text) => expect(parseMobile(text, 'AU')).toBe('invalid'),
  )

  test.each([
    ['+642108123456', '0210 812 3456'],
    ['+64274123456', '0274 123 456'],
    ['+64201234567', '020 123 4567'],
    ['+642012345678', '020 1234 5678'],
    ['+64221234567', '022 123 4567'],
    ['+64281234567', '028 123 4567'],
    ['+6421123456', '021 123 456'],
    ['+64291234567', '029 123 4567'],
    ['+61412345678', '0412 345 678'],
  ])('formatNational formats %s as %s', (e164, national) => expect(formatNational(e164)).toBe(national))

  test.each(['', '021 555 0142', '64215550142', '+64 21 555 0142', '+12025550123', '+6493795555', 'Ana'])(
    'formatNational returns %j unchanged because it is not a mobile number in E.164',
    (text) => expect(formatNational(text)).toBe(text),
  )
})

describe('parseDomesticMobile: mobile numbers in one country', () => {
  test.each([
    ['021 555 0142', 'NZ', '+64215550142'],
    ['+64 21 555 0142', 'NZ', '+64215550142'],
    ['0491 570 156', 'AU', '+61491570156'],
    ['+61 491 570 156', 'AU', '+61491570156'],
    ['0011 61 491 570 156', 'AU', '+61491570156'],
  ] as const)('accepts %s as a mobile number in %s', (text, region, e164) =>
    expect(parseDomesticMobile(text, region)).toBe(e164),
  )

  test.each([
    // A Sydney landline has the same digits as a New Zealand mobile number.
    ['02 9374 4000', 'AU'],
    ['02 7555 0199', 'AU'],
    ['021 555 0142', 'AU'],
    ['+64 21 555 0142', 'AU'],
    ['0412 345 678', 'NZ'],
    ['+61 412 345 678', 'NZ'],
    ['+44 7700 900123', 'NZ'],
    ['', 'NZ'],
  ] as const)('returns null for %s, which is not a mobile number in %s', (text, region) =>
    expect(parseDomesticMobile(text, region)).toBeNull(),
  )
})

test.each([
  ['+64215550142', 'NZ', '021 555 0142'],
  ['+64215550142', 'AU', '+64 21 555 0142'],
  ['+61491570156', 'AU', '0491 570 156'],
  ['+61491570156', 'NZ', '+61 491 570 156'],
  ['+61293744000', 'AU', '+61293744000'],
  ['+12025550123', 'NZ', '+12025550123'],
  ['111', 'NZ', '111'],
  ['0061 412 345 678', 'NZ', '0061 412 345 678'],
] as const)('formatForRegion shows %s in %s as %s', (e164, home, text) =>
  expect(formatForRegion(e164, home)).toBe(text),
)
