import { join } from 'node:path'
import { sql } from 'kysely'
import { createClock } from '#kit/server/clock.ts'
import type { Config } from '#kit/server/config.ts'
import { syncDatabaseTime } from '#kit/server/database-clock.ts'
import type { SmsConfig } from '#kit/server/config/service-configs.ts'
import type { Database, QueryListener } from '#kit/server/db.ts'
import { findFreePort } from '#kit/server/free-port.ts'
import { createSmsSender } from '#providers/sms/tmf681.ts'
import { defaultMapping } from '#providers/network/mapping.ts'
import { createCarrierAccess } from '#providers/tmf/access.ts'
import { ConfigError } from '#kit/server/config.ts'
import { type FolderDifference, applyFolderAtStartup } from '#features/plans/server/apply-folder-at-startup.ts'
import { applyCatalogueAtStartup } from '#features/plans/server/catalogue.ts'
import type { Catalogue } from '#features/plans/server/plans.store.ts'
import { recordOrderPrefix } from '#features/orders/server/order-prefixes.store.ts'
import { importDonors } from '#features/porting/server/porting.store.ts'
import { brandDomain } from '#demo/brand-domain.ts'
import { startDemo } from '#demo/demo.ts'
import { updateMessageLinks } from '#demo/origin.ts'
import { copyTemplate, fillFromTemplate } from '#demo/template.ts'
import { startBuild } from './build.ts'
import { createMailSender } from './mail-sender.ts'
import { openPreparedDatabase } from './prepare-database.ts'
import { type ProductOptions, type RunningProduct, startProduct } from './product.ts'
import { type FolderCatalogue, type Provider, readProvider, readProviderFolder } from './provider/read-provider.ts'
import { version } from './watching/start-monitoring.ts'
import type { Tracing } from './watching/tracing.ts'

const demoProvider = join(import.meta.dirname, '../demo/providers/fantail')

type StartOptions = Pick<ProductOptions, 'thresholds' | 'hashCost'> & {
  pages?: 'built' | 'dev' | 'none'
  hearQuery?: QueryListener | undefined
}

export async function start(
  config: Config,
  { pages = 'built', hearQuery, ...otherwise }: StartOptions = {},
): Promise<RunningProduct> {
  // The portal's first build takes as long as preparing the database, so the two run in parallel.
  if (pages === 'built' && config.role !== 'worker') startBuild({ desk: config.desk !== null })
  const folder = config.providerDir ?? demoProvider
  const { provider, goods } = readProviderFolder(folder, config.market)
  // If the demo's catalogue has faults, the application must stop before it opens the database.
  if (config.mode === 'demo') requireCatalogue(goods)
  if (config.mode === 'demo') copyTemplate(config)
  const { database, tracing } = await openTracedDatabase(config, hearQuery)
  if (config.mode === 'demo') await fillFromTemplate(database.db, config)
  await syncDatabaseTime(database.db)
  await importDonors(database.db, provider.donors)
  await recordOrderPrefix(database.db, provider.orderPrefix)

  // The port must be known before the server listens, because emailed links contain it.
  const port = config.port === 0 ? await findFreePort(config.host) : config.port
  const publicUrl = config.publicUrl ?? `http://localhost:${port}`
  const clockOffset = await sql<{ offset_ms: string }>`select offset_ms from clock`.execute(database.db)
  const clock = createClock(config.mode === 'demo' ? Number(clockOffset.rows[0]?.offset_ms ?? 0) : 0)
  const folderDifference = await importCatalogueFolder(config, { db: database.db, clock }, goods)
  const preparedOptions = {
    ...otherwise,
    config: { ...config, port, publicUrl },
    database,
    clock,
    provider,
    pages,
    tracing,
    readCatalogue: () => readProvider(folder, config.market).catalogue,
    folderDifference,
  }
  return config.mode === 'production'
    ? startInProduction(preparedOptions)
    : startWithDemo(preparedOptions, requireCatalogue(goods))
}

/**
 * Imports the catalogue from the provider's folder. In production, a restart never puts anything new on sale. The demo imports every change
 * to its folder.
 */
async function importCatalogueFolder(
  config: Config,
  deps: Parameters<typeof applyFolderAtStartup>[0],
  goods: FolderCatalogue,
): Promise<FolderDifference | null> {
  if (config.mode === 'production') return applyFolderAtStartup(deps, goods)
  const currentVersion = await applyCatalogueAtStartup(deps, requireCatalogue(goods))
  return currentVersion && { version: currentVersion.number, faults: [] }
}

/** Returns the folder's catalogue. @throws ConfigError if the catalogue has faults */
function requireCatalogue(goods: FolderCatalogue): Catalogue {
  if ('faults' in goods) throw new ConfigError(goods.faults)
  return goods.catalogue
}

type PreparedOptions = Omit<ProductOptions, 'config' | 'mail' | 'sms' | 'extend' | 'upkeep'> & {
  config: Config & { port: number; publicUrl: string }
}

async function startInProduction(prepared: PreparedOptions): Promise<RunningProduct> {
  const { secretKey, card, network, mail, sms } = prepared.config
  if (!secretKey || !card || !network || !mail || !sms) throw new Error('the configuration was not checked')
  const product = await startProduct({
    ...prepared,
    config: { ...prepared.config, secretKey, card, network },
    mail: { sender: createMailSender(mail, { requireTls: true }), from: mail.from },
    sms: createSmsSenderFromConfig(sms),
  })
  return { ...product, close: () => product.close().finally(() => prepared.database.close()) }
}

const createSmsSenderFromConfig = (sms: SmsConfig) =>
  createSmsSender({ ...sms, access: createCarrierAccess(sms.access), timeoutMs: 15_000 })

async function startWithDemo(prepared: PreparedOptions, catalogue: Catalogue): Promise<RunningProduct> {
  const { config, database, clock, provider } = prepared
  await updateMessageLinks(database.db, { dataDir: config.dataDir, to: config.publicUrl })
  const demo = await startDemo(config, database.db, clock, {
    port: config.port,
    market: config.market,
    catalogue,
    staffDomain: brandDomain(provider.brand.shortName),
  })
  const product = await startProduct({
    ...prepared,
    // The demo's simulated network uses the default mapping. A configured network uses the mapping from the provider's folder.
    provider: config.network ? provider : { ...provider, network: defaultMapping },
    config: { ...config, ...demo.settings },
    mail: config.mail
      ? { sender: createMailSender(config.mail, { requireTls: false }), from: config.mail.from }
      : { sender: demo.mailbox.mail, from: getDemoSenderAddress(provider) },
    sms: config.sms ? createSmsSenderFromConfig(config.sms) : demo.mailbox.sms,
    extend: demo.extend,
    upkeep: demo.upkeep,
  })
  await demo.open()
  return {
    ...product,
    async close() {
      await product.close()
      await demo.close()
      await database.close()
    },
  }
}

async function openTracedDatabase(
  config: Config,
  hearQuery?: QueryListener,
): Promise<{ database: Database; tracing: Tracing | null }> {
  if (!config.tracing) return { database: await openPreparedDatabase(config, hearQuery), tracing: null }
  const { startTracing } = await import('./watching/tracing.ts')
  const tracing = startTracing(config.tracing, version)
  return { database: await openPreparedDatabase(config, tracing.hearQuery), tracing }
}

/** The sender address for the demo's emails, used instead of MAIL_FROM. */
const getDemoSenderAddress = ({ brand }: Provider): string =>
  `${JSON.stringify(brand.name)} <hello@${brandDomain(brand.shortName)}>`
