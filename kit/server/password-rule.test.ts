import { expect, test } from 'vitest'
import { passwordMessages } from '../contract/password.ts'
import { passwordFault } from './password-rule.ts'

const owner = { email: 'pipi.kauri@example.nz', names: ['Ngaio', 'Smith'] }

// Each has all that comes after it wrong, too, as far as one can.
test.each([
  ['abc1', passwordMessages.short],
  ['1'.repeat(201), passwordMessages.long],
  ['123456', passwordMessages.letter],
  ['ngaio1', passwordMessages.personal],
  ['abc123', passwordMessages.common],
])('%s is told one thing at a time', (password, message) => expect(passwordFault(password, owner)).toBe(message))

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
])('%s is among the commonest, whatever its case', (password) =>
  expect(passwordFault(password, owner)).toBe(passwordMessages.common),
)

test.each(['korimako1', 'password of a tui', 'correct horse battery staple', 'pāua🐚🐚', 'copenhag'])(
  '%s is good',
  (password) => expect(passwordFault(password, owner)).toBeNull(),
)

test('a name is refused before a common password: one who is called so learns why', () => {
  expect(passwordFault('michael', { email: 'x@example.nz', names: ['Michael', 'Jones'] })).toBe(
    passwordMessages.personal,
  )
  expect(passwordFault('michael', owner)).toBe(passwordMessages.common)
})
