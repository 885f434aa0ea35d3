import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { argon2id, nativeArgon2id, nodeArgon2id } from './argon2id.ts'

// The expected hash is a test vector of the Argon2 reference implementation (RFC 9106).
test('computes the same hash as the Argon2 reference implementation', async () => {
  const made = await argon2id('password', {
    salt: Buffer.from('somesalt'),
    memory: 65_536,
    passes: 2,
    lanes: 1,
    bytes: 32,
  })
  expect(made.toString('base64')).toBe('CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc=')
})

test.each(['korimako1', 'pāua🐚shell', '', 'x'.repeat(200), '\0 \ud800'])(
  'Node and the native library compute the same hash for %o',
  async (password) => {
    for (const cost of [
      { memory: 8, passes: 1, lanes: 1, bytes: 32 },
      { memory: 1_024, passes: 3, lanes: 2, bytes: 24 },
    ]) {
      const settings = { salt: randomBytes(16), ...cost }
      const made = await nodeArgon2id(password, settings)
      expect(made).toHaveLength(cost.bytes)
      expect(await nativeArgon2id?.(password, settings)).toEqual(made)
    }
  },
)

test("uses the native Argon2id library, which is faster than Node's, if it is installed", () =>
  expect(argon2id).toBe(nativeArgon2id))
