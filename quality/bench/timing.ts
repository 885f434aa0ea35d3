import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realNow } from '#kit/server/clock.ts'
import { openDatabase, transact } from '#kit/server/db.ts'
import { migrate } from '#kit/server/migrate.ts'
import { createPasswords } from '#kit/server/password.ts'
import { insertUser, markVerified } from '#features/auth/server/users.store.ts'
import { freePort } from '#kit/server/free-port.ts'
import { createProductProcess } from '#quality/support/product-process.ts'
import { newEmail, newVisitor, type Visitor } from '#quality/support/visitor.ts'
import { compareMedians, type Comparison, faultsOf, type Timings } from './medians.ts'

// Fails when the time of a call reveals whether an address has an account. It compares medians of 30 calls each, taken in turns. The
// product is a separate process on a new database, and each call comes from an unused address, so that no limit stops it. A busy machine
// does not affect all three measurements, but a revealing call does.

const roundCount = 30
const warmUpRounds = 5
const measurements = 3
const maxMinutes = 8
const claimCount = 10
const password = 'korimako1'

type Call = { visitor: Visitor; path: string; body: object; expected: number }
type TimedCall = { call: string; prepare(email: string): Promise<Call> }

const timeoutTimer = setTimeout(() => void end(`After ${maxMinutes} minutes this is not done.`), maxMinutes * 60_000)
const dataDir = mkdtempSync(join(tmpdir(), 'fantail-timing-'))
const product = createProductProcess({
  PORT: String(await freePort()),
  DATA_DIR: dataDir,
  LOG_LEVEL: 'error',
  TRUSTED_PROXIES: '127.0.0.1',
})
const known = Array.from({ length: roundCount + warmUpRounds }, newEmail)
const requesterEmails = Array.from({ length: 2 * measurements * (roundCount + warmUpRounds) }, newEmail)

try {
  await makeAccounts([...known, ...requesterEmails])
  await product.start()
  const comparisons: Comparison[] = []
  console.log('unknown   known   ratio   ms, medians')
  for (const question of [login(), resetRequest(), signup(), changeEmail()]) {
    comparisons.push(await compareUntilEqual(question))
  }
  await end(...faultsOf(comparisons), ...product.complaints())
} catch (error) {
  await end(String(error))
}

async function compareUntilEqual(question: TimedCall): Promise<Comparison> {
  for (let time = 1; ; time++) {
    const comparison = compareMedians(await measureCall(question))
    const { call, unknown, known, ratio } = comparison
    console.log(
      `${unknown.toFixed(1).padStart(7)} ${known.toFixed(1).padStart(7)} ${ratio.toFixed(2).padStart(7)}   ${call}`,
    )
    if (time === measurements || faultsOf([comparison]).length === 0) return comparison
  }
}

async function end(...faults: string[]): Promise<never> {
  clearTimeout(timeoutTimer)
  for (const fault of faults) console.error(fault)
  await product.kill()
  rmSync(dataDir, { recursive: true, force: true })
  process.exit(faults.length > 0 ? 1 : 0)
}

function login(): TimedCall {
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

function resetRequest(): TimedCall {
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

/** Known addresses use their own password. Nothing is paid for, so one SIM pack is enough for all. */
function signup(): TimedCall {
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

/** Another customer asks each time, because an account is sent a limited number of PINs a day. */
function changeEmail(): TimedCall {
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

async function measureCall({ call, prepare }: TimedCall): Promise<Timings> {
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

/** The work that earlier calls left to the worker would slow this one down. The demo's clock waits for that work before it answers. */
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
  const hashesOf = async (text: string, of: readonly string[]) =>
    new Map(await Promise.all(of.map(async (email) => [email, await passwords.hash(text, email)] as const)))
  const [hashes, claimed] = [await hashesOf(password, emails), await hashesOf('of another person 1', known)]
  await transact(db, async (trx) => {
    for (const email of emails) {
      const id = await insertUser(trx, { ...account, email, password_hash: hashes.get(email) ?? '' }, realNow())
      await markVerified(trx, id, email, realNow())
      // Others claim the addresses in question, which must neither cost time nor reveal anything.
      for (let claim = 0; claim < claimCount && known.includes(email); claim++)
        await insertUser(trx, { ...account, email, password_hash: claimed.get(email) ?? '' }, realNow())
    }
  })
  await database.close()
}
