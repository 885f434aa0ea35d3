import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emailMaxLength, normaliseEmail } from './email.ts'

/** The pattern for email fields in the HTML Living Standard. */
const standard =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

describe("email addresses that a browser's email field accepts", () => {
  test.each([
    ["O'Brien@example.nz", "o'brien@example.nz"],
    ['ana&b@example.nz', 'ana&b@example.nz'],
    ['ana+sim@example.co.nz', 'ana+sim@example.co.nz'],
    ["!#$%&'*+/=?^_`{|}~-@example.nz", "!#$%&'*+/=?^_`{|}~-@example.nz"],
    ['.ana..b.@example.nz', '.ana..b.@example.nz'],
    ['ana@localhost', 'ana@localhost'],
    ['ana@127.1', 'ana@127.1'],
    ['ana@xn--kwhai-tsa.nz', 'ana@xn--kwhai-tsa.nz'],
    [`ana@${'a'.repeat(63)}.nz`, `ana@${'a'.repeat(63)}.nz`],
  ])('stores the email address %s as %s', (typed, stored) => expect(normaliseEmail(typed)).toBe(stored))

  test('accepts an ASCII email address if and only if the HTML standard does', () => {
    const atom = fc.constantFrom(...`aZ09.-_!'&+@@ "(),:;<>[\\]`)
    const likely = fc.tuple(
      fc.string({ unit: fc.constantFrom(..."aZ09.!#$%&'*+/=?^_`{|}~-"), minLength: 1, maxLength: 20 }),
      fc.array(fc.string({ unit: fc.constantFrom(...'aZ09-'), minLength: 1, maxLength: 66 }), {
        minLength: 1,
        maxLength: 4,
      }),
    )
    const text = fc.oneof(
      fc.string({ unit: atom, maxLength: 20 }),
      likely.map(([local, labels]) => `${local}@${labels.join('.')}`),
    )
    fc.assert(
      fc.property(text, (typed) => {
        const isTaken = standard.test(typed) && typed.length <= emailMaxLength
        expect(normaliseEmail(typed)).toBe(isTaken ? typed.toLowerCase() : null)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('email addresses with an international domain', () => {
  test.each([
    'ana@kōwhai.nz',
    'ANA@KŌWHAI.NZ',
    'ana@ko\u0304whai.nz',
    'ana@kōwhai\u3002nz',
    'ana@kō\u00adwhai.nz',
    'ana@ｋōwhai.nz',
    'ana@xn--kwhai-g9a.nz',
    'ana@XN--KWHAI-G9A.nz',
  ])('every spelling of an international domain is stored in the same form: %s', (typed) =>
    expect(normaliseEmail(typed)).toBe('ana@xn--kwhai-g9a.nz'),
  )

  test.each([
    ['ana@例え.テスト', 'ana@xn--r8jz45g.xn--zckzah'],
    ['ana@mail.straße.nz', 'ana@mail.xn--strae-oqa.nz'],
    ['ana@kō-whai.xn--kwhai-g9a.nz', 'ana@xn--k-whai-bgb.xn--kwhai-g9a.nz'],
    ['ana@bücher.127', 'ana@xn--bcher-kva.127'],
  ])('stores the international address %s as %s', (typed, stored) => expect(normaliseEmail(typed)).toBe(stored))

  // These addresses contain characters that IDNA maps to @, / or a trailing full stop, or characters that no domain may contain.
  test.each([
    'jörg@example.nz',
    'ana@kōwhai.nz/path',
    'ana@kōwhai.nz:25',
    'ana@kōwhai.nz?',
    'ana@kōwhai%2enz',
    'ana@kōwhai.nz.',
    'ana@.kōwhai.nz',
    'ana@kō whai.nz',
    'ana@kō\twhai.nz',
    'ana@kōwhai.nz\r\nBcc: all@example.nz',
    'ana@[kōwhai.nz]',
    'ana@kōwhai＠example.nz',
    'ana@kōwhai／example.nz',
    'ana@℀.nz',
    'ana@kōwhai.\u00ad',
    'ana@kō\u202ewhai.nz',
    'ana@\ud800.nz',
    'ana@kō\0whai.nz',
    'ana@-kōwhai.nz',
    'ana@kōwhai-.nz',
    'ana@kōwhai-。nz',
    'ana@kō--whai.nz',
    'ana@kōwhai.-a.nz',
    'ana@kōwhai.nz\\',
    'ana@xn--zzzzzz99.kōwhai.nz',
    `ana@${'ō'.repeat(63)}.nz`,
    `ana@${'ō.'.repeat(60)}nz`.padStart(emailMaxLength, 'a'),
  ])('rejects the invalid address %j', (typed) => expect(normaliseEmail(typed)).toBeNull())

  const letters = fc.string({ unit: fc.constantFrom(...'abkwhāēīōūĀŌßñéж中テス09'), minLength: 1, maxLength: 12 })
  const domains = fc.array(letters, { minLength: 1, maxLength: 4 }).map((labels) => [...labels, 'nz'].join('.'))

  test('the Unicode and ASCII spellings of any domain are stored as the same address', () => {
    fc.assert(
      fc.property(domains, (domain) => {
        const stored = normaliseEmail(`ana@${domain}`)
        expect(stored).toBe(normaliseEmail(`ana@${domainToASCII(domain)}`))
        expect(stored).toMatch(standard)
        expect(normaliseEmail(`ANA@${domain.toUpperCase().replaceAll('SS', 'ß')}`)).toBe(stored)
      }),
    )
  })
})

test('a stored email address is ASCII, within the length limit, and does not change when stored again', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc
      .tuple(fc.string({ unit: 'grapheme', maxLength: 130 }), fc.string({ unit: 'grapheme', maxLength: 130 }))
      .map((parts) => parts.join('@')),
    fc.tuple(fc.constant('ana'), fc.domain()).map((parts) => parts.join('@')),
  )
  fc.assert(
    fc.property(text, (typed) => {
      const stored = normaliseEmail(typed)
      if (stored === null) return
      expect(stored).toMatch(standard)
      expect(stored.length).toBeLessThanOrEqual(emailMaxLength)
      expect(normaliseEmail(stored)).toBe(stored)
    }),
    { numRuns: 1_000 },
  )
})

test('an email address may have at most 254 characters, both as typed and as stored', () => {
  const address = (length: number) => `${'a'.repeat(length - '@example.nz'.length)}@example.nz`
  expect(normaliseEmail(address(emailMaxLength))).toBe(address(emailMaxLength))
  expect(normaliseEmail(address(emailMaxLength + 1))).toBeNull()
  const kept = 'ana@xn--kwhai-g9a.nz'
  const international = (length: number) => `${'a'.repeat(length - kept.length)}ana@kōwhai.nz`
  expect(normaliseEmail(international(emailMaxLength))).toHaveLength(emailMaxLength)
  expect(normaliseEmail(international(emailMaxLength + 1))).toBeNull()
})

test.each(['ana@example.nz@evil.example', 'ana@example.nz@', 'ana@@example.nz'])(
  'rejects an email address with a second @, so that mail cannot go to a different domain than it appears to: %s',
  (typed) => expect(normaliseEmail(typed)).toBeNull(),
)

test('an international domain may not end with a hyphen', () =>
  expect(normaliseEmail('ana@example.kōwhai-')).toBeNull())
