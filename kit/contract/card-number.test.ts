import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measureCpuMs } from '#quality/support/processor-time.ts'
import {
  detectCardType,
  getSecurityCodeLength,
  formatCardNumber,
  isCardNumber,
  looksLikeCardNumber,
  getMaxCardNumberLength,
  passesLuhn,
} from './card-number.ts'

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length })

const withCheckDigit = (start: string) => [...'0123456789'].map((digit) => start + digit).find(passesLuhn)!

describe('detecting the card type from the number', () => {
  test.each([
    ['', null],
    ['3', null],
    ['34', 'amex'],
    ['37', 'amex'],
    ['35', null],
    ['50', null],
    ['51', 'mc'],
    ['55', 'mc'],
    ['56', null],
    ['222', null],
    ['2220', null],
    ['2221', 'mc'],
    ['2229', 'mc'],
    ['223', 'mc'],
    ['2599', 'mc'],
    ['2719', 'mc'],
    ['2720', 'mc'],
    ['2721', null],
    ['67718', null],
    ['677189', 'mc'],
    ['677188', null],
    ['4', 'visa'],
    ['4 1', 'visa'],
    ['6011', null],
  ])('a number that begins with %j has the card type %j', (number, type) => expect(detectCardType(number)).toBe(type))

  test.each([
    ['34', 17, 4],
    ['2221', 19, 3],
    ['677189', 19, 3],
    ['4', 19, 3],
    ['6011', 19, 3],
    ['', 19, 3],
  ])(
    'a card number that begins with %j may have %d characters, and its security code has %d digits',
    (number, maxLength, cvcLength) => {
      expect(getMaxCardNumberLength(number)).toBe(maxLength)
      expect(getSecurityCodeLength(number)).toBe(cvcLength)
    },
  )
})

describe('formatCardNumber: grouping card numbers as printed on the card', () => {
  test.each([
    ['', ''],
    ['4', '4'],
    ['4111', '4111'],
    ['41111', '4111 1'],
    ['4111-1111.1111 1111', '4111 1111 1111 1111'],
    ['41111111111111119', '4111 1111 1111 1111'],
    ['3700', '3700'],
    ['370000000000002', '3700 000000 00002'],
    ['3700 0000 0000 0029', '3700 000000 00002'],
    ['number: none', ''],
  ])('formats the typed card number %j as %j', (typed, shown) => expect(formatCardNumber(typed)).toBe(shown))

  test("formatting a card number keeps the typed digits up to the card type's length, and formatting it again changes nothing", () => {
    fc.assert(
      fc.property(fc.oneof(digits(20), fc.string()), (typed) => {
        const shown = formatCardNumber(typed)
        expect(shown.length).toBeLessThanOrEqual(getMaxCardNumberLength(typed))
        expect(typed.replace(/\D/g, '').startsWith(shown.replaceAll(' ', ''))).toBe(true)
        expect(formatCardNumber(shown)).toBe(shown)
      }),
    )
  })
})

describe('passesLuhn: the check digit of a card number', () => {
  const right = ['4111111111111111', '5555444433331111', '5555341244441115', '370000000000002', '79927398713', '0']
  test.each(right)('accepts the number %s because its check digit is correct', (number) =>
    expect(passesLuhn(number)).toBe(true),
  )

  test.each(['', '1', '4111111111111112', '79927398710'])('rejects %j because it lacks a valid check digit', (number) =>
    expect(passesLuhn(number)).toBe(false),
  )

  test('detects any single wrong digit in a card number', () => {
    fc.assert(
      fc.property(
        digits(15).map(withCheckDigit),
        fc.nat(15),
        fc.integer({ min: 1, max: 9 }),
        (number, place, shift) => {
          const wrong = String((Number(number[place]) + shift) % 10)
          expect(passesLuhn(number)).toBe(true)
          expect(passesLuhn(number.slice(0, place) + wrong + number.slice(place + 1))).toBe(false)
        },
      ),
    )
  })
})

describe('isCardNumber: valid card numbers', () => {
  test.each([
    '4111 1111 1111 1111',
    '5555 4444 3333 1111',
    '5555 3412 4444 1115',
    '3700 000000 00002',
    '6011 0000 0000 0004',
    withCheckDigit('411111111111'),
    withCheckDigit('677189000000000'),
  ])('accepts the card number %s', (number) => expect(isCardNumber(number)).toBe(true))

  test.each([
    '',
    '4111 1111 1111 1112',
    withCheckDigit('41111111111'),
    withCheckDigit('3700000000000'),
    withCheckDigit('555544443333'),
    withCheckDigit('6011000000'),
  ])('rejects the card number %j', (number) => expect(isCardNumber(number)).toBe(false))
})

describe('looksLikeCardNumber: card numbers in free text', () => {
  test.each([
    '4111111111111111',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    '4111 1111–1111\u00a01111',
    '4111 11111111 1111',
    '４１１１　１１１１　１１１１　１１１１',
    'Jane 5555444433331111 Doe',
    'card=370000000000002;',
    '"3700 000000 00002"',
    '021 555 0142 4111 1111 1111 1111',
    '4111 1111 1111 1111 03/30 737',
    withCheckDigit('222100000000000'),
    withCheckDigit('677189000000000'),
    withCheckDigit('411111111111111111'),
    '6011000000000004',
    '30569309025904',
    '3530111333300000',
  ])('detects the card number in %j', (text) => expect(looksLikeCardNumber(text)).toBe(true))

  test('detects a card number anywhere in a sentence, however its digits are grouped', () => {
    const visa = digits(14).map((rest) => withCheckDigit(`4${rest}`))
    const gaps = fc.array(fc.integer({ min: 1, max: 15 }))
    const grouped = fc
      .tuple(visa, gaps, fc.constantFrom(' ', '-'))
      .map(([number, places, gap]) =>
        [...number].map((digit, at) => (places.includes(at) ? gap + digit : digit)).join(''),
      )
    fc.assert(fc.property(grouped, (number) => looksLikeCardNumber(`my card: ${number}, thanks`)))
  })
})

describe('looksLikeCardNumber: text without a card number', () => {
  test.each([
    '',
    '+64 21 555 0142',
    '0064 21 555 0142',
    '+61 412 345 678',
    '+4915112345678',
    '+49 151 1234 5678',
    '021 555 0142 / 021 555 0143',
    'HJ4K2M7P9QXZ',
    '411111111111',
    '**** **** **** 1111',
    '2026-11-21T10:00:00.000Z',
    '2026-11-21 10:00:00 1795255200000',
    '4111 1111 1111 1112',
    '4111x1111y1111z1111',
    'order-4111111111111111a',
    '41111111-1111-4111-8111-111111111111',
    '0000000000000000',
  ])('finds no card number in %j', (text) => expect(looksLikeCardNumber(text)).toBe(false))

  test("does not mistake a SIM's ICCID for a card number, grouped or not, with or without its check digit", () => {
    const iccid = fc
      .tuple(fc.constantFrom('8964', '8961', '64'), fc.integer({ min: 14, max: 16 }).chain(digits))
      .map(([start, rest]) => start + rest)
    fc.assert(
      fc.property(iccid, (number) => {
        const printed = [number, withCheckDigit(number), number.match(/.{1,4}/g)!.join(' ')]
        return !printed.some(looksLikeCardNumber)
      }),
    )
  })

  test('does not mistake a New Zealand or Australian mobile number for a card number', () => {
    const prefix = fc.constantFrom('021', '022', '027', '04', '+6421', '+64 22 ', '+614', '00614', '006421', '6421')
    const subscriber = fc.integer({ min: 6, max: 8 }).chain(digits)
    fc.assert(fc.property(prefix, subscriber, (start, rest) => !looksLikeCardNumber(start + rest)))
  })

  test('does not mistake a voucher code for a card number', () => {
    const code = fc.string({
      unit: fc.constantFrom(...'0123456789ABCDEFGHJKLMNPQRSTUVWXYZ'),
      minLength: 12,
      maxLength: 12,
    })
    fc.assert(fc.property(fc.oneof(code, digits(12)), (text) => !looksLikeCardNumber(text)))
  })

  test('does not mistake a UUID for a card number, even one that has only digits', () => {
    const ofDigits = fc
      .tuple(digits(8), digits(4), digits(3), digits(3), digits(12))
      .map(([a, b, c, d, e]) => `${a}-${b}-4${c}-8${d}-${e}`)
    fc.assert(
      fc.property(fc.oneof(fc.uuid(), ofDigits), (uuid) => !looksLikeCardNumber(uuid)),
      { numRuns: 2_000 },
    )
  })

  test('does not mistake an encrypted card or other base64 text for a card number', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 256, maxLength: 600 }), (bytes) => {
        const base64 = Buffer.from(bytes).toString('base64')
        return !looksLikeCardNumber(`adyenjs_0_1_18$${base64}$${base64}`)
      }),
      { numRuns: 500 },
    )
  })
})

test('searches a megabyte of digits and spaces for card numbers within 5 seconds of processor time', async () => {
  const texts = ['1 '.repeat(500_000), '1'.repeat(1_000_000), `${'1 '.repeat(500_000)}x`]
  let found: string[] = texts
  expect(await measureCpuMs(() => (found = texts.filter(looksLikeCardNumber)), { tries: 1 })).toBeLessThan(5_000)
  expect(found).toEqual([])
})

describe('looksLikeCardNumber: number ranges of card issuers', () => {
  const pads = (start: string, length: number) => withCheckDigit(start.padEnd(length - 1, '1'))
  const ranges: [string, number[]][] = [
    ['4', [13, 16, 19]],
    ...['51', '55', '2221', '2229', '2230', '2299', '2300', '2699', '2700', '2719', '2720'].map(
      (start): [string, number[]] => [start, [16]],
    ),
    ['677189', [16, 17, 18, 19]],
    ...['34', '37'].map((start): [string, number[]] => [start, [15]]),
    ...['6011', '6500', '6599'].map((start): [string, number[]] => [start, [16]]),
    ...['300', '305', '360', '369', '380', '389'].map((start): [string, number[]] => [start, [14]]),
    ...['3528', '3529', '3530', '3589'].map((start): [string, number[]] => [start, [16]]),
    ['62', [16, 17, 18, 19]],
  ]

  test.each(ranges)('detects card numbers that begin with %s only at lengths that are in use: %j', (start, lengths) => {
    const noticed = [13, 14, 15, 16, 17, 18, 19].filter((length) => looksLikeCardNumber(pads(start, length)))
    expect(noticed).toEqual(lengths)
  })

  const others = [
    '50',
    '56',
    '2220',
    '2721',
    '6012',
    '64',
    '66',
    '306',
    '309',
    '37',
    '39',
    '3527',
    '3590',
    '677188',
    '63',
  ]
  test.each(others)('finds no card number in sixteen digits that begin with %s', (start) =>
    expect(looksLikeCardNumber(pads(start, 16))).toBe(false),
  )
})

describe('looksLikeCardNumber: text with phone numbers or UUIDs', () => {
  test.each(['+64 21 555 0142 4111 1111 1111 1111', '+642155501424 4111 1111 1111 1111'])(
    'detects the card number that follows a phone number: %j',
    (text) => expect(looksLikeCardNumber(text)).toBe(true),
  )

  test('does not mistake a foreign phone number with a leading plus and at most fifteen digits for a card number', () => {
    const german = withCheckDigit('491511234567')
    expect(looksLikeCardNumber(german)).toBe(true)
    expect(looksLikeCardNumber(`+${german}`)).toBe(false)
    expect(looksLikeCardNumber(`+${german.slice(0, 2)} ${german.slice(2, 5)}-${german.slice(5)}`)).toBe(false)
    expect(looksLikeCardNumber('+4111111111111111')).toBe(true)
  })

  test('does not join the digits before and after a UUID into one card number', () => {
    const uuid = '12345678-1234-4123-8123-123456789012'
    expect(looksLikeCardNumber(`4111 1111 ${uuid} 1111 1111`)).toBe(false)
    expect(looksLikeCardNumber(`4111 1111 1111 1111 ${uuid}`)).toBe(true)
  })
})

test('recognises a card type only from the leading digits of a number', () => {
  expect(detectCardType('0411')).toBeNull()
  expect(detectCardType('0551')).toBeNull()
  expect(detectCardType('6034')).toBeNull()
})

describe('looksLikeCardNumber: card numbers next to other digits', () => {
  const visa = '4111 1111 1111 1111'

  test('detects a card number after a phone number that ends with the first digits of a SIM number', () =>
    expect(looksLikeCardNumber(`021 555 0164 ${visa}`)).toBe(true))

  test('does not mistake digits within a SIM number for a card number', () =>
    expect(looksLikeCardNumber(`8964 ${visa}`)).toBe(false))

  test('detects a card number after a plus sign, even when its last digit is separated by a hyphen', () =>
    expect(looksLikeCardNumber('+4111 1111 1111 111-1')).toBe(true))

  test.each([
    ['677189', 16],
    ['37', 15],
    ['3528', 16],
    ['62', 16],
  ])('finds no card number if the first digits of a card type (%s) come after other digits', (start, length) => {
    const unissued = `50${start}`.padEnd(length + 1, '1')
    expect(looksLikeCardNumber(withCheckDigit(unissued))).toBe(false)
  })
})
