import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realNow } from '#kit/server/clock.ts'
import { openDatabase, transact } from '#kit/server/db.ts'
import { migrate } from '#kit/server/migrate.ts'
import { createPasswords } from '#kit/server/password.ts'
import { insertUser, markEmailVerified } from '#features/auth/server/users.store.ts'
import { findFreePort } from '#kit/server/free-port.ts'
import { createProductProcess } from '#quality/support/product-process.ts'
import { newEmail, newVisitor, type Visitor } from '#quality/support/visitor.ts'
import { compareMedians, type Comparison, findMedianFaults, type CallTimings } from './medians.ts'

/*
 * This program fails if a response time reveals whether an email address has an account. It alternates between known and unknown addresses
 * and compares the medians of 30 requests each. Fantail runs in a separate process on a new database, and every request comes from a client
 * address that has not been used before, so no rate limit applies. Everything is measured three times: a busy machine won't distort all
 * three measurements, but a leak will show in every one.
 */

const roundCount = 30
const warmUpRounds = 5
const measurementCount = 3
const maxMinutes = 8
const claimCount = 10
const password = 'korimako1'

type Call = { visitor: Visitor; path: string; body: object; expected: number }
type TimedRequest = { call: string; prepare(email: string): Promise<Call> }

const timeoutTimer = setTimeout(
  () => void end(`Stopped: not finished after ${maxMinutes} minutes.`),
  maxMinutes * 60_000,
)
const dataDir = mkdtempSync(join(tmpdir(), 'fantail-timing-'))
const product = createProductProcess({
  PORT: String(await findFreePort()),
  DATA_DIR: dataDir,
  LOG_LEVEL: 'error',
  TRUSTED_PROXIES: '127.0.0.1',
})
const known = Array.from({ length: roundCount + warmUpRounds }, newEmail)
const requesterEmails = Array.from({ length: 2 * measurementCount * (roundCount + warmUpRounds) }, newEmail)

try {
  await makeAccounts([...known, ...requesterEmails])
  await product.start()
  const comparisons: Comparison[] = []
  console.log('unknown   known   ratio   ms, medians')
  for (const question of [
    createLoginRequest(),
    createResetRequest(),
    createSignUpRequest(),
    createEmailChangeRequest(),
  ]) {
    comparisons.push(await retryTimingComparison(question))
  }
  await end(...findMedianFaults(comparisons), ...product.complaints())
} catch (error) {
  await end(String(error))
}

async function retryTimingComparison(question: TimedRequest): Promise<Comparison> {
  for (let time = 1; ; time++) {
    const comparison = compareMedians(await measureCall(question))
    const { call, unknown, known, ratio } = comparison
    console.log(
      `${unknown.toFixed(1).padStart(7)} ${known.toFixed(1).padStart(7)} ${ratio.toFixed(2).padStart(7)}   ${call}`,
    )
    if (time === measurementCount || findMedianFaults([comparison]).length === 0) return comparison
  }
}

async function end(...faults: string[]): Promise<never> {
  clearTimeout(timeoutTimer)
  for (const fault of faults) console.error(fault)
  await product.kill()
  rmSync(dataDir, { recursive: true, force: true })
  process.exit(faults.length > 0 ? 1 : 0)
}

function createLoginRequest(): TimedRequest {
  return {
    call: 'login',
    prepare: async (email) => ({
      ...(await open()),
      path: '/api/account/login/',
      body: { username: email, password: 'not theirs 1' },
      expected: 400,
    }),
  }
}

function createResetRequest(): TimedRequest {
  return {
    call: 'password reset request',
    prepare: async (email) => ({
      ...(await open()),
      path: '/api/account/password_reset_request/',
      body: { email },
      expected: 200,
    }),
  }
}

/**
 * Signs up with known and unknown addresses. Known addresses use their own password. All sign-ups share one SIM pack, because none of them
 * gets as far as paying.
 */
function createSignUpRequest(): TimedRequest {
  const person = { full_name: 'Ana Rewi', password, marketing_consent: true }
  return {
    call: 'activation signup',
    async prepare(email) {
      const { visitor } = await open()
      const { sims } = (await visitor.get('/demo/api/fixtures/')).body
      const { status } = await visitor.post('/api/activate/sim/', { ...sims[0], setup_porting: false }, from())
      if (status !== 200) throw new Error(`the SIM step answered ${status}`)
      return { visitor, path: '/api/activate/signup/', body: { ...person, email }, expected: 200 }
    },
  }
}

/**
 * Requests a change of email address. Each request comes from a different customer, because Fantail limits how many PINs an account may
 * request per day.
 */
function createEmailChangeRequest(): TimedRequest {
  return {
    call: 'change e-mail',
    async prepare(email) {
      const { visitor } = await open()
      const { status } = await visitor.post(
        '/api/account/login/',
        { username: requesterEmails.pop(), password },
        from(),
      )
      if (status !== 200) throw new Error(`a login answered ${status}`)
      return { visitor, path: '/api/account/update_email/', body: { new_email: email }, expected: 200 }
    },
  }
}

async function measureCall({ call, prepare }: TimedRequest): Promise<CallTimings> {
  const timings = { call, unknown: [] as number[], known: [] as number[] }
  for (let round = 0; round < roundCount + warmUpRounds; round++) {
    for (const kind of round % 2 === 0 ? (['unknown', 'known'] as const) : (['known', 'unknown'] as const)) {
      const { visitor, path, body, expected } = await prepare(kind === 'known' ? (known[round] ?? '') : newEmail())
      await quiet(visitor)
      const start = performance.now()
      const { status } = await visitor.post(path, body, from())
      const took = performance.now() - start
      if (status !== expected) throw new Error(`${call} answered ${status} for an address that is ${kind}`)
      if (round >= warmUpRounds) timings[kind].push(took)
    }
  }
  return timings
}

/**
 * Waits until the workers have finished anything left over from earlier requests, which would slow down the next one. The demo's clock does
 * not respond until then.
 */
async function quiet(visitor: Visitor): Promise<void> {
  const { status } = await visitor.post('/demo/api/clock/', { advance: 'PT0S' })
  if (status !== 200) throw new Error(`the clock answered ${status}`)
}

async function open(): Promise<{ visitor: Visitor }> {
  const visitor = newVisitor(product.url)
  await visitor.get('/api/account/')
  return { visitor }
}

function from(): Record<string, string> {
  const [left, right] = [randomBytes(2).toString('hex'), randomBytes(2).toString('hex')]
  return { 'x-forwarded-for': `2001:db8:${left}:${right}::1` }
}

async function makeAccounts(emails: readonly string[]): Promise<void> {
  const database = await openDatabase({ folder: dataDir })
  const { db } = database
  await migrate(database, join(import.meta.dirname, '../../db/migrations'))
  const passwords = await createPasswords(db)
  const account = { first_name: 'Mere', last_name: 'Kauri', marketing_consent: false }
  const hashForEmails = async (text: string, of: readonly string[]) =>
    new Map(await Promise.all(of.map(async (email) => [email, await passwords.hash(text, email)] as const)))
  const [hashes, claimed] = [await hashForEmails(password, emails), await hashForEmails('of another person 1', known)]
  await transact(db, async (trx) => {
    for (const email of emails) {
      const id = await insertUser(trx, { ...account, email, password_hash: hashes.get(email) ?? '' }, realNow())
      await markEmailVerified(trx, id, email, realNow())
      // Add other people's unverified accounts with the same address. They must neither slow down the response nor reveal anything.
      for (let claim = 0; claim < claimCount && known.includes(email); claim++)
        await insertUser(trx, { ...account, email, password_hash: claimed.get(email) ?? '' }, realNow())
    }
  })
  await database.close()
}
