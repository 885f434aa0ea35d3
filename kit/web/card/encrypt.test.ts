import { constants, createDecipheriv, createPrivateKey, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { decryptCard } from '#simulators/gateway/decrypt.ts'
import vector from './card-encryption.vector.json' with { type: 'json' }
import { sealCcm } from './ccm.ts'
import { encryptCard } from './encrypt.ts'
import { encryptRsa, readPublicKey } from './rsa.ts'

const pkcs8 = Buffer.from(vector.test_key_pkcs8_base64, 'base64')
const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
const now = '2026-11-21T00:00:00.000Z'
const card = {
  number: '4111 1111 1111 1111',
  cvc: '737',
  holderName: 'Jané Doe 株',
  expiryMonth: '03',
  expiryYear: '2030',
}

const encrypt = (changes: Partial<typeof card> = {}) => encryptCard(vector.public_key, { ...card, ...changes }, now)
const decrypt = (token: string, key: KeyObject = privateKey) => decryptCard(token, key, Temporal.Instant.from(now))

describe('the shared test vector for card encryption', () => {
  test('the gateway simulator decrypts the shared test vector and ignores unknown fields', () => {
    expect(decrypt(vector.token)).toEqual({
      number: '4111111111111111',
      cvc: '737',
      holderName: 'Jané Doe 株',
      expiryMonth: 3,
      expiryYear: 2030,
    })
  })

  test('a card that the portal encrypts decrypts to the same content as the shared test vector', () => {
    expect(decrypt(encrypt())).toEqual(decrypt(vector.token))
  })
})

describe('format and content of encrypted cards', () => {
  test("an encrypted card has the format that the gateway's own library uses", () => {
    const [version, wrappedKey, sealed, ...more] = encrypt().split('$')
    expect(version).toBe('adyenjs_0_1_18')
    expect(Buffer.from(wrappedKey!, 'base64')).toHaveLength(256)
    expect(Buffer.from(sealed!, 'base64').length).toBeGreaterThan(12 + 8)
    expect(more).toEqual([])
  })

  test('an encrypted card contains the six card fields as typed, and the time', () => {
    expect(openWithNode(encrypt())).toEqual({ ...card, generationtime: now })
  })

  test("an encrypted card contains none of the card object's other properties", () => {
    const token = encryptCard(vector.public_key, { ...card, address: '1 Queen Street' } as typeof card, now)
    expect(openWithNode(token)).not.toHaveProperty('address')
  })

  test('card encryption never uses an AES key or a nonce twice', () => {
    const messages = Array.from({ length: 20 }, () => encrypt().split('$'))
    expect(new Set(messages.map(([, wrappedKey]) => wrappedKey)).size).toBe(20)
    expect(new Set(messages.map(([, , sealed]) => sealed!.slice(0, 16))).size).toBe(20)
  })

  test('card encryption accepts the time as a date or as text', () => {
    expect(openWithNode(encryptCard(vector.public_key, card, new Date(now)))).toHaveProperty('generationtime', now)
    expect(() => encryptCard(vector.public_key, card, 'yesterday')).toThrow()
  })

  test('card encryption needs only getRandomValues from the browser', () => {
    const { getRandomValues } = globalThis.crypto
    vi.stubGlobal('crypto', { getRandomValues: getRandomValues.bind(globalThis.crypto) })
    vi.stubGlobal('Buffer', undefined)
    const token = encrypt()
    vi.unstubAllGlobals()
    expect(decrypt(token).number).toBe('4111111111111111')
  })
})

test('a decrypted card has the trimmed holder name, the security code and the expiry date that were encrypted', () => {
  const anyCard = fc.record({
    holderName: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((name) => name.trim() !== ''),
    cvc: fc.integer({ min: 100, max: 9999 }).map(String),
    month: fc.integer({ min: 1, max: 12 }),
    year: fc.integer({ min: 2026, max: 2041 }),
  })
  fc.assert(
    fc.property(anyCard, ({ holderName, cvc, month, year }) => {
      const opened = decrypt(encrypt({ holderName, cvc, expiryMonth: String(month), expiryYear: String(year) }))
      expect(opened).toMatchObject({ holderName: holderName.trim(), cvc, expiryMonth: month, expiryYear: year })
    }),
    { numRuns: 50 },
  )
})

test('an RSA block that begins with zeros keeps its length, and decrypts even if the zeros were dropped', () => {
  const { publicKey, privateKey: ours } = smallKeyPair()
  const key = readPublicKey(publicKey)
  const aesKey = new Uint8Array(32).fill(7)
  const block = firstBlockWithLeadingZero(() => encryptRsa(key, aesKey, randomBytes))
  expect(block).toHaveLength(key.modulusLength)

  const nonce = new Uint8Array(12)
  const message = Buffer.from(JSON.stringify({ ...card, generationtime: now }))
  const sealed = Buffer.concat([nonce, sealCcm(aesKey, nonce, message)])
  for (const wrapped of [block, block.slice(1)]) {
    const token = `adyenjs_0_1_18$${Buffer.from(wrapped).toString('base64')}$${sealed.toString('base64')}`
    expect(decrypt(token, ours)).toMatchObject({ number: '4111111111111111', holderName: card.holderName })
  }
})

test('the RSA padding has no zero byte, even when the random bytes contain zeros', () => {
  const { publicKey, privateKey: ours } = smallKeyPair()
  let draws = 0
  const mostlyZero = (length: number) => new Uint8Array(length).map(() => (draws++ % 3 === 2 ? 0xa5 : 0))
  const block = encryptRsa(readPublicKey(publicKey), new Uint8Array(32), mostlyZero)
  const message = privateDecrypt({ key: ours, padding: constants.RSA_NO_PADDING }, block)
  expect([...message.subarray(0, 2)]).toEqual([0, 2])
  expect(message.subarray(2, -33).includes(0)).toBe(false)
  expect(message.subarray(-33).every((byte) => byte === 0)).toBe(true)
})

test.each([
  '',
  '10001',
  '10001|',
  '|ABCDEF',
  '10001|ABCDEF',
  '10001|XYZ',
  `10001|${'A'.repeat(256)}|2`,
  `10001 |${'A'.repeat(256)}`,
  `x10001|${'A'.repeat(256)}`,
])('rejects the malformed public key %j', (key) => {
  expect(() => encryptCard(key, card, now)).toThrow(new Error('Malformed public key'))
})

describe('encryptCard: rejecting invalid cards', () => {
  test.each([
    ['Invalid card number', { number: '4111 1111 1111 1112' }],
    ['Invalid card number', { number: '42' }],
    ['Invalid card number', { number: '0'.repeat(21) }],
    ['Invalid security code', { cvc: '73' }],
    ['Invalid security code', { cvc: '73a' }],
    ['Invalid security code', { cvc: '737a' }],
    ['Invalid security code', { cvc: 'a737' }],
    ['Invalid security code', { cvc: '73737' }],
    ['Invalid security code', { number: '3700 000000 00002', cvc: '73737' }],
    ['Invalid security code', { number: '3700 000000 00002', cvc: '7373a' }],
    ['Invalid security code', { number: '3700 000000 00002', cvc: 'a7373' }],
    ['Invalid security code', { number: '3700 000000 00002', cvc: '737' }],
    ['Invalid expiry month', { expiryMonth: '13' }],
    ['Invalid expiry month', { expiryMonth: '00' }],
    ['Invalid expiry year', { expiryYear: '2025' }],
    ['Invalid expiry year', { expiryYear: '2042' }],
    ['Invalid expiry year', { expiryYear: '30' }],
    ['Invalid expiry year', { expiryYear: '02030' }],
    ['Invalid expiry year', { expiryYear: '2030.0' }],
    ['Invalid holder name', { holderName: ' \t' }],
  ])('card encryption throws "%s" for %j', (message, changes) =>
    expect(() => encrypt(changes)).toThrow(new Error(message)),
  )

  test.each([
    { number: '0000 0000 00' },
    { number: '0'.repeat(20) },
    { number: '3700 000000 00002', cvc: '7373' },
    { cvc: '7373' },
    { expiryMonth: '3' },
    { expiryYear: '2026' },
    { expiryYear: '2041' },
  ])('encrypts a card with %j', (changes) => expect(encrypt(changes)).toMatch(/^adyenjs_/))

  test('requires a four-digit security code only if the card number begins with 34 or 37', () =>
    expect(encrypt({ number: '4111 3700 0000 0005', cvc: '737' })).toMatch(/^adyenjs_/))
})

const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length))

function smallKeyPair() {
  const pair = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const { n, e } = pair.publicKey.export({ format: 'jwk' })
  const hex = (text: string) => Buffer.from(text, 'base64url').toString('hex')
  return { publicKey: `${hex(e!)}|${hex(n!)}`, privateKey: pair.privateKey }
}

function firstBlockWithLeadingZero(make: () => Uint8Array): Uint8Array {
  for (;;) {
    const block = make()
    if (block[0] === 0) return block
  }
}

// Decrypts a card without using the simulator's code, to see the message's actual content.
function openWithNode(token: string): unknown {
  const [, wrappedKey, sealedText] = token.split('$')
  const block = privateDecrypt(
    { key: privateKey, padding: constants.RSA_NO_PADDING },
    Buffer.from(wrappedKey!, 'base64'),
  )
  const sealed = Buffer.from(sealedText!, 'base64')
  const decipher = createDecipheriv('aes-256-ccm', block.subarray(-32), sealed.subarray(0, 12), { authTagLength: 8 })
  decipher.setAuthTag(sealed.subarray(-8))
  const plaintext = decipher.update(sealed.subarray(12, -8))
  decipher.final()
  return JSON.parse(plaintext.toString())
}
