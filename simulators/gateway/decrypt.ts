import { constants, createDecipheriv, privateDecrypt, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { AdyenFault } from './faults.ts'

export type DecryptedCard = { number: string; cvc: string; holderName: string; expiryMonth: number; expiryYear: number }

const envelopePattern = /^adyenjs_\d+_\d+_\d+\$([A-Za-z0-9+/]+=*)\$([A-Za-z0-9+/]+=*)$/
const aesKeyLength = 32
const nonceLength = 12
const tagLength = 8
const maxAge = Temporal.Duration.from({ hours: 24 })
// The time at which the browser encrypted a card may be ahead of the gateway's clock by up to five minutes.
const maxClockSkew = Temporal.Duration.from({ minutes: 5 })

/**
 * Decrypts a card from `adyenjs_<version>$base64(RSA(AES key))$base64(nonce ‖ AES-256-CCM ciphertext ‖ tag)`. A malformed envelope, bad
 * padding and a wrong tag all give fault 174, so that callers cannot tell which check failed. Fault 173 means that the block cannot be
 * meant for this key, and fault 175 that the decrypted content is not a JSON object.
 * @throws Fault 170 to 175
 */
export function decryptCard(encrypted: string, privateKey: KeyObject, now: Temporal.Instant): DecryptedCard {
  const [, wrappedKey, sealed] = envelopePattern.exec(encrypted) ?? []
  if (!wrappedKey || !sealed) throw new AdyenFault('174')
  const aesKey = unwrapKey(Buffer.from(wrappedKey, 'base64'), privateKey)
  const fields = parseFields(decryptCcm(aesKey, Buffer.from(sealed, 'base64')))
  checkAge(fields['generationtime'], now)
  return {
    number: getStringOrEmpty(fields['number']).replaceAll(/\s/g, ''),
    cvc: getStringOrEmpty(fields['cvc']),
    holderName: getStringOrEmpty(fields['holderName']).trim(),
    expiryMonth: Number(getStringOrEmpty(fields['expiryMonth'])),
    expiryYear: Number(getStringOrEmpty(fields['expiryYear'])),
  }
}

/**
 * Decrypts the AES key (RSAES-PKCS1-v1_5). A block encrypted for a different RSA key yields a random AES key, which cannot decrypt the
 * card.
 */
function unwrapKey(block: Buffer, privateKey: KeyObject): Buffer {
  const modulusLength = privateKey.asymmetricKeyDetails!.modulusLength! / 8
  if (block.length > modulusLength) throw new AdyenFault('173')
  // Restore leading zero bytes, which the vendor's library drops in about one of every 256 messages.
  const paddedBlock = Buffer.concat([Buffer.alloc(modulusLength - block.length), block])
  const message = decryptRaw(paddedBlock, privateKey)
  // The AES key has a fixed length, so the padding has a fixed position. Nothing has to be searched for, and the timing reveals nothing.
  const padding = message.subarray(2, -aesKeyLength - 1)
  const isWellFormed =
    message[0] === 0 && message[1] === 2 && message.at(-aesKeyLength - 1) === 0 && !padding.includes(0)
  return isWellFormed ? message.subarray(-aesKeyLength) : randomBytes(aesKeyLength)
}

function decryptRaw(block: Buffer, privateKey: KeyObject): Buffer {
  try {
    return privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, block)
  } catch {
    // The block, read as a number, is not below the modulus, so it was encrypted for a different key.
    throw new AdyenFault('173')
  }
}

function decryptCcm(aesKey: Buffer, sealed: Buffer): Buffer {
  try {
    const decipher = createDecipheriv('aes-256-ccm', aesKey, sealed.subarray(0, nonceLength), {
      authTagLength: tagLength,
    })
    decipher.setAuthTag(sealed.subarray(-tagLength))
    const plaintext = decipher.update(sealed.subarray(nonceLength, -tagLength))
    decipher.final()
    return plaintext
  } catch {
    throw new AdyenFault('174')
  }
}

function parseFields(plaintext: Buffer): Record<string, unknown> {
  try {
    const fields: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plaintext))
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields))
      return fields as Record<string, unknown>
  } catch {
    // Anything that isn't JSON results in the same fault as JSON of the wrong shape.
  }
  throw new AdyenFault('175')
}

function checkAge(generationtime: unknown, now: Temporal.Instant): void {
  if (generationtime === undefined || generationtime === null || generationtime === '') throw new AdyenFault('170')
  const generatedAt = parseGenerationTime(generationtime)
  const isTooOld = Temporal.Instant.compare(generatedAt, now.subtract(maxAge)) < 0
  const isTooFarAhead = Temporal.Instant.compare(generatedAt, now.add(maxClockSkew)) > 0
  if (isTooOld || isTooFarAhead) throw new AdyenFault('172')
}

function parseGenerationTime(text: unknown): Temporal.Instant {
  try {
    return Temporal.Instant.from(getStringOrEmpty(text))
  } catch {
    throw new AdyenFault('171')
  }
}

const getStringOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '')
