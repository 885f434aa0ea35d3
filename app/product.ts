import type { MovableClock } from '#kit/server/clock.ts'
import type { Config } from '#kit/server/config.ts'
import type { Database, Db } from '#kit/server/db.ts'
import { createJobs, type Jobs } from '#kit/server/jobs.ts'
import { listen } from '#kit/server/listen.ts'
import type { Log } from '#kit/server/log.ts'
import { createPasswords, type HashCost } from '#kit/server/password.ts'
import { openSecrets } from '#kit/server/stored-keys.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import { type Thresholds, thresholds } from '#kit/server/thresholds.ts'
import type { MailSender } from '#providers/mail/mail.port.ts'
import type { SmsSender } from '#providers/sms/sms.port.ts'
import { createServerErrorForwarder } from '#features/error-reports/server/forward-server-errors.ts'
import { createAttachment } from '#features/invoices/server/invoice-file.ts'
import { isCardBeingCharged } from '#features/orders/server/payments.store.ts'
import type { FolderDifference } from '#features/plans/server/apply-folder-at-startup.ts'
import type { Catalogue } from '#features/plans/server/plans.store.ts'
import { deskAddress } from '#desk/app/start-desk-server.ts'
import { createAccountReaders } from './account-readers.ts'
import { logCertificates } from './certificate-log.ts'
import { networkCallbackPath } from './callbacks.ts'
import type { Deps } from './deps.ts'
import { createOtherLineUsageReporter } from './other-line-usage.ts'
import { type Health, serveHealth } from './health.ts'
import { planCallbacks } from './plan-callbacks.ts'
import { monitorProviders } from './monitor-providers.ts'
import { startStaffServers } from './start-staff-servers.ts'
import { openServer } from './open-server.ts'
import { type ProviderMonitor, createExternalPorts } from './external-ports.ts'
import { customerCallbacks } from './customer-callbacks.ts'
import { createProductCache } from '#features/plans/server/cached-products.ts'
import { readAlerts } from './read-alerts.ts'
import { readStoredUsage } from './read-stored-usage.ts'
import { readServices } from './read-services.ts'
import { resealAllColumns } from './reseal.ts'
import { serve, type ServedPortal, serveNotFound } from './serve.ts'
import { maintainSubscription } from './subscription.ts'
import type { Tracing } from './watching/tracing.ts'
import { type MonitoredServices, startMonitoring } from './watching/start-monitoring.ts'
import { retryQueues, workTables } from './work-tables.ts'
import { startWorker } from './worker.ts'
import { retryNow } from '#kit/server/retry-queue.ts'
import { messageQueue } from '#features/messages/server/messages.store.ts'
import { clearOrderLeases } from '#features/orders/server/order-leases.store.ts'

export type ProductOptions = ServedPortal & {
  config: Config & ServedPortal['config'] & { port: number; secretKey: string }
  database: Database
  clock: MovableClock
  mail: { sender: MailSender; from: string }
  sms: SmsSender
  hashCost?: HashCost
  /**
   * Reads the catalogue again from the provider's folder (`PROVIDER_DIR`).
   * @throws ConfigError that lists every fault in the folder
   */
  readCatalogue(): Catalogue
  folderDifference?: FolderDifference | null
  tracing?: Tracing | null
  upkeep?: readonly Upkeep[]
  thresholds?: Partial<Thresholds>
}

export type RunningProduct = {
  url: string
  operatorPort: number | null
  deskUrl: string | null
  opsPort: number | null
  deps: Deps
  close(): Promise<void>
}

/** Starts the application. The promise resolves once the server accepts requests. */
export async function startProduct(options: ProductOptions): Promise<RunningProduct> {
  const { config, database } = options
  const [serves, works, atOnce] = [config.role !== 'worker', config.role !== 'web', config.workAtOnce]
  const secrets = await openSecrets(database.db, config)
  const { app, http, away, excess, rememberBuyer } = await openServer(options, secrets)
  const monitoredServices: MonitoredServices = { deps: null, work: null, clocks: null }
  const monitoring = await startMonitoring({ ...options, excess: excess.figures }, monitoredServices)
  monitoring.hookInto(app)
  const mergedThresholds: Thresholds = { ...thresholds, ...options.thresholds }
  const providerMonitor = await monitorProviders({ db: database.db, log: app.log, away }, mergedThresholds)
  monitoredServices.clocks = providerMonitor.clocks
  for (const { hear } of monitoring.watches) providerMonitor.listen(hear)
  const jobs = createJobs(database.db, { tables: workTables, atOnce: database.embedded ? maxEmbeddedJobs : atOnce })
  const desk = config.desk && (await deskAddress(config.desk))
  const reporting = { log: app.log, noteOutage: away.note }
  const base = { secrets, jobs, ...reporting, thresholds: mergedThresholds, deskUrl: desk?.url ?? null }
  const deps = await createDeps(options, { ...base, rememberBuyer, hearing: providerMonitor })
  monitoredServices.deps = deps
  http.onFailure = (error, { requestId, route }) =>
    deps.passOnError(error, { kind: 'request', request_id: requestId, ...(route && { route }) })
  // Only one process can use an embedded database, so at start-up no other process holds an order's lease or is sending a message.
  if (database.embedded) await resumeUnfinishedWork(database.db)
  await resealAllColumns(deps)
  let closing = false
  const isWorking = works ? () => monitoredServices.work?.isTurning() === true : null
  const health: Health = { database, isWorking, isClosing: () => closing }
  serveHealth(app, health)
  if (serves) await serve(app, http, deps, options)
  else serveNotFound(app)
  logStartUp(options, app.log)

  const port = await listen(app, { ...config, settings: { host: 'HOST', port: 'PORT' } })
  const workerOptions = { ...options, ...monitoring, works, isAlone: database.embedded, away }
  monitoredServices.work = await startWorker(deps, workerOptions)
  const staffServers = await startStaffServers(deps, options, { desk, noteOutage: away.note })
  const opsPort = await monitoring.open(health)
  const subscription = serves ? maintainSubscription(deps, getCallbackUrl(config, port)) : null

  return {
    url: serves ? config.publicUrl : `http://${config.host}:${port}`,
    operatorPort: staffServers.operatorPort,
    deskUrl: desk?.url ?? null,
    opsPort,
    deps,
    async close() {
      closing = true
      subscription?.stop()
      // The HTTP server closes first, so that requests in progress can still use everything else.
      await app.close()
      await staffServers.close()
      await monitoredServices.work?.stop()
      await jobs.stop()
      await providerMonitor.stop()
      await monitoring.close()
      excess.stop()
      away.stop()
    },
  }
}

/** Maximum number of jobs that run at once on the embedded database, which has only one connection. */
const maxEmbeddedJobs = 2

const getCallbackUrl = ({ mode, publicUrl, network }: ProductOptions['config'], port: number): string =>
  `${mode === 'production' ? publicUrl : `http://127.0.0.1:${port}`}${networkCallbackPath(network.callbackSecret)}`

function logStartUp({ config, folderDifference: difference }: ProductOptions, log: Log): void {
  logCertificates(log, config.certificates)
  if (difference)
    log.warn(
      difference,
      'the provider’s folder differs from what is on sale, which stays unchanged: operator catalogue diff',
    )
}

async function createDeps(
  options: ProductOptions,
  {
    hearing,
    ...running
  }: Pick<Deps, 'secrets' | 'log' | 'noteOutage' | 'thresholds' | 'deskUrl' | 'rememberBuyer'> & {
    jobs: Jobs
    hearing: ProviderMonitor
  },
): Promise<Deps> {
  const { config, clock, provider, readCatalogue } = options
  const { db } = options.database
  const ports = createExternalPorts(options, hearing, { ...running, db })
  const products = createProductCache({ ...running, db })
  const deps: Deps = {
    ...running,
    db,
    clock,
    passwords: await createPasswords(db, options.hashCost),
    ...ports,
    passOnError: createServerErrorForwarder({ ...running, ...ports, db }),
    cardTypes: config.cardTypes,
    foreignUsage: createOtherLineUsageReporter({ db, log: running.log }),
    readCatalogue,
    market: config.market,
    issuer: provider.issuer,
    orderPrefix: provider.orderPrefix,
    brandName: provider.brand.name,
    brandShortName: provider.brand.shortName,
    colours: provider.look.colours,
    help: provider.brand.help,
    publicUrl: config.publicUrl,
    leaseSeconds: config.leaseSeconds,
    // The embedded database has only one connection, so background work there handles one item at a time.
    atOnce: options.database.embedded ? 1 : config.workAtOnce,
    numberKeptDays: config.numberKeptDays,
    ...config.tasks,
    attachmentOf: (ref) => createAttachment(deps, ref),
    outside: { cardUrl: config.card.baseUrl, networkUrl: config.network.baseUrl },
    isBeingCharged: (storedId) => isCardBeingCharged(db, storedId),
    readServices: readServices({ ...ports, market: config.market, numberKeptDays: config.numberKeptDays, products }),
    readKeptUse: readStoredUsage(products),
    readAlerts,
    accountParts: createAccountReaders({ db, clock, market: config.market }),
    ...planCallbacks(() => deps),
    ...customerCallbacks(() => deps),
    erasuresFile: config.erasuresFile,
    bootstrap: {
      layout: provider.layout,
      market: config.market,
      brand: provider.brand,
      card: { gateway: config.card.gateway, publicKey: config.card.publicKey, types: config.cardTypes },
      ...(config.mode === 'demo' && { isDemo: true }),
    },
  }
  return deps
}

/** Resumes work that an earlier process left unfinished. Safe only if no other process is running. */
async function resumeUnfinishedWork(db: Db): Promise<void> {
  await clearOrderLeases(db)
  for (const retries of retryQueues) if (retries !== messageQueue) await retryNow(db, retries)
  // A message that has already failed is not retried early; it waits for its back-off.
  await retryNow(db, messageQueue, { tries: 0 })
}
