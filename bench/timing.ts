import { randomBytes, randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#kit/server/config.ts'
import { transact } from '#kit/server/db.ts'
import { hashPassword } from '#kit/server/password.ts'
import { insertUser, markVerified } from '#features/auth/server/users.store.ts'
import { start } from '#app/start.ts'
import { until } from '#testing/until.ts'
import { newEmail, newVisitor, type Visitor } from '#testing/visitor.ts'
import { compare, faultsOf, type Timings } from './medians.ts'

// Fails when a call tells by its time whether an address has an account: medians of 30 calls each, taken in turns, on a
// product with a database of its own. Every call comes from an address that nobody has used, so that no limit stops it.

const rounds = 30
const warmUp = 5
const minutes = 4

const overdue = setTimeout(() => {
  console.error(`After ${minutes} minutes this is not done.`)
  process.exit(1)
}, minutes * 60_000)

const dataDir = mkdtempSync(join(tmpdir(), 'fantail-timing-'))
const product = await start(readConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error', TRUSTED_PROXIES: '127.0.0.1' }), { pages: 'none' })
try {
  const comparisons = []
  for (const { call, prepare } of calls()) {
    const comparison = compare(await measure(call, await prepare()))
    comparisons.push(comparison)
    if (comparisons.length === 1) console.log('unknown   known   ratio   ms, medians')
    const { unknown, known, ratio } = comparison
    console.log(`${unknown.toFixed(1).padStart(7)} ${known.toFixed(1).padStart(7)} ${ratio.toFixed(2).padStart(7)}   ${call}`)
  }
  const faults = faultsOf(comparisons)
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length > 0 ? 1 : 0
} finally {
  await product.close()
  rmSync(dataDir, { recursive: true, force: true })
  clearTimeout(overdue)
}

type Ask = (email: string) => Promise<Attempt>
/** A call that is about to leave: everything before it is done and not measured. */
type Attempt = { visitor: Visitor; path: string; body: object; expected: number }

function calls(): { call: string; prepare(): Promise<Ask> }[] {
  return [
    {
      call: 'login',
      prepare: async () => async (email) => ({ ...(await opened('/api/account/login/')), body: { username: email, password: 'not theirs 1' }, expected: 400 }),
    },
    {
      call: 'password reset request',
      prepare: async () => async (email) => ({ ...(await opened('/api/account/password_reset_request/')), body: { email }, expected: 200 }),
    },
    {
      call: 'activation signup',
      async prepare() {
        const visitor = newVisitor(product.url)
        const { sims } = (await visitor.get('/demo/api/fixtures/')).body
        const sim = await visitor.post('/api/activate/sim/', { ...sims[0], setup_porting: false }, from())
        if (sim.status !== 200) throw new Error(`the SIM step answered ${sim.status}`)
        const body = { full_name: 'Ana Rewi', password: 'korimako1', marketing_consent: true }
        return async (email) => ({ visitor, path: '/api/activate/signup/', body: { ...body, email }, expected: 200 })
      },
    },
    {
      call: 'change e-mail',
      async prepare() {
        const password_hash = await hashPassword('korimako1')
        return async (email) => {
          const visitor = newVisitor(product.url)
          const { status } = await visitor.post('/api/account/login/', { username: await newAccount(password_hash), password: 'korimako1' }, from())
          if (status !== 200) throw new Error(`login answered ${status}`)
          return { visitor, path: '/api/account/update_email/', body: { new_email: email }, expected: 200 }
        }
      },
    },
  ]
}

async function measure(call: string, ask: Ask): Promise<Timings> {
  const timings = { call, unknown: [] as number[], known: [] as number[] }
  const password_hash = await hashPassword('the one they have 1')
  for (let round = -warmUp; round < rounds; round++) {
    // Each goes first as often as the other.
    for (const kind of round % 2 === 0 ? (['unknown', 'known'] as const) : (['known', 'unknown'] as const)) {
      const { visitor, path, body, expected } = await ask(kind === 'known' ? await newAccount(password_hash) : newEmail())
      await quiet()
      const start = performance.now()
      const { status } = await visitor.post(path, body, from())
      const took = performance.now() - start
      if (status !== expected) throw new Error(`${call} answered ${status} for an address that is ${kind}`)
      if (round >= 0) timings[kind].push(took)
    }
  }
  return timings
}

/** What the calls before have left to the worker would take its time from this one. */
async function quiet(): Promise<void> {
  await until(async () => (await product.deps.jobs.unfinished()) === 0)
}

/** Somebody new who has opened the portal. */
async function opened(path: string): Promise<{ visitor: Visitor; path: string }> {
  const visitor = newVisitor(product.url)
  await visitor.get('/api/account/')
  return { visitor, path }
}

/** The address of somebody who has an account, confirmed. */
async function newAccount(password_hash: string): Promise<string> {
  const email = newEmail()
  const now = product.deps.clock.now()
  await transact(product.deps.db, async (trx) => {
    const id = await insertUser(trx, { email, password_hash, first_name: 'Mere', last_name: 'Kauri', marketing_consent: false, made_by_order: null }, now)
    if (id) await markVerified(trx, id, email, now)
  })
  return email
}

/** An address nobody has called from, as the product's own proxy would report it. */
function from(): Record<string, string> {
  return { 'x-forwarded-for': `2001:db8:${randomBytes(2).toString('hex')}:${randomInt(1, 0xffff).toString(16)}::1` }
}
