import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { type CardType, cardTypes } from './card-types.ts'
import { cardFormSchema, expiryMaxLength, formatExpiry, parseExpiry } from './card.contract.ts'

const november = { year: 2026, month: 11 }

const good = {
  'credit-card-number': '4111 1111 1111 1111',
  'credit-card-name': 'Aroha Ngata',
  'credit-card-expiry': '03 / 30',
  'credit-card-cvc': '737',
}

const errorsOf = (
  changes: Record<string, string | undefined>,
  { now = november, taken = cardTypes as readonly CardType[] } = {},
) => {
  const result = v.safeParse(cardFormSchema(now, taken), { ...good, ...changes })
  return result.success ? {} : v.flatten(result.issues).nested
}

const required = ['This field is required.']
const badNumber = ['Please enter a valid credit card number.']
const badExpiry = ['Please enter a valid expiry date.']
const badCvc = ['Please enter a valid CSC.']

describe('card form schema', () => {
  test('accepts a valid card and trims its fields', () => {
    expect(v.parse(cardFormSchema(november, cardTypes), { ...good, 'credit-card-name': ' Aroha Ngata ' })).toEqual(good)
  })

  test.each([
    {},
    { 'credit-card-number': '', 'credit-card-name': ' ', 'credit-card-expiry': '', 'credit-card-cvc': '' },
  ])('reports every field as required if the card form is empty: %j', (form) => {
    const result = v.safeParse(cardFormSchema(november, cardTypes), form)
    expect(v.flatten(result.issues!).nested).toEqual({
      'credit-card-number': required,
      'credit-card-name': required,
      'credit-card-expiry': required,
      'credit-card-cvc': required,
    })
  })

  test('reports one error per field if every field of the card form is invalid', () => {
    const form = {
      'credit-card-number': '4111',
      'credit-card-name': '',
      'credit-card-expiry': '13 / 30',
      'credit-card-cvc': '12',
    }
    expect(errorsOf(form)).toEqual({
      'credit-card-number': badNumber,
      'credit-card-name': required,
      'credit-card-expiry': badExpiry,
      'credit-card-cvc': badCvc,
    })
  })

  test.each(['4111 1111 1111 1112', '4111 1111 1111', 'abcd', '5555 4444 3333 111'])(
    'rejects the card number %j',
    (number) => {
      expect(errorsOf({ 'credit-card-number': number })).toEqual({ 'credit-card-number': badNumber })
    },
  )
})

test('rejects a card form whose fields are not text, without throwing', () => {
  const form = { ...good, 'credit-card-number': 4_111_111_111_111_111 }
  expect(v.is(cardFormSchema(november, cardTypes), form)).toBe(false)
})

describe('card types that are not accepted', () => {
  const others = ['3600 6666 3333 44', '3569 9900 1009 5841', '6011 6011 6011 6611', '6250 9470 0000 0014']
  test.each(others)(
    'rejects the card number %s because of its first digits, and lists the accepted types',
    (number) => {
      expect(errorsOf({ 'credit-card-number': number })).toEqual({
        'credit-card-number': ['We can’t take this type of card. Please use Visa, Mastercard or American Express.'],
      })
    },
  )

  test('rejects a card type that the provider does not accept, and lists the types that it accepts', () => {
    const amex = { 'credit-card-number': '3700 000000 00002', 'credit-card-cvc': '7373' }
    expect(errorsOf(amex)).toEqual({})
    expect(errorsOf(amex, { taken: ['visa', 'mc'] })).toEqual({
      'credit-card-number': ['We can’t take this type of card. Please use Visa or Mastercard.'],
    })
    expect(errorsOf(amex, { taken: ['visa'] })).toEqual({
      'credit-card-number': ['We can’t take this type of card. Please use Visa.'],
    })
    expect(errorsOf({}, { taken: ['visa'] })).toEqual({})
  })

  test('a card number with a wrong check digit gets the error for an invalid number, not the one for an unaccepted card type', () => {
    expect(errorsOf({ 'credit-card-number': '3600 6666 3333 45' })).toEqual({ 'credit-card-number': badNumber })
  })
})

describe('card security code', () => {
  test.each(['12', '12a', '12345', ' 7 3 7', 'a123', '123a', '1234a', 'a1234'])(
    'rejects the security code %j',
    (cvc) => {
      expect(errorsOf({ 'credit-card-cvc': cvc })).toEqual({ 'credit-card-cvc': badCvc })
    },
  )

  test('requires a four-digit security code for American Express and a three-digit one for any other card', () => {
    const amex = '3700 000000 00002'
    expect(errorsOf({ 'credit-card-number': amex, 'credit-card-cvc': '7373' })).toEqual({})
    expect(errorsOf({ 'credit-card-number': amex, 'credit-card-cvc': '737' })).toEqual({ 'credit-card-cvc': badCvc })
    expect(errorsOf({ 'credit-card-cvc': '7373' })).toEqual({ 'credit-card-cvc': badCvc })
  })

  test.each(['a123', '123a'])('rejects %j for an American Express card, although it is four characters long', (cvc) =>
    expect(errorsOf({ 'credit-card-number': '3700 000000 00002', 'credit-card-cvc': cvc })).toEqual({
      'credit-card-cvc': badCvc,
    }),
  )

  test('reports a wrong security code even when the card number is missing', () => {
    const errors = errorsOf({ 'credit-card-number': '', 'credit-card-cvc': '7373' })
    expect(errors).toEqual({ 'credit-card-number': required, 'credit-card-cvc': badCvc })
  })
})

describe('card expiry date', () => {
  test.each([
    '11 / 26',
    '12 / 26',
    '01 / 27',
    '11 / 41',
    '12 / 41',
    '03/30',
    ' 03 / 30 ',
    '03 / 2030',
    '2030-03',
    '2030/03',
  ])('accepts the expiry date %j', (expiry) => {
    expect(errorsOf({ 'credit-card-expiry': expiry })).toEqual({})
  })

  const wrong = [
    'x03 / 30',
    '03 / 30x',
    '03 / 301',
    '10 / 26',
    '11 / 25',
    '01 / 42',
    '00 / 30',
    '13 / 30',
    '3 / 30',
    '03 / 20301',
    '2030-13',
    '1930-03',
    '03',
    'soon',
  ]
  test.each(wrong)('rejects the expiry date %j', (expiry) => {
    expect(errorsOf({ 'credit-card-expiry': expiry })).toEqual({ 'credit-card-expiry': badExpiry })
  })

  test('assumes that the expiry year is in the current century', () => {
    expect(parseExpiry('03 / 30', november)).toEqual({ year: 2030, month: 3 })
    expect(parseExpiry('03 / 02', { year: 2101, month: 1 })).toEqual({ year: 2102, month: 3 })
    expect(parseExpiry('0330', november)).toBeNull()
    for (const text of ['2030-03', '2030/03', '03/2030'])
      expect(parseExpiry(text, november)).toEqual({ year: 2030, month: 3 })
    expect(parseExpiry('2030-13', november)).toBeNull()
  })
})

describe('formatExpiry: formatting the expiry date as it is typed', () => {
  test.each([
    ['', ''],
    ['0', '0'],
    ['1', '1'],
    ['3', '03'],
    ['03', '03'],
    ['12', '12'],
    ['1/', '01 / '],
    ['03/', '03 / '],
    ['033', '03 / 3'],
    ['03 / 3', '03 / 3'],
    ['03 / ', '03 / '],
    ['03 /', '03'],
    ['0330', '03 / 30'],
    ['03/30', '03 / 30'],
    ['3/30', '03 / 30'],
    ['03/2030', '03 / 30'],
    ['2030-03', '03 / 30'],
    ['2030/03', '03 / 30'],
    [' 2030 - 12 ', '12 / 30'],
    ['2030-13', '02 / 03'],
    ['03 / 301', '03 / 30'],
    ['ab', ''],
    ['12/2026', '12 / 26'],
    ['12 / 1206', '12 / 12'],
    ['03 / 120', '03 / 12'],
    ['1a/', '1'],
    ['0/', '0'],
    ['03/a', '03'],
    ['03 / 12034', '03 / 12'],
  ])('formats the typed expiry date %j as %j', (typed, shown) => expect(formatExpiry(typed)).toBe(shown))

  test('a formatted expiry date can be deleted character by character', () => {
    let text = '03 / 30'
    for (let presses = 0; text !== '' && presses < 10; presses++) text = formatExpiry(text.slice(0, -1))
    expect(text).toBe('')
  })

  test('formatting keeps the expiry date within its maximum length, and formatting it again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789/ ') }), (typed) => {
        const shown = formatExpiry(typed)
        expect(shown.length).toBeLessThanOrEqual(expiryMaxLength)
        expect(formatExpiry(shown)).toBe(shown)
      }),
    )
  })

  test('formats any valid month and year into an expiry date that parseExpiry reads back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 27, max: 40 }), (month, year) => {
        const typed = `${String(month).padStart(2, '0')}${year}`
        expect(parseExpiry(formatExpiry(typed), november)).toEqual({ month, year: 2000 + year })
      }),
    )
  })
})
