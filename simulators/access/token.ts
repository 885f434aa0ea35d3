import { createHmac, timingSafeEqual } from 'node:crypto'

/** The contents of an access token. Times are in milliseconds since 1970 by this machine's clock. */
export type Token = { id: number; clientId: string; scope: string | null; issuedAt: number; endsAt: number }

export function signToken(token: Token, secret: string): string {
  const payload = Buffer.from(JSON.stringify(token)).toString('base64url')
  return `${payload}.${computeSignature(payload, secret)}`
}

/** Verifies a token's signature and returns `null` if it is invalid. Callers must check for themselves whether the token has expired. */
export function verifyToken(text: string, secret: string): Token | null {
  const [payload = '', signature = ''] = text.split('.')
  const [given, right] = [Buffer.from(signature), Buffer.from(computeSignature(payload, secret))]
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Token
}

const computeSignature = (said: string, secret: string): string =>
  createHmac('sha256', secret).update(said).digest('base64url')
