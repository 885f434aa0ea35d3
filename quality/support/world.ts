import { randomBytes, randomInt } from 'node:crypto'
import { rmSync } from 'node:fs'
import { afterAll, beforeAll } from 'vitest'
import { readConfig } from '#kit/server/config.ts'
import type { Db } from '#kit/server/db.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import { importSims } from '#features/services/server/sim-packs.store.ts'
import { importVouchers } from '#features/vouchers/server/vouchers.store.ts'
import { start } from '#app/start.ts'
import type { Deps } from '#app/deps.ts'
import type { DemoMessage } from '#demo/mailbox.ts'
import type { SimBehaviour } from '#demo/tables.ts'
import { sealCard } from './cards.ts'
import { makeDatabase } from './database.ts'
import type { Fleet } from '#quality/multi-process/fleet.ts'
import { fleetAuthorityVariable, startFleetProduct } from '#quality/multi-process/fleet-product.ts'
import { createDataFolder } from './data-folder.ts'
import { collectStatements } from '#quality/query-plans/collect-statements.ts'
import type { Ledgers } from './ledgers.ts'
import { newMsisdn } from './numbers.ts'
import { newVisitor, type Visitor } from './visitor.ts'

export { newEmail } from './visitor.ts'

export type World = {
  url: string
  operatorPort: number | null
  deskUrl: string | null
  fleet: Fleet | null
  opsPort: number | null
  deps: Deps
  db: Db
  visitor(): Visitor
  newSim(behaviour?: SimBehaviour): Promise<{ msisdn: string; sim_serial: string; iccid: string }>
  newVoucher(plan?: string): Promise<string>
  card(holderName?: string, number?: string): string
  mailTo(address: string): Promise<DemoMessage[]>
  /** Returns the text messages sent to a number, newest first. */
  smsTo(msisdn: string): Promise<DemoMessage[]>
  ledgers(): Promise<Ledgers>
  advance(duration: string): Promise<void>
  close(): Promise<void>
}

type WorldOptions = {
  pages?: 'none' | 'built'
  env?: Record<string, string>
  thresholds?: Partial<Thresholds>
  hashing?: 'quick' | 'real'
}

/** Settings for a demo that has a fast network and no demo customers. */
const fastDemoEnvironment = {
  PORT: '0',
  LOG_LEVEL: 'error',
  DEMO_CUSTOMERS: 'none',
  DEMO_STEP_MS: '25',
  DESK_PORT: 'off',
}

/** The minimum cost of argon2id. Tests hash thousands of passwords, and hardly any of them depend on the real cost. */
const cheapHashSettings = { memory: 8, passes: 1 }

/**
 * Starts a test world: Fantail with its simulators. If `DATABASE_URL` is set, the world uses PostgreSQL, with a new database unless `env`
 * names one.
 */
export async function startWorld({
  pages = 'none',
  env = {},
  thresholds = {},
  hashing = 'quick',
}: WorldOptions = {}): Promise<World> {
  const { url, fleet, product, close } = process.env[fleetAuthorityVariable]
    ? await startFleetProduct(env, { pages: pages === 'built' })
    : await startInProcess({ pages, env, thresholds, hashing })
  const { deps } = product
  const demo = newVisitor(url)

  return {
    url,
    operatorPort: product.operatorPort,
    deskUrl: product.deskUrl,
    fleet,
    opsPort: product.opsPort,
    deps,
    db: deps.db,
    visitor: () => newVisitor(url),
    async newSim(behaviour = 'ok') {
      const { msisdn, iccid } = generateSimPack(deps.market.code)
      await registerSim(deps, { iccid, msisdn, behaviour })
      await importSims(deps.db, [{ iccid, msisdn }])
      return { msisdn, sim_serial: iccid.slice(-4), iccid }
    },
    async newVoucher(plan = 'plan-30-5gb') {
      const code = randomBytes(6).toString('hex').toUpperCase()
      await importVouchers(deps.db, deps.secrets, [
        { code, productId: plan, expiresAt: deps.clock.now().add({ hours: 24 * 365 }) },
      ])
      return code
    },
    card: (holderName = 'Ana Rewi', number) =>
      sealCard(deps.bootstrap.card.publicKey, deps.clock.now(), holderName, number),
    mailTo: async (address) => (await demo.get(`/demo/api/messages/?to=${encodeURIComponent(address)}`)).body,
    smsTo: async (msisdn) => (await demo.get(`/demo/api/messages/?to=${encodeURIComponent(msisdn)}`)).body,
    ledgers: async () => (await demo.get('/demo/api/ledgers/')).body,
    async advance(duration) {
      const answer = await demo.post('/demo/api/clock/', { advance: duration })
      if (answer.status !== 200) throw new Error(`the clock answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    },
    close,
  }
}

async function startInProcess({ pages, env, thresholds, hashing }: Required<WorldOptions>) {
  const own = env['DATA_DIR'] ? null : createDataFolder()
  const server = env['DATABASE_URL'] ? undefined : process.env['DATABASE_URL']
  const database = server ? await makeDatabase(server) : null
  const place = { ...(own && { DATA_DIR: own }), ...(database && { DATABASE_URL: database.url }) }
  const config = readConfig({ ...fastDemoEnvironment, ...place, ...env })
  /*
   * Run nightly reconciliations and usage checks only in tests about them, because they would run into failures caused by other tests.
   * Don't cache the catalogue, so that a test's changes take effect immediately.
   */
  const defaultThresholds = { nightLookMs: 3_600_000, usageLooks: 0, offerKeptMs: 0 }
  const product = await start(config, {
    pages,
    thresholds: { ...defaultThresholds, ...thresholds },
    hearQuery: collectStatements(),
    ...(hashing === 'quick' && { hashCost: cheapHashSettings }),
  })
  return {
    url: product.url,
    fleet: null,
    product,
    async close() {
      await product.close()
      if (own) rmSync(own, { recursive: true, force: true })
      await database?.drop()
    },
  }
}

export function useWorld(options?: Parameters<typeof startWorld>[0]): () => World {
  let world: World | undefined
  beforeAll(async () => {
    world = await startWorld(options)
  })
  afterAll(() => world?.close())
  return () => {
    if (!world) throw new Error('the world has not started')
    return world
  }
}

function generateSimPack(country: 'NZ' | 'AU'): { msisdn: string; iccid: string } {
  const account = `032${String(randomInt(1e11)).padStart(11, '0')}${randomInt(10)}`
  return { msisdn: newMsisdn(country), iccid: `${country === 'NZ' ? 8964 : 8961}${account}` }
}

async function registerSim({ outside }: Deps, sim: object): Promise<void> {
  const response = await fetch(`${outside.networkUrl}/_simulator/sims`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([sim]),
  })
  if (!response.ok) throw new Error(`the network did not take the SIM: ${response.status}`)
}
