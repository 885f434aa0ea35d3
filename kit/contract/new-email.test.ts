import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { emailMaxLength, normaliseEmail, requiredEmail } from './email.ts'
import { isAcceptedAsNewEmail, localPartMaxLength, requiredNewEmail } from './new-email.ts'

function resultOf(schema: v.GenericSchema, input: unknown) {
  const { success, output, issues } = v.safeParse(schema, input)
  return success ? output : issues.map(({ message }) => message)
}

const longestLocalPart = 'a'.repeat(localPartMaxLength)

test.each([
  ['without a full stop in the domain', 'ana@localhost'],
  ['with two full stops in a row', 'ana..rewi@example.nz'],
  ['with a numeric top-level domain', 'ana@example.123'],
  ['with an IP address as the domain', 'ana@127.0.0.1'],
  ['with an international domain and a numeric top-level domain', 'ana@bücher.127'],
  ['with 65 characters before the @ sign', `${longestLocalPart}a@example.nz`],
])('rejects an address %s as a new address, but accepts it elsewhere', (_, email) => {
  expect(resultOf(requiredNewEmail(), email)).toEqual(['Please enter a valid email address.'])
  expect(resultOf(requiredEmail(), email)).toBe(normaliseEmail(email))
})

test.each([
  ['Ana@Example.NZ', 'ana@example.nz'],
  ["o'brien+sim@mail.example.co.nz", "o'brien+sim@mail.example.co.nz"],
  ['ana@kōwhai.nz', 'ana@xn--kwhai-g9a.nz'],
  ['ana@gmial.com', 'ana@gmial.com'],
  ['.ana.@example.nz', '.ana.@example.nz'],
  ['ana@3com.nz', 'ana@3com.nz'],
  ['ana@example.x1', 'ana@example.x1'],
  ['\u202dana@example.nz\u202c', 'ana@example.nz'],
  [`${longestLocalPart}@example.nz`, `${longestLocalPart}@example.nz`],
])('accepts the new address %j and stores it as %j', (typed, stored) =>
  expect(resultOf(requiredNewEmail(), typed)).toBe(stored),
)

test.each([
  ['', 'This field is required.'],
  [undefined, 'This field is required.'],
  ['ana', 'Please enter a valid email address.'],
  [`ana@${'a'.repeat(emailMaxLength)}.nz`, 'Please enter a valid email address.'],
])('shows one message for the new address %j', (typed, message) =>
  expect(resultOf(requiredNewEmail(), typed)).toEqual([message]),
)

test('a new address is accepted if and only if its stored form is', () => {
  const part = fc.string({ unit: fc.constantFrom(...'aZ1-.ō'), minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(part, part, (local, domain) => {
      const stored = normaliseEmail(`${local}@${domain}`)
      const isAccepted = v.safeParse(requiredNewEmail(), `${local}@${domain}`).success
      expect(isAccepted).toBe(stored !== null && isAcceptedAsNewEmail(stored))
    }),
  )
})
