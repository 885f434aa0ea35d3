import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { centsToDecimal } from './money.ts'
import { emailMaxLength, requiredEmail } from './email.ts'
import { optionalText, requiredSecret, requiredText, decimalAmountSchema } from './schema.ts'

const messagesOf = (schema: v.GenericSchema, input: unknown) =>
  v.safeParse(schema, input).issues?.map((issue) => issue.message)

describe('requiredText: required text', () => {
  const form = v.object({ name: requiredText() })

  test.each([
    {},
    { name: undefined },
    { name: '' },
    { name: ' \t ' },
    { name: null },
    { name: 7 },
    { name: ['Aroha'] },
    { name: {} },
  ])('requiredText reports %j as missing text', (input) =>
    expect(messagesOf(form, input)).toEqual(['This field is required.']),
  )

  test('requiredText trims the text', () => expect(v.parse(form, { name: '  Aroha ' })).toEqual({ name: 'Aroha' }))

  test('requiredText accepts a custom message for missing text', () => {
    expect(messagesOf(requiredText('Please select a Prepay Plan.'), undefined)).toEqual([
      'Please select a Prepay Plan.',
    ])
  })

  test('requiredText accepts any text that is not empty and returns it trimmed', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const result = v.safeParse(requiredText(), text)
        expect(result.success ? result.output : '').toBe(text.trim())
      }),
    )
  })
})

test('optionalText accepts a missing value, but rejects values that are not text', () => {
  expect(v.parse(optionalText(), undefined)).toBe('')
  expect(v.parse(optionalText(), ' 12 ')).toBe('12')
  expect(v.safeParse(optionalText(), 12).success).toBe(false)
})

test('requiredSecret keeps the secret exactly as typed and rejects an empty one', () => {
  expect(v.parse(requiredSecret(), ' two words ')).toBe(' two words ')
  expect(messagesOf(requiredSecret(), undefined)).toEqual(['This field is required.'])
  expect(messagesOf(requiredSecret(), '')).toEqual(['This field is required.'])
})

describe('requiredEmail: required email addresses', () => {
  test('returns an email address trimmed and in its stored form', () => {
    expect(v.parse(requiredEmail(), ' Aroha.Ngata+sim@example.co.nz ')).toBe('aroha.ngata+sim@example.co.nz')
    expect(v.parse(requiredEmail(), ' Ana@kōwhai.nz ')).toBe('ana@xn--kwhai-g9a.nz')
  })

  test.each([undefined, '', ' '])('reports %j as a missing email address', (input) => {
    expect(messagesOf(requiredEmail(), input)).toEqual(['This field is required.'])
  })

  test.each([
    'aroha',
    'aroha@',
    '@example.nz',
    'a b@example.nz',
    'aroha@example.nz\r\nBcc: everyone@example.nz',
    'aroha@example.nz,b@example.nz',
  ])('rejects the email address %j', (input) =>
    expect(messagesOf(requiredEmail(), input)).toEqual(['Please enter a valid email address.']),
  )

  test('rejects an email address of more than 254 characters', () => {
    const address = (length: number) => `${'a'.repeat(length - '@example.nz'.length)}@example.nz`
    expect(v.safeParse(requiredEmail(), address(emailMaxLength)).success).toBe(true)
    expect(messagesOf(requiredEmail(), address(emailMaxLength + 1))).toEqual(['Please enter a valid email address.'])
  })
})

test('wireAmountSchema accepts exactly the format that toWireAmount writes', () => {
  fc.assert(fc.property(fc.maxSafeInteger(), (cents) => v.is(decimalAmountSchema(), centsToDecimal(cents))))
  for (const wrong of ['39', '39.9', '39.901', '39.90 NZD', '$39.90', 39.9, null])
    expect(v.is(decimalAmountSchema(), wrong)).toBe(false)
})
