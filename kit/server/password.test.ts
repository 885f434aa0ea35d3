import { expect, test } from 'vitest'
import { createSeededPasswords, getSaltPrefix } from './password.ts'

const { hash, verify, decoy } = createSeededPasswords('the seed of a test')
const ana = 'ana@example.nz'

test('a password matches its own hash and no other', async () => {
  const made = await hash('korimako1', ana)
  expect(await verify('korimako1', made)).toBe(true)
  expect(await verify('korimako2', made)).toBe(false)
  expect(await verify('Korimako1', made)).toBe(false)
  expect(await verify('korimako1 ', made)).toBe(false)
  expect(await verify('', made)).toBe(false)
})

test('hashes with argon2id at a cost that OWASP recommends, and derives the salt from the email address', async () => {
  const [one, again, other] = await Promise.all([
    hash('korimako1', ana),
    hash('korimako1', ana),
    hash('korimako1', 'mere@example.nz'),
  ])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(again).toBe(one)
  expect(other).not.toBe(one)
  expect(getSaltPrefix(other)).not.toBe(getSaltPrefix(one))
})

test('the decoy hash costs as much to verify as a real one, and no password matches it', async () => {
  const settings = (text: string) => text.split('$').slice(0, 4)
  expect(settings(decoy)).toEqual(settings(await hash('korimako1', ana)))
  expect(await verify('korimako1', decoy)).toBe(false)
  const quick = createSeededPasswords('the seed of a test', { memory: 8, passes: 1 })
  expect(settings(quick.decoy)).toEqual(settings(await quick.hash('korimako1', ana)))
  expect(settings(quick.decoy)).not.toEqual(settings(decoy))
})

test('a different installation computes a different hash for the same password', async () => {
  expect(await createSeededPasswords('another seed').hash('korimako1', ana)).not.toBe(await hash('korimako1', ana))
})

test('rejects a password that differs only in a non-ASCII character', async () => {
  const made = await hash('pāua🐚shell', ana)
  expect(await verify('pāua🐚shell', made)).toBe(true)
  expect(await verify('paua🐚shell', made)).toBe(false)
})

// This hash comes from the reference implementation's tests. Any Argon2id library reads and writes this format.
test('verifies a hash that a different argon2id library created', async () => {
  const made = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  expect(await verify('password', made)).toBe(true)
  expect(await verify('Password', made)).toBe(false)
})

test.each([
  '',
  'korimako1',
  '$argon2id$',
  '$2b$12$abcdefghijklmnopqrstuv',
  '$argon2i$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8',
])('no password matches %o, which is not a valid hash', async (malformed) =>
  expect(await verify('korimako1', malformed)).toBe(false),
)
