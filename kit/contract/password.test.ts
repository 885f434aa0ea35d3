import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  checkPasswordsMatch,
  containsPersonalDetails,
  maxPasswordLength,
  newPasswordSchema,
  passwordMessages,
} from './password.ts'

describe('newPasswordSchema: rules for a new password', () => {
  const messagesFor = (password: unknown) =>
    v.safeParse(newPasswordSchema(), password).issues?.map(({ message }) => message) ?? []

  test.each([
    ['', 'This field is required.'],
    [undefined, 'This field is required.'],
    [123_456, 'This field is required.'],
    ['a', passwordMessages.short],
    ['ab123', passwordMessages.short],
    ['12345', passwordMessages.short],
    ['a🐚🐚', passwordMessages.short],
    ['x'.repeat(201), passwordMessages.long],
    ['123456', passwordMessages.letter],
    ['12 34 56 !?', passwordMessages.letter],
  ])('reports a single error for the new password %j', (password, message) =>
    expect(messagesFor(password)).toEqual([message]),
  )

  test.each(['a12345', ' tui 1', 'ngāti1', '密码密码密码', 'x'.repeat(200)])(
    'accepts the new password %j',
    (password) => expect(messagesFor(password)).toEqual([]),
  )

  test("uses the form's own messages for a short password and for a missing one", () => {
    const schema = newPasswordSchema('Too short.', 'Where is it?')
    expect(v.safeParse(schema, 'tui').issues?.[0].message).toBe('Too short.')
    expect(v.safeParse(schema, '').issues?.[0].message).toBe('Where is it?')
  })
})

test('a password typed twice matches in any Unicode form, and the schema returns its normal form', () => {
  const schema = v.pipe(
    v.object({ password: newPasswordSchema(), confirm: v.string() }),
    v.rawCheck((form) => checkPasswordsMatch(form, 'password', 'confirm', 'No match.')),
  )
  for (const [password, confirm] of [
    ['korimako\u20261', 'korimako\u20261'],
    ['Po\u0304hutukawa', 'P\u014dhutukawa'],
  ])
    expect(v.safeParse(schema, { password, confirm })).toMatchObject({
      success: true,
      output: { password: password?.normalize('NFKC') },
    })
  expect(v.safeParse(schema, { password: 'korimako1', confirm: 'korimako2' }).success).toBe(false)
})

test('a password may have as many characters at login as when it was set', () => {
  const password = 'a\u0304'.repeat(200)
  expect(v.is(newPasswordSchema(), password)).toBe(true)
  expect(v.is(v.pipe(v.string(), maxPasswordLength('Too long.')), password)).toBe(true)
  expect(v.is(v.pipe(v.string(), maxPasswordLength('Too long.')), `${password}a`)).toBe(false)
})

describe("containsPersonalDetails: passwords that contain the user's name or email address", () => {
  const owner = { email: 'pipi.kauri@example.nz', names: ['Ngāio', "O'Brien Smith"] }

  test.each([
    'ngāio2026',
    'NGAIO2026',
    'xngaiox',
    "o'brien99",
    'smith77',
    '1pipi.kauri',
    'Pipi.Kauri@Example.nz',
    '__pipi.kauri@example.nz__',
  ])("finds the owner's name or email address in the password %s", (password) =>
    expect(containsPersonalDetails(password, owner)).toBe(true),
  )

  test.each(['korimako1', 'pipi 2026', 'example1', 'ngai2026', 'kauri tree'])(
    "finds neither the owner's name nor their email address in the password %s",
    (password) => expect(containsPersonalDetails(password, owner)).toBe(false),
  )

  test("finds the owner's full name in a password, even if each part of the name is too short to count on its own", () => {
    const short = { email: 'x@example.nz', names: ['Bo', 'Li'] }
    expect(containsPersonalDetails('limbo 77', short)).toBe(false)
    expect(containsPersonalDetails('boli77', short)).toBe(true)
    expect(containsPersonalDetails('bo li 77', short)).toBe(true)
  })

  test('never finds an empty email address or name in a password', () => {
    expect(containsPersonalDetails('korimako1', { email: '', names: ['', ' '] })).toBe(false)
  })
})

test("finds the owner's name in a password only if the name has at least three characters", () => {
  const isOf = (password: string, name: string) =>
    containsPersonalDetails(password, { email: 'x@example.nz', names: [name] })
  expect(isOf('xana2026', 'Ana')).toBe(true)
  expect(isOf('li202612', 'Li')).toBe(false)
  expect(isOf('li bo 26', 'Li  Bo')).toBe(true)
})

test("finds the owner's name in a password even if there are extra spaces around or between the parts of the name", () => {
  const owner = { email: 'x@example.nz', names: ['Li ', ' ', 'Bo'] }
  expect(containsPersonalDetails('li bo 77', owner)).toBe(true)
})

describe('checkPasswordsMatch: comparing a new password with its repetition', () => {
  const form = v.pipe(
    v.object({ password: v.optional(v.string()), confirm: v.optional(v.string()) }),
    v.rawCheck((context) => checkPasswordsMatch(context, 'password', 'confirm', 'They differ.')),
  )
  const messagesAt = (input: unknown) =>
    v.safeParse(form, input).issues?.map((issue) => [v.getDotPath(issue), issue.message])

  test('reports a mismatch between the two passwords at the second field', () =>
    expect(messagesAt({ password: 'korimako1', confirm: 'korimako2' })).toEqual([['confirm', 'They differ.']]))

  test('accepts two identical passwords', () =>
    expect(v.is(form, { password: 'korimako1', confirm: 'korimako1' })).toBe(true))

  test.each([{ password: 'korimako1' }, { confirm: 'korimako1' }, {}])(
    'leaves a missing password to the rule that requires it: %j',
    (input) => expect(v.is(form, input)).toBe(true),
  )

  test('ignores password fields that are not text', () => {
    const lenient = v.pipe(
      v.object({ password: v.unknown(), confirm: v.unknown() }),
      v.rawCheck((context) => checkPasswordsMatch(context, 'password', 'confirm', 'They differ.')),
    )
    expect(v.is(lenient, { password: 1, confirm: 2 })).toBe(true)
    expect(v.is(lenient, { password: 'korimako1', confirm: 2 })).toBe(true)
    expect(v.is(lenient, { password: 1, confirm: 'korimako1' })).toBe(true)
  })
})
