import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { estimateEntropyBits } from './key-entropy.ts'

const many = (make: () => string): number => Math.min(...Array.from({ length: 300 }, () => estimateEntropyBits(make())))

describe('estimateEntropyBits: entropy of keys', () => {
  test.each(['hex', 'base64', 'base64url'] as const)(
    'a random 32-byte key in %s has more than 80 bits of entropy',
    (form) => expect(many(() => randomBytes(32).toString(form))).toBeGreaterThan(80),
  )
  test('a random 16-byte key in hexadecimal has more than 40 bits of entropy', () =>
    expect(many(() => randomBytes(16).toString('hex'))).toBeGreaterThan(40))
})

test.each([
  '',
  'a'.repeat(64),
  'ab'.repeat(32),
  '0123456789'.repeat(5),
  'zyxwvutsrqponmlkjihgfedcba9876543210',
  'deadbeef'.repeat(8),
  'Passw0rd!'.repeat(4),
  'the quick brown fox jumps over the lazy dog',
  'fantail-production-secret-key-2026-11-22',
  '--------------------------------',
  '日本語のとても長い秘密の鍵です日本語のとても長い秘密の鍵です',
])('the key %s has fewer than 20 bits of entropy', (key) => expect(estimateEntropyBits(key)).toBeLessThan(20))
