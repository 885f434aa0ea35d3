import { expect, test } from 'vitest'
import { passwordMessages } from '../contract/password.ts'
import { findPasswordFault } from './password-rule.ts'

const owner = { email: 'pipi.kauri@example.nz', names: ['Ngaio', 'Smith'] }

// Each of these passwords breaks one rule and, where possible, also the rules that are checked after it.
test.each([
  ['abc1', passwordMessages.short],
  ['1'.repeat(201), passwordMessages.long],
  ['123456', passwordMessages.letter],
  ['ngaio1', passwordMessages.personal],
  ['abc123', passwordMessages.common],
])('reports a single fault for the password %s', (password, message) =>
  expect(findPasswordFault(password, owner)).toBe(message),
)

test.each([
  'password',
  'PassWord',
  'qwerty123',
  'QWERTY123',
  'iloveyou',
  'password1',
  'trustno1',
  '1q2w3e4r',
  'starwars',
  'welcome1',
])('rejects %s as one of the most common passwords, regardless of case', (password) =>
  expect(findPasswordFault(password, owner)).toBe(passwordMessages.common),
)

test.each(['korimako1', 'password of a tui', 'correct horse battery staple', 'pāua🐚🐚', 'copenhag'])(
  'accepts the password %s',
  (password) => expect(findPasswordFault(password, owner)).toBeNull(),
)

test("reports that a common password contains the owner's name, rather than that it is common", () => {
  expect(findPasswordFault('michael', { email: 'x@example.nz', names: ['Michael', 'Jones'] })).toBe(
    passwordMessages.personal,
  )
  expect(findPasswordFault('michael', owner)).toBe(passwordMessages.common)
})
