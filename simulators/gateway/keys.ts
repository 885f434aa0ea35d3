import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export function loadOrCreatePrivateKey(dataDir: string): KeyObject {
  mkdirSync(dataDir, { recursive: true })
  const file = join(dataDir, 'gateway-key.pem')
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flush: true })
  }
  return createPrivateKey(readFileSync(file))
}

/** Returns the public key as `hexExponent|hexModulus`, the format that the vendor's library expects. */
export function formatPublicKey(privateKey: KeyObject): string {
  const { e, n } = createPublicKey(privateKey).export({ format: 'jwk' })
  const hex = (text: string) => Buffer.from(text, 'base64url').toString('hex').replace(/^0+/, '').toUpperCase()
  return `${hex(e!)}|${hex(n!)}`
}

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

export const newPspReference = (): string =>
  Array.from(randomBytes(16), (byte) => alphabet[byte % alphabet.length]).join('')
