import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { argon2id, argon2idOfLibrary, argon2idOfNode } from './argon2id.ts'

// The argon2id of RFC 9106 with lanes, memory and passes as its reference implementation's tests have them.
test('it makes what the reference implementation makes', async () => {
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
  'whoever makes it, the hash of %o is the same',
  async (password) => {
    for (const cost of [
      { memory: 8, passes: 1, lanes: 1, bytes: 32 },
      { memory: 1_024, passes: 3, lanes: 2, bytes: 24 },
    ]) {
      const settings = { salt: randomBytes(16), ...cost }
      const made = await argon2idOfNode(password, settings)
      expect(made).toHaveLength(cost.bytes)
      expect(await argon2idOfLibrary?.(password, settings)).toEqual(made)
    }
  },
)

test('the quick one is there wherever these tests run', () => expect(argon2id).toBe(argon2idOfLibrary))
