import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createSecrets,
  hashToken,
  type StoredKeyPurpose,
  storedKeyPurposes,
  generateToken,
  isEqualConstantTime,
} from './secrets.ts'

const secrets = createSecrets('one secret of the configuration')
const others = createSecrets('another secret')

test('decrypting an encrypted text returns the original, and encrypting it twice gives different results', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const sealed = secrets.seal(text)
      expect(secrets.open(sealed)).toBe(text)
      expect(secrets.seal(text)).not.toBe(sealed)
    }),
  )
})

test('only the key that encrypted a text can decrypt it', () =>
  expect(() => others.open(secrets.seal('a card'))).toThrow())

test('an encrypted text with any changed byte cannot be decrypted', () => {
  const bytes = Buffer.from(secrets.seal('a card'), 'base64')
  fc.assert(
    fc.property(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const tampered = Buffer.from(bytes)
      tampered[at] = (tampered[at] ?? 0) ^ flip
      expect(() => secrets.open(tampered.toString('base64'))).toThrow()
    }),
  )
})

test.each(['', 'AAAA', 'not base64 at all'])('cannot decrypt %o, which was never encrypted', (text) =>
  expect(() => secrets.open(text)).toThrow(),
)

test('a keyed hash is the same only for the same purpose, text and key', () => {
  const hash = secrets.hash('voucher', 'ABCDEFGHJKMN')
  expect(hash).toMatch(/^[\da-f]{64}$/)
  expect(createSecrets('one secret of the configuration').hash('voucher', 'ABCDEFGHJKMN')).toBe(hash)
  expect(secrets.hash('session', 'ABCDEFGHJKMN')).not.toBe(hash)
  expect(secrets.hash('voucher', 'ABCDEFGHJKMM')).not.toBe(hash)
  expect(others.hash('voucher', 'ABCDEFGHJKMN')).not.toBe(hash)
})

test('a token has 256 random bits and needs no encoding in a URL or a cookie', () => {
  const tokens = Array.from({ length: 1_000 }, generateToken)
  expect(new Set(tokens).size).toBe(1_000)
  for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/)
  expect(hashToken(tokens[0] ?? '')).not.toBe(hashToken(tokens[1] ?? ''))
})

test('isSameText returns true only for identical strings', () => {
  expect(isEqualConstantTime('kōwhai', 'kōwhai')).toBe(true)
  expect(isEqualConstantTime('kōwhai', 'kowhai')).toBe(false)
  expect(isEqualConstantTime('a', 'ab')).toBe(false)
  expect(isEqualConstantTime('', '')).toBe(true)
})

test('a text encrypted with a stored key can be decrypted after SECRET_KEY has changed, but only for its own purpose', () => {
  const kept = Object.fromEntries(storedKeyPurposes.map((purpose) => [purpose, [randomBytes(32)]])) as Record<
    StoredKeyPurpose,
    Buffer[]
  >
  const sealed = createSecrets('one secret of the configuration', { kept }).sealKept('puk', '12345678')
  const rotatedTwice = createSecrets('a third secret of the configuration', { kept })
  expect(rotatedTwice.openKept('puk', sealed)).toBe('12345678')
  expect(() => rotatedTwice.openKept('voucher', sealed)).toThrow('another key')
  expect(() => rotatedTwice.open(sealed)).toThrow('another key')
})
