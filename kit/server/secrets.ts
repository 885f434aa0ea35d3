import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

export type Secrets = {
  hash(purpose: string, text: string): string
  /** Hashes a text with each valid key, the current key first. After the secret has changed, the previous key is also valid. */
  hashes(purpose: string, text: string): string[]
  /** Encrypts a text using AES-256-GCM and a key derived from the secret, so that it cannot be read from the table. */
  seal(text: string): string
  /** @throws if the text was encrypted with neither the current nor the previous key */
  open(sealed: string): string
  /** Like `seal`, but with a key that outlives the secret, for text that stays in a table for years. */
  sealKept(purpose: StoredKeyPurpose, text: string): string
  /** @throws if the text was not encrypted for this purpose */
  openKept(purpose: StoredKeyPurpose, sealed: string): string
  /** Re-encrypts the text with the current key. Returns `null` if it already uses that key, or if no key decrypts it. */
  reseal(sealed: string): string | null
  hasPrevious: boolean
}

/** Purposes whose hashes and encrypted texts may outlive the configured secret. Their keys are random and stored in the database. */
export const storedKeyPurposes = ['address', 'device', 'puk', 'voucher'] as const
export type StoredKeyPurpose = (typeof storedKeyPurposes)[number]

type AdditionalKeys = {
  previous?: string | null
  /** Stored keys by purpose. New hashes use each purpose's first key. */
  kept?: Record<StoredKeyPurpose, Buffer[]>
}

export const deriveKey = (secretKey: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32))

export function createSecrets(secretKey: string, { previous = null, kept }: AdditionalKeys = {}): Secrets {
  const secretKeys = previous === null ? [secretKey] : [secretKey, previous]
  const [sealing = Buffer.of(), ...before] = secretKeys.map((secret) => deriveKey(secret, 'seal'))
  const derivedKeys = new Map<string, Buffer[]>(kept && Object.entries(kept))
  function getKeysForPurpose(purpose: string): Buffer[] {
    const known = derivedKeys.get(purpose) ?? secretKeys.map((secret) => deriveKey(secret, purpose))
    derivedKeys.set(purpose, known)
    return known
  }
  const hashes = (purpose: string, text: string): string[] =>
    getKeysForPurpose(purpose).map((key) => createHmac('sha256', key).update(text).digest('hex'))
  return {
    hasPrevious: before.length > 0,
    hashes,
    hash: (purpose, text) => hashes(purpose, text)[0] ?? '',
    seal: (text) => sealWithKey(sealing, text),
    open: (sealed) => decryptOrThrow([sealing, ...before], sealed),
    sealKept: (purpose, text) => sealWithKey(getKeysForPurpose(purpose)[0] ?? sealing, text),
    openKept: (purpose, sealed) => decryptOrThrow(getKeysForPurpose(purpose), sealed),
    reseal(sealed) {
      if (decryptWithAnyKey([sealing], sealed) !== null) return null
      const text = decryptWithAnyKey(before, sealed)
      return text === null ? null : sealWithKey(sealing, text)
    },
  }
}

function sealWithKey(key: Buffer, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64')
}

function decryptOrThrow(keys: Buffer[], sealed: string): string {
  const text = decryptWithAnyKey(keys, sealed)
  if (text === null) throw new Error('it was sealed under another key')
  return text
}

function decryptWithAnyKey(keys: Buffer[], sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64')
  for (const key of keys) {
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
      decipher.setAuthTag(bytes.subarray(-16))
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8')
    } catch {
      // Decryption fails if the text was encrypted with a different key, altered, or never encrypted at all.
    }
  }
  return null
}

export const generateToken = (): string => randomBytes(32).toString('base64url')

/** Returns the form in which the database stores a token. Tokens are random and long, so a plain hash is enough. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex')

export function isEqualConstantTime(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
