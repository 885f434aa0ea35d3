import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Round } from '../load-figures.ts'
import { findFreePort } from '#kit/server/free-port.ts'
import { makeDatabase } from '#quality/support/database.ts'
import type { Load } from '../load/run-load.ts'
import type { LoadProcess } from '../load/compare-reads.ts'
import { startChild } from './child-process.ts'
import type { SimulatorsEnvironment, SimulatorsRequest } from './simulators-process.ts'
import { type BenchProduct, type ProductOptions, startProduct } from './product.ts'

export type Where = 'postgres' | 'embedded'

export type Place = { url: string } | { folder: string }

export type BenchWorld = {
  where: Where
  /** The PostgreSQL server's URL; null if the database is embedded. */
  server: string | null
  home: string
  place: Place
  secretKey: string
  outside: SimulatorsEnvironment
  load: LoadProcess
  start(options?: ProductOptions & { databaseUrl?: string }): Promise<BenchProduct>
  startWorker(): Promise<BenchProduct>
  alsoEnds(end: () => Promise<void>): void
  close(): Promise<void>
}

/**
 * Starts an empty world for benchmarks: simulators, and a database, either on the PostgreSQL server at `serverUrl` or embedded. The gateway
 * and the network respond after `answersAfterMs` milliseconds, or immediately if that is not given.
 */
export async function startBenchWorld(
  serverUrl: string | null,
  { answersAfterMs }: Pick<SimulatorsRequest, 'answersAfterMs'> = {},
): Promise<BenchWorld> {
  const home = mkdtempSync(join(tmpdir(), 'fantail-bench-'))
  const own = serverUrl ? await makeDatabase(serverUrl, { empty: true }) : null
  const [port, folder] = [await findFreePort(), join(home, 'product')]
  const providers = startChild<SimulatorsRequest, SimulatorsEnvironment>('world/simulators-process.ts')
  const load = startChild<Load, Round>('load/process.ts')
  const products: BenchProduct[] = []
  const ends: (() => Promise<void>)[] = []
  async function close(): Promise<void> {
    await Promise.all(products.map((product) => product.stop()))
    await Promise.all([providers.end(), load.end(), ...ends.map((end) => end())])
    await own?.drop()
    rmSync(home, { recursive: true, force: true })
  }
  try {
    const providerSettings = await providers.ask({ home, productPort: port, ...(answersAfterMs && { answersAfterMs }) })
    const secretKey = randomBytes(32).toString('hex')
    const env = {
      ...usual,
      ...providerSettings,
      SECRET_KEY: secretKey,
      PORT: String(port),
      DATA_DIR: folder,
      ...(own && ({ DATABASE_URL: own.url } as Record<string, string>)),
    }
    const begin = async (env: Parameters<typeof startProduct>[0], options?: ProductOptions): Promise<BenchProduct> => {
      const product = await startProduct(env, options)
      products.push(product)
      return product
    }
    return {
      where: own ? 'postgres' : 'embedded',
      server: serverUrl,
      home,
      place: own ? { url: own.url } : { folder },
      secretKey,
      outside: providerSettings,
      load,
      start: ({ databaseUrl, ...options } = {}) =>
        begin({ ...env, ...(databaseUrl && { DATABASE_URL: databaseUrl }) }, options),
      startWorker: async () =>
        begin({ ...env, ROLE: 'worker', PORT: String(await findFreePort()), DATA_DIR: join(home, 'worker') }),
      alsoEnds: (end) => void ends.push(end),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Settings for every Fantail process. It logs only warnings, not every request, and distinguishes clients by the address that they state in
 * a header.
 */
const usual: Record<string, string> = { LOG_LEVEL: 'warn', TRUSTED_PROXIES: '127.0.0.1', DEMO_CUSTOMERS: 'none' }
