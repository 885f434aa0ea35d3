import { createRequire } from 'node:module'
import fc from 'fast-check'
import { parsePhoneNumberFromString, type MetadataJson } from 'libphonenumber-js/core'
import { describe, expect, test } from 'vitest'
import { formatNational, parseMobile, type Region } from './phone.ts'

/*
 * libphonenumber-js is too large for browsers, so it serves only as a reference in tests. If a test fails after an update, a numbering plan
 * may have changed.
 */

type Shipped = { version: number; countries: Record<Region, unknown> }
const { version, countries } = createRequire(import.meta.url)('libphonenumber-js/metadata.mobile.json') as Shipped
const metadata = {
  version,
  country_calling_codes: { 61: ['AU'], 64: ['NZ'] },
  countries: { AU: countries.AU, NZ: countries.NZ },
} as unknown as MetadataJson

/** Parses a dialled number into text such as `'NZ +64215550142 021 555 0142'`, or null if it is not a mobile number. */
type Reading = (dialled: string, home: Region) => string | null

const library: Reading = (dialled, defaultCountry) => {
  const phone = parsePhoneNumberFromString(dialled, { defaultCountry, extract: false }, metadata)
  // The library classifies 026, the pager prefix, as mobile.
  return phone?.isValid() && !phone.number.startsWith('+6426')
    ? `${phone.country} ${phone.number} ${phone.formatNational()}`
    : null
}

const ours: Reading = (dialled, home) => {
  const mobile = parseMobile(dialled, home)
  return typeof mobile === 'string' ? null : `${mobile.region} ${mobile.e164} ${formatNational(mobile.e164)}`
}

const region = fc.constantFrom<Region>('NZ', 'AU')
const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength })

const agree = (...parts: fc.Arbitrary<string>[]) =>
  fc.property(fc.tuple(...parts), region, (found, home) => {
    const dialled = found.join('')
    expect(ours(dialled, home)).toBe(library(dialled, home))
  })

const disagreed = (numbers: string[], home: Region): string[] =>
  numbers.filter((dialled) => ours(dialled, home) !== library(dialled, home))
const allOf = (length: number): string[] =>
  Array.from({ length: 10 ** length }, (_, index) => String(index).padStart(length, '0'))

describe('comparison with libphonenumber-js', () => {
  test('parseMobile agrees with libphonenumber-js on any string of digits', () => {
    fc.assert(agree(fc.constantFrom('', '+'), digits(1, 20)), { numRuns: 5_000 })
  })

  test('parseMobile agrees with libphonenumber-js on numbers that look like a mobile number, whatever the prefix', () => {
    const abroad = fc.constantFrom('', '', '+', '00', '000', '0011', '0161', '14110011')
    const country = fc.constantFrom('', '', '64', '61', '6464', '1', '44')
    const trunk = fc.constantFrom('', '', '0', '00', '1831', '1832', '1833')
    const start = fc.constantFrom(
      '2',
      '20',
      '21',
      '210',
      '22',
      '24',
      '26',
      '27',
      '274',
      '275',
      '29',
      '4',
      '41',
      '44',
      '479',
      '483',
      '495',
      '9',
    )
    fc.assert(agree(abroad, country, trunk, start, digits(5, 8)), { numRuns: 20_000 })
  })

  test.each([
    ['NZ', '+642'],
    ['AU', '+614'],
  ] as const)(
    'parseMobile agrees with libphonenumber-js on every number range in %s, at every length',
    (home, start) => {
      const rests = ['12', '123', '1234', '12345', '123456', '1234567']
      expect(
        disagreed(
          allOf(3).flatMap((range) => rests.map((rest) => start + range + rest)),
          home,
        ),
      ).toEqual([])
    },
  )

  test.each(['NZ', 'AU'] as const)(
    'parseMobile agrees with libphonenumber-js on every four-digit dialling prefix in %s',
    (home) => {
      const rests = ['64215550142', '61412345678', '412345678', '001164215550142']
      expect(
        disagreed(
          allOf(4).flatMap((code) => rests.map((rest) => code + rest)),
          home,
        ),
      ).toEqual([])
    },
  )
})
