import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** Keys for single purposes, all derived from the one secret of the configuration. */
export type Secrets = {
  /** Keyed hash, hex: for codes that must be found again but not read. */
  hash(purpose: string, text: string): string
  /** AES-256-GCM under the configuration's key; what it seals cannot be read from the table. */
  seal(text: string): string
  /** @throws when it was not sealed by this key */
  open(sealed: string): string
}

export function createSecrets(secretKey: string): Secrets {
  const keyFor = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32))
  const sealing = keyFor('seal')
  return {
    hash: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest('hex'),
    seal(text) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce)
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64')
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64')
      const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(-16))
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8')
    },
  }
}

/** 256 random bits, URL-safe. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** What the database keeps of a token. Tokens are random and long: a plain hash is enough. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
