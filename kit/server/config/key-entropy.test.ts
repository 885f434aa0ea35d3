import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { estimateEntropyBits } from './key-entropy.ts'

const many = (make: () => string): number => Math.min(...Array.from({ length: 300 }, () => estimateEntropyBits(make())))

describe('entropy of random keys', () => {
  test.each(['hex', 'base64', 'base64url'] as const)(
    'a random key of 32 bytes in %s takes more than 80 bits to guess',
    (form) => expect(many(() => randomBytes(32).toString(form))).toBeGreaterThan(80),
  )
  test('a random key of 16 bytes in hexadecimal takes more than 40 bits to guess', () =>
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
])('the key %s takes fewer than 20 bits to guess', (key) => expect(estimateEntropyBits(key)).toBeLessThan(20))
