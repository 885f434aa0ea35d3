import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './password.ts'

test('a password matches its own hash and no other', async () => {
  const hash = await hashPassword('korimako1')
  expect(await verifyPassword('korimako1', hash)).toBe(true)
  expect(await verifyPassword('korimako2', hash)).toBe(false)
  expect(await verifyPassword('Korimako1', hash)).toBe(false)
  expect(await verifyPassword('korimako1 ', hash)).toBe(false)
  expect(await verifyPassword('', hash)).toBe(false)
})

test('it is argon2id with a salt of its own, at a cost that OWASP recommends', async () => {
  const [one, other] = await Promise.all([hashPassword('korimako1'), hashPassword('korimako1')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(one).not.toBe(other)
})

test('letters beyond ASCII count', async () => {
  const hash = await hashPassword('pāua🐚shell')
  expect(await verifyPassword('pāua🐚shell', hash)).toBe(true)
  expect(await verifyPassword('paua🐚shell', hash)).toBe(false)
})

// From the reference implementation's own tests: any argon2id library reads and writes the same.
test('a hash that somebody else made is understood', async () => {
  const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  expect(await verifyPassword('password', hash)).toBe(true)
  expect(await verifyPassword('Password', hash)).toBe(false)
})

test.each(['', 'korimako1', '$argon2id$', '$2b$12$abcdefghijklmnopqrstuv', '$argon2i$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8'])(
  '%o is no hash and matches nothing',
  async (hash) => expect(await verifyPassword('korimako1', hash)).toBe(false),
)
