import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '#kit/server/db.ts'
import type { NetworkSimulator } from '#simulators/network/simulator.ts'
import type { DemoMessage } from '#demo/mailbox.ts'
import type { SimBehaviour } from '#demo/tables.ts'
import { reconcile } from './reconciliation.ts'
import { makeDatabase, type TestDatabase } from './database.ts'
import { endLeases } from './end-leases.ts'
import { createDataFolder } from './data-folder.ts'
import { findFreePort } from '#kit/server/free-port.ts'
import type { Place } from './activation-journey.ts'
import { type CallName, startKillTestSimulators } from './kill-test-simulators.ts'
import { type ProductProcess, createProductProcess } from './product-process.ts'
import type { HeldRequest } from './trapping-proxy.ts'
import { pollUntil } from './poll-until.ts'
import { newVisitor, type Visitor } from './visitor.ts'
import type { Ledgers } from './ledgers.ts'

export type KillTestWorld = Place & {
  product: ProductProcess
  dataDir: string
  /** The database's URL; null if the database is embedded. */
  databaseUrl: string | null
  /** Returns another Fantail process on the same database, which must be PostgreSQL. The process has not been started yet. */
  anotherProduct(env?: Record<string, string>): Promise<ProductProcess>
  network: NetworkSimulator
  publicKey: string
  hold(call: CallName, when: 'before' | 'after'): HeldRequest
  setWebhooks(mode: 'hold' | 'normal'): Promise<void>
  newVoucher(wanted?: string): Promise<string>
  mailTo(address: string): Promise<DemoMessage[]>
  ledgers(): Ledgers
  storedCards(): Promise<number>
  /** Breaks Fantail's connections to its database, which must be PostgreSQL. */
  breakConnections(): Promise<void>
  auditAfterwards(): Promise<string[]>
  close(): Promise<void>
}

type DemoVoucher = { code: string; plan: string }
type DemoSim = { msisdn: string; sim_serial: string; behaviour: SimBehaviour }

type KillTestOptions = {
  env?: Record<string, string>
  /**
   * Returns the connection string that Fantail uses instead of the database's own, for example to go through a proxy. The database must be
   * PostgreSQL.
   */
  via?(databaseUrl: string): Promise<string>
  /** A database for the Fantail processes that is not on the server in `DATABASE_URL`. Its URL may change. */
  own?: Pick<TestDatabase, 'url' | 'breakConnections' | 'drop'>
}

async function takeVoucher(fixture: ReturnType<typeof createFixtures>, wanted: string): Promise<string> {
  const fits = ({ plan }: DemoVoucher): boolean => plan.includes(wanted)
  return (await fixture<DemoVoucher>('vouchers', ({ code }) => code, fits)).code
}

export async function startKillTestWorld(otherwise: KillTestOptions = {}): Promise<KillTestWorld> {
  const dataDir = createDataFolder('fantail-kill-')
  const own = otherwise.own ?? (await createOwnDatabase())
  const port = await findFreePort()
  const simulators = await startKillTestSimulators(dataDir, port)
  const env = {
    DATA_DIR: join(dataDir, 'product'),
    LOG_LEVEL: 'error',
    LEASE_SECONDS: '1',
    ...simulators.env,
    ...(own && { DATABASE_URL: (await otherwise.via?.(own.url)) ?? own.url }),
    ...otherwise.env,
  }
  const product = createProductProcess({ ...env, PORT: String(port) })
  const otherProcesses: ProductProcess[] = []
  const fixtureClient = newVisitor(product.url)
  const fixture = createFixtures(fixtureClient)
  await product.start()

  return {
    product,
    dataDir: env.DATA_DIR,
    databaseUrl: own?.url ?? null,
    network: simulators.network,
    publicKey: simulators.env['CARD_PUBLIC_KEY'] ?? '',
    ledgers: simulators.ledgers,
    storedCards: simulators.storedCards,
    async anotherProduct(besides = {}) {
      const other = createProductProcess({ ...env, PORT: String(await findFreePort()), ...besides })
      otherProcesses.push(other)
      return other
    },
    hold: simulators.hold,
    setWebhooks: simulators.setWebhooks,
    visitor: () => newVisitor(product.url),
    async newSim(behaviour = 'ok') {
      const sim = await fixture<DemoSim>(
        'sims',
        ({ msisdn }) => msisdn,
        (each) => each.behaviour === behaviour,
      )
      return { msisdn: sim.msisdn, sim_serial: sim.sim_serial, iccid: '' }
    },
    newVoucher: (wanted = '') => takeVoucher(fixture, wanted),
    card: (holderName = 'Ana Rewi', number) => simulators.card(holderName, number),
    mailTo: async (address) => (await fixtureClient.get(`/demo/api/messages/?to=${encodeURIComponent(address)}`)).body,
    breakConnections: async () => own?.breakConnections(),
    async auditAfterwards() {
      await pollUntil(simulators.isTold)
      const books = own ? { url: own.url } : { folder: env.DATA_DIR }
      return auditUntilDone(product, otherProcesses.length === 0 ? own : null, () => audit(books, simulators.ledgers()))
    },
    async close() {
      await Promise.all([product, ...otherProcesses].map((each) => each.kill()))
      await simulators.close()
      await own?.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function createOwnDatabase(): Promise<TestDatabase | null> {
  const server = process.env['DATABASE_URL']
  return server ? makeDatabase(server) : null
}

/**
 * Repeats the audit until there are no faults, for a minute at most. If the delivery of an email was cut off, the email is sent again once
 * its lease has ended. All leases in the database `leasesIn` are ended after the first audit. Later leases are left alone, because a row
 * that is leased for too long is a fault.
 */
async function auditUntilDone(
  product: ProductProcess,
  leasesIn: Pick<TestDatabase, 'url'> | null,
  audit: () => Promise<string[]>,
): Promise<string[]> {
  const end = performance.now() + 60_000
  for (let round = 1; ; round++) {
    await product.stop()
    const faults = await audit()
    if (faults.length === 0 || performance.now() > end) return faults
    if (leasesIn && round === 1) await endLeases(leasesIn.url)
    await product.start()
    await pause(1_000)
  }
}

async function audit(where: Parameters<typeof openDatabase>[0], ledgers: Ledgers): Promise<string[]> {
  const books = await openDatabase(where)
  try {
    return await reconcile(books.db, ledgers)
  } finally {
    await books.close()
  }
}

function createFixtures(passerBy: Visitor) {
  const taken = new Set<string>()
  return async function <T>(
    shelf: 'sims' | 'vouchers',
    nameOf: (item: T) => string,
    isWanted: (item: T) => boolean = () => true,
  ): Promise<T> {
    const items: T[] = (await passerBy.get('/demo/api/fixtures/')).body[shelf]
    const found = items.find((item) => isWanted(item) && !taken.has(nameOf(item)))
    if (!found) throw new Error(`no more ${shelf}`)
    taken.add(nameOf(found))
    return found
  }
}
