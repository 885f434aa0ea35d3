import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a token says. Times are in ms since 1970, of this machine. */
export type Token = { id: number; clientId: string; scope: string | null; issuedAt: number; endsAt: number }

/** A token as it travels: what it says, and a signature by a secret that token server and carrier share. */
export function sealToken(token: Token, secret: string): string {
  const said = Buffer.from(JSON.stringify(token)).toString('base64url')
  return `${said}.${signatureOf(said, secret)}`
}

/** Null unless it was sealed by this secret. Whether its time is over is the reader's to see. */
export function openToken(text: string, secret: string): Token | null {
  const [said = '', signature = ''] = text.split('.')
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(said, secret))]
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null
  return JSON.parse(Buffer.from(said, 'base64url').toString()) as Token
}

const signatureOf = (said: string, secret: string): string =>
  createHmac('sha256', secret).update(said).digest('base64url')
