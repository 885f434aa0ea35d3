import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { decryptCard } from './decrypt.ts'
import { formatPublicKey } from './keys.ts'
import { encryptForGateway, testCard } from './test-merchant.ts'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const publicKey = formatPublicKey(privateKey)
const now = Temporal.Instant.from('2026-11-21T00:00:00Z')

const sealFields = (changes: object = {}) =>
  encryptForGateway(publicKey, JSON.stringify({ ...testCard, generationtime: now.toString(), ...changes }))
const open = (token: string) => decryptCard(token, privateKey, now)
const fault = (code: string) => expect.objectContaining({ name: 'Fault', code })

test('decrypting a card removes spaces and unknown fields', () => {
  expect(open(sealFields({ holderName: ' Jané Doe 株 ', dfValue: 'ryEG', luhnCount: '1' }))).toEqual({
    number: '4111111111111111',
    cvc: '737',
    holderName: 'Jané Doe 株',
    expiryMonth: 3,
    expiryYear: 2035,
  })
})

describe('checking the time at which a card was encrypted', () => {
  test.each([
    ['170', undefined],
    ['170', null],
    ['170', ''],
    ['171', 'yesterday'],
    ['171', 1_795_219_200_000],
    ['171', '2026-11-21'],
    ['172', '2026-11-19T23:59:59.999Z'],
    ['172', '2026-11-21T00:05:00.001Z'],
  ])('an encrypted card is rejected with code %s if its time is %j', (code, generationtime) =>
    expect(() => open(sealFields({ generationtime }))).toThrow(fault(code)),
  )

  test.each(['2026-11-20T00:00:00Z', '2026-11-21T13:00:00+13:00', '2026-11-21T00:05:00Z'])(
    'a card encrypted at %s is accepted',
    (generationtime) => expect(open(sealFields({ generationtime })).cvc).toBe('737'),
  )
})

describe('encrypted cards that have been tampered with', () => {
  const [version, wrappedKey, sealed] = sealFields().split('$') as [string, string, string]
  const flipped = (base64: string, at: number) => {
    const bytes = Buffer.from(base64, 'base64')
    bytes[bytes.length + at]! ^= 1
    return bytes.toString('base64')
  }
  const ofAnotherKey = () => {
    // With its top byte cleared, the block is below the key's modulus, so only the padding shows that it was made for a different key.
    const bytes = Buffer.from(flipped(wrappedKey, -1), 'base64').fill(0, 0, 1)
    return bytes.toString('base64')
  }

  test.each([
    ['nothing', ''],
    ['text', '4111111111111111'],
    ['an unknown prefix', `adyenan0_1_1$${wrappedKey}$${sealed}`],
    ['a missing part', `${version}$${wrappedKey}`],
    ['an additional part', `${version}$${wrappedKey}$${sealed}$${sealed}`],
    ['invalid base64', `${version}$${wrappedKey}$***`],
    ['another key block', `${version}$${flipped(wrappedKey, -1)}$${sealed}`],
    ['a block for another key', `${version}$${ofAnotherKey()}$${sealed}`],
    ['another nonce', `${version}$${wrappedKey}$${flipped(sealed, -Buffer.from(sealed, 'base64').length)}`],
    ['another ciphertext', `${version}$${wrappedKey}$${flipped(sealed, -20)}`],
    ['another tag', `${version}$${wrappedKey}$${flipped(sealed, -1)}`],
    ['a truncated message', `${version}$${wrappedKey}$${sealed.slice(0, 24)}`],
    ['only a nonce', `${version}$${wrappedKey}$AAAA`],
  ])('an encrypted card is rejected with code 174 for %s', (_what, token) =>
    expect(() => open(token)).toThrow(fault('174')),
  )
})

test('a key block is rejected with code 173 if it is longer than the key or not below its modulus', () => {
  const [version, , sealed] = sealFields().split('$')
  for (const block of [Buffer.alloc(257, 1), Buffer.alloc(256, 255)]) {
    expect(() => open(`${version}$${block.toString('base64')}$${sealed}`)).toThrow(fault('173'))
  }
})

const notJson = ['', 'number=4111', '[]', 'null', '"card"', '42', Buffer.from([0x7b, 0xff, 0x7d])]

test.each(notJson)(
  'an encrypted card that contains %j instead of a JSON object is rejected with code 175',
  (plaintext) => {
    expect(() => open(encryptForGateway(publicKey, plaintext))).toThrow(fault('175'))
  },
)
