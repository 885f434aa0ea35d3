import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { normalisePassword } from '../contract/password.ts'
import { argon2id } from './argon2id.ts'
import type { Db } from './db.ts'
import { isEqualConstantTime } from './secrets.ts'
import { hashQueue } from './hash-queue.ts'

declare module './db.ts' {
  interface Tables {
    password_salts: { only_row: boolean; seed: string }
  }
}

/** @throws 503 if too many hashes are already waiting */
async function deriveKey(...what: Parameters<typeof argon2id>): Promise<Buffer> {
  const leave = await hashQueue.take()
  try {
    return await argon2id(...what)
  } finally {
    leave()
  }
}

/** Cost of a password hash: memory in KiB and number of passes, using one lane. */
export type HashCost = { memory: number; passes: number }

// OWASP's second recommended configuration for Argon2id.
const recommendedCost: HashCost = { memory: 19_456, passes: 2 }
const lanes = 1

/**
 * Creates and compares password hashes: Argon2id in PHC string format. All accounts with the same email address share a salt, so that a
 * login costs the same however many accounts there are. An account whose email address has changed keeps its former salt until the owner
 * next logs in.
 */
export type Passwords = {
  hash(password: string, email: string): Promise<string>
  isSame(made: string, kept: string): boolean
  /** Compares in constant time. A malformed hash never matches. */
  verify(password: string, hash: string): Promise<boolean>
  /** A hash that matches no password. Checking it takes as long as checking a real hash. */
  decoy: string
}

export async function createPasswords(db: Db, cost?: HashCost): Promise<Passwords> {
  return createSeededPasswords(
    (await db.selectFrom('password_salts').select('seed').executeTakeFirstOrThrow()).seed,
    cost,
  )
}

/**
 * Creates password hashing whose salts are derived from `seed` and the email address. Salts need not be secret, but must differ between
 * addresses.
 */
export const createSeededPasswords = (seed: string, cost: HashCost = recommendedCost): Passwords => ({
  hash: (password, email) => hashPassword(password, deriveSalt(seed, email), cost),
  isSame: isEqualConstantTime,
  verify: verifyPassword,
  decoy: formatPhc(cost, randomBytes(16), randomBytes(32)),
})

const deriveSalt = (seed: string, email: string): Buffer =>
  createHash('sha256').update(`${seed}|${email}`).digest().subarray(0, 16)

async function hashPassword(password: string, salt: Buffer, cost: HashCost): Promise<string> {
  return formatPhc(cost, salt, await deriveKey(password, { salt, bytes: 32, lanes, ...cost }))
}

const formatPhc = ({ memory, passes }: HashCost, salt: Buffer, key: Buffer): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${lanes}$${encodeUnpaddedBase64(salt)}$${encodeUnpaddedBase64(key)}`

const phcPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/

export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const match = phcPattern.exec(hash)
  if (!match) return false
  const [, memory, passes, lanes, salt = '', wanted = ''] = match
  const expectedHash = Buffer.from(wanted, 'base64')
  const key = await deriveKey(password, {
    salt: Buffer.from(salt, 'base64'),
    bytes: expectedHash.length,
    memory: Number(memory),
    passes: Number(passes),
    lanes: Number(lanes),
  })
  return timingSafeEqual(key, expectedHash)
}

/**
 * Returns the forms in which a password may have been hashed: the one that new passwords have, then the text as typed and its decomposed
 * form (Unicode NFD), from before passwords were normalised. A password of ASCII characters has only one form.
 */
export const passwordForms = (password: string): [string, ...string[]] => {
  const [normalised, ...others] = new Set([normalisePassword(password), password, password.normalize('NFD')])
  return [normalised ?? password, ...others]
}

/** Whether a hash belongs to this password in any of its forms. */
export async function verifyAnyForm(
  { verify }: Pick<Passwords, 'verify'>,
  password: string,
  hash: string,
): Promise<boolean> {
  for (const form of passwordForms(password)) if (await verify(form, hash)) return true
  return false
}

/** Returns a hash's settings and salt. Two hashes that share them can be compared without hashing again. */
export const getSaltPrefix = (hash: string): string => hash.slice(0, hash.lastIndexOf('$'))

function encodeUnpaddedBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/(?<!=)=+$/, '')
}
