import type { MovableClock } from '#kit/server/clock.ts'
import type { Config } from '#kit/server/config.ts'
import type { Database, Db } from '#kit/server/db.ts'
import { createJobs, type Jobs } from '#kit/server/jobs.ts'
import { listen } from '#kit/server/listen.ts'
import type { Log } from '#kit/server/log.ts'
import { createPasswords, type HashCost } from '#kit/server/password.ts'
import { openSecrets } from '#kit/server/kept-keys.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import { type Thresholds, thresholds } from '#kit/server/thresholds.ts'
import type { MailSender } from '#providers/mail/mail.port.ts'
import type { SmsSender } from '#providers/sms/sms.port.ts'
import { createPassOnError } from '#features/error-reports/server/own-errors.ts'
import { attachmentOf } from '#features/invoices/server/invoice-file.ts'
import { isBeingCharged } from '#features/orders/server/payments.store.ts'
import type { FolderDifference } from '#features/plans/server/catalogue-start.ts'
import type { Catalogue } from '#features/plans/server/plans.store.ts'
import { deskAddress } from '#desk/app/hear-desk.ts'
import { accountParts } from './account-parts.ts'
import { logCertificates } from './certificate-log.ts'
import { networkCallbackPath } from './callbacks.ts'
import type { Deps } from './deps.ts'
import { createForeignUsage } from './foreign-usage.ts'
import { type Health, serveHealth } from './health.ts'
import { planActs } from './plan-acts.ts'
import { hearOutside } from './hear-outside.ts'
import { hearProvider } from './hear-provider.ts'
import { openServer } from './open-server.ts'
import { type Hearing, openOutsidePorts } from './outside-ports.ts'
import { providerActs } from './provider-acts.ts'
import { keepProducts } from '#features/plans/server/kept-products.ts'
import { readAlerts } from './read-alerts.ts'
import { readKeptUse } from './read-kept-use.ts'
import { readServices } from './read-services.ts'
import { resealAll } from './reseal.ts'
import { serve, type Served, serveNothingElse } from './serve.ts'
import { maintainSubscription } from './subscription.ts'
import type { Tracing } from './watching/tracing.ts'
import { type Running, startWatching } from './watching/start-watching.ts'
import { retriedTables, workTables } from './work-tables.ts'
import { startWork } from './worker.ts'
import { retryNow } from '#kit/server/retries.ts'
import { messageRetries } from '#features/messages/server/messages.store.ts'
import { dropOrderLeases } from '#features/orders/server/order-leases.store.ts'

export type ProductOptions = Served & {
  config: Config & Served['config'] & { port: number; secretKey: string }
  database: Database
  clock: MovableClock
  mail: { sender: MailSender; from: string }
  sms: SmsSender
  hashCost?: HashCost
  /**
   * Reads the present catalogue from the provider's folder.
   * @throws ConfigFault with every fault of the folder
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

/** Resolves once the server responds. */
export async function startProduct(options: ProductOptions): Promise<RunningProduct> {
  const { config, database } = options
  const [serves, works, atOnce] = [config.role !== 'worker', config.role !== 'web', config.workAtOnce]
  const secrets = await openSecrets(database.db, config)
  const { app, http, away, excess, rememberBuyer } = await openServer(options, secrets)
  const running: Running = { deps: null, work: null, clocks: null }
  const watching = await startWatching({ ...options, excess: excess.figures }, running)
  watching.hookInto(app)
  const limits: Thresholds = { ...thresholds, ...options.thresholds }
  const outside = await hearOutside({ db: database.db, log: app.log, away }, limits)
  running.clocks = outside.clocks
  for (const { hear } of watching.watches) outside.listen(hear)
  const jobs = createJobs(database.db, { tables: workTables, atOnce: database.embedded ? atOnceEmbedded : atOnce })
  const desk = config.desk && (await deskAddress(config.desk))
  const base = { secrets, jobs, log: app.log, isAway: away.note, thresholds: limits, deskUrl: desk?.url ?? null }
  const deps = await wire(options, { ...base, rememberBuyer, hearing: outside })
  running.deps = deps
  http.onFailure = (error, { requestId, route }) =>
    deps.passOnError(error, { kind: 'request', request_id: requestId, ...(route && { route }) })
  // A process that is alone knows at its start that no other process holds an order's lease or is sending a message.
  if (database.embedded) await takeOverWork(database.db)
  await resealAll(deps)
  let closing = false
  const health: Health = {
    database,
    isWorking: works ? () => running.work?.isTurning() === true : null,
    isClosing: () => closing,
  }
  serveHealth(app, health)
  if (serves) await serve(app, http, deps, options)
  else serveNothingElse(app)
  logStart(options, app.log)

  const port = await listen(app, { ...config, settings: { host: 'HOST', port: 'PORT' } })
  running.work = await startWork(deps, { ...options, ...watching, works, isAlone: database.embedded, away })
  const people = await hearProvider(deps, options, { desk, isAway: away.note })
  const opsPort = await watching.open(health)
  const subscription = serves ? maintainSubscription(deps, callbackUrlOf(config, port)) : null

  return {
    url: serves ? config.publicUrl : `http://${config.host}:${port}`,
    operatorPort: people.operatorPort,
    deskUrl: desk?.url ?? null,
    opsPort,
    deps,
    async close() {
      closing = true
      subscription?.stop()
      // Incoming requests end first, so that a request in progress still finds everything that it needs.
      await app.close()
      await people.close()
      await running.work?.stop()
      await jobs.stop()
      await outside.stop()
      await watching.close()
      excess.stop()
      away.stop()
    },
  }
}

/** The embedded database has one connection. */
const atOnceEmbedded = 2

const callbackUrlOf = ({ mode, publicUrl, network }: ProductOptions['config'], port: number): string =>
  `${mode === 'production' ? publicUrl : `http://127.0.0.1:${port}`}${networkCallbackPath(network.callbackSecret)}`

function logStart({ config, folderDifference: difference }: ProductOptions, log: Log): void {
  logCertificates(log, config.certificates)
  if (difference)
    log.warn(
      difference,
      'the provider’s folder differs from what is on sale, which stays unchanged: npm run operator -- catalogue diff',
    )
}

async function wire(
  options: ProductOptions,
  {
    hearing,
    ...running
  }: Pick<Deps, 'secrets' | 'log' | 'isAway' | 'thresholds' | 'deskUrl' | 'rememberBuyer'> & {
    jobs: Jobs
    hearing: Hearing
  },
): Promise<Deps> {
  const { config, clock, provider, readCatalogue } = options
  const { db } = options.database
  const ports = openOutsidePorts(options, hearing, { ...running, db })
  const products = keepProducts({ ...running, db })
  const deps: Deps = {
    ...running,
    db,
    clock,
    passwords: await createPasswords(db, options.hashCost),
    ...ports,
    passOnError: createPassOnError({ ...running, ...ports, db }),
    cardTypes: config.cardTypes,
    foreignUsage: createForeignUsage({ db, log: running.log }),
    readCatalogue,
    market: config.market,
    issuer: provider.issuer,
    brandName: provider.brand.name,
    brandShortName: provider.brand.shortName,
    colours: provider.look.colours,
    help: provider.brand.help,
    publicUrl: config.publicUrl,
    leaseSeconds: config.leaseSeconds,
    // The embedded database has one connection.
    atOnce: options.database.embedded ? 1 : config.workAtOnce,
    numberKeptDays: config.numberKeptDays,
    ...config.tasks,
    attachmentOf: (ref) => attachmentOf(deps, ref),
    outside: { cardUrl: config.card.baseUrl, networkUrl: config.network.baseUrl },
    isBeingCharged: (storedId) => isBeingCharged(db, storedId),
    readServices: readServices({ ...ports, market: config.market, numberKeptDays: config.numberKeptDays, products }),
    readKeptUse: readKeptUse(products),
    readAlerts,
    accountParts: accountParts({ db, clock, market: config.market }),
    ...planActs(() => deps),
    ...providerActs(() => deps),
    erasuresFile: config.erasuresFile,
    bootstrap: {
      layout: provider.layout,
      market: config.market,
      brand: provider.brand,
      card: { gateway: config.card.gateway, publicKey: config.card.publicKey, types: config.cardTypes },
    },
  }
  return deps
}

/** Resumes work that an earlier process left unfinished. Only safe if no other process is running. */
async function takeOverWork(db: Db): Promise<void> {
  await dropOrderLeases(db)
  for (const retries of retriedTables) if (retries !== messageRetries) await retryNow(db, retries)
  // A message that has failed before keeps its back-off.
  await retryNow(db, messageRetries, { tries: 0 })
}
