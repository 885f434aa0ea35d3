import type { AddressInfo } from 'node:net'
import { formatNational } from '#kit/contract/phone.ts'
import type { MovableClock } from '#kit/server/clock.ts'
import type { Config } from '#kit/server/config.ts'
import type { Database, Db } from '#kit/server/db.ts'
import { createAwayLog } from '#kit/server/database-away.ts'
import { demoHosts } from '#kit/server/host.ts'
import { createHttp, type HttpOptions } from '#kit/server/http.ts'
import { type Jobs, startJobs } from '#kit/server/jobs.ts'
import type { Log } from '#kit/server/log.ts'
import { createPasswords } from '#kit/server/password.ts'
import { retryNow } from '#kit/server/retries.ts'
import { openSecrets } from '#kit/server/kept-keys.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import { createCardGateway } from '#providers/card/adyen.ts'
import { createSentryReporter } from '#providers/errors/sentry.ts'
import type { MailSender } from '#providers/mail/mail.port.ts'
import { failureOfPortOrder } from '#providers/network/number-port-failures.ts'
import { rollUpOf, statusOfPortOrder } from '#providers/network/number-port-status.ts'
import { createNetworkUsage } from '#providers/network/tmf-usage.ts'
import { createMobileNetwork } from '#providers/network/tmf.ts'
import { openAccess } from '#providers/tmf/access.ts'
import type { SmsSender } from '#providers/sms/sms.port.ts'
import { findContactPhone, findPhoneChange } from '#features/account/server/contact-phone.store.ts'
import type { PhoneView } from '#features/auth/auth.contract.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { findRenewing } from '#features/auto-renewal/server/auto-renewal.store.ts'
import { presentOutlooks } from '#features/auto-renewal/server/outlooks.ts'
import { restartAutoRenewal } from '#features/auto-renewal/server/auto-renewal.ts'
import { remindOfEnd } from '#features/auto-renewal/server/plan-ends.ts'
import { premiseOf } from '#features/auto-renewal/server/premise.ts'
import { createPassOnError } from '#features/error-reports/server/own-errors.ts'
import { attachmentOf } from '#features/invoices/server/invoice-file.ts'
import { messageRetries } from '#features/messages/server/messages.store.ts'
import { dropOrderLeases } from '#features/orders/server/order-leases.store.ts'
import { recordCardCalls, recordNetworkCalls } from '#features/orders/server/recorded-calls.ts'
import { orderRetries } from '#features/orders/server/orders.store.ts'
import { isBeingCharged } from '#features/orders/server/payments.store.ts'
import { cardRemovalRetries } from '#features/payment-method/server/card-removals.store.ts'
import { cardUpdateRetries } from '#features/payment-method/server/card-updates.store.ts'
import { presentSavedCard } from '#features/payment-method/server/saved-card.ts'
import type { Catalogue } from '#features/plans/server/plans.store.ts'
import { statusNamed } from '#features/porting/porting.states.ts'
import { presentPorting } from '#features/porting/server/porting.present.ts'
import { refundRetries } from '#features/refunds/server/refunds.store.ts'
import { simLoadRetries } from '#features/stock/server/sim-loads.store.ts'
import { endRequests, reassignAll } from './accounts.ts'
import { networkCallbackPath } from './callbacks.ts'
import type { Deps } from './deps.ts'
import { serveHealth } from './health.ts'
import { createForeignUsage } from './foreign-usage.ts'
import { hearOperatorOverTls } from './operator/hear-tls.ts'
import { hearOperator } from './operator/hear.ts'
import { pageWhileAway } from './page-while-away.ts'
import { providerActs } from './provider-acts.ts'
import { resealAll } from './reseal.ts'
import { serve, serveNothingElse, type Served } from './serve.ts'
import { maintainSubscription } from './subscription.ts'
import { queues, startWork, type Work } from './worker.ts'

export type ProductOptions = Served & {
  config: Config & Served['config'] & { port: number; secretKey: string }
  database: Database
  clock: MovableClock
  mail: { sender: MailSender; from: string }
  sms: SmsSender
  /** The catalogue in the provider's folder as it is now. @throws ConfigFault with every fault of the folder */
  readCatalogue(): Catalogue
  /** The number of the version that stands although the folder has another, known one. */
  standingCatalogue?: number | null
}

export type RunningProduct = {
  url: string
  /** Where the operator's tool is heard from other hosts, if it is. */
  operatorPort: number | null
  deps: Deps
  close(): Promise<void>
}

const providerTimeoutMs = 8_000
/** A customer is looking at the page that waits for it. */
const usageTimeoutMs = 3_000
/** No customer waits for it, but a worker is held by it. */
const errorTimeoutMs = 3_000

/** Starts the product on its database, with its part in it: HTTP server, worker and sweeps. Ready when it answers. */
export async function startProduct(options: ProductOptions): Promise<RunningProduct> {
  const { config, database } = options
  const [serves, works] = [config.role !== 'worker', config.role !== 'web']
  const secrets = await openSecrets(database.db, config)
  const http = httpOptions(options, secrets)
  const app = await createHttp(http)
  const away = createAwayLog(database.db, app.log)
  http.isAway = away.note
  http.pageWhileAway = pageWhileAway(options.provider.brand.name)
  const onError = (error: Error): void => {
    if (!away.note(error)) app.log.error({ err: error }, 'the job queue failed')
  }
  const queue = await startJobs(database, queues, { works, onError })
  const deps = await wire(options, { secrets, jobs: queue, log: app.log })
  http.onFailure = (error, { requestId, route }) =>
    deps.passOnError(error, { kind: 'request', request_id: requestId, ...(route && { route }) })
  // A lone process that starts knows that no other holds an order or is about to send a message.
  if (database.embedded) await takeOverWork(database.db)
  await resealAll(deps)
  let closing = false
  let work: Work | null = null
  serveHealth(app, {
    db: database.db,
    isWorking: works ? () => work?.isTurning() === true : null,
    isClosing: () => closing,
  })
  if (serves) await serve(app, http, deps, options)
  else serveNothingElse(app)
  tellOfStandingCatalogue(options, app.log)

  await app.listen({ host: config.host, port: config.port })
  const { port } = app.server.address() as AddressInfo
  if (works) work = await startWork(deps, away)
  const operator = await hearOperator(deps, config.dataDir)
  const remote = config.operator && (await hearOperatorOverTls(deps, config.operator))
  // The demo's network is on this machine.
  const seenFromNetwork = config.mode === 'production' ? config.publicUrl : `http://127.0.0.1:${port}`
  const callbackUrl = `${seenFromNetwork}${networkCallbackPath(config.network.callbackSecret)}`
  const subscription = serves ? maintainSubscription(deps, callbackUrl) : null

  return {
    url: serves ? config.publicUrl : `http://${config.host}:${port}`,
    operatorPort: remote?.port ?? null,
    deps,
    async close() {
      closing = true
      subscription?.stop()
      // First what comes in: a call that is taken still finds all that it needs.
      await app.close()
      await operator.close()
      await remote?.close()
      await work?.stop()
      await queue.stop()
      away.stop()
    },
  }
}

function tellOfStandingCatalogue({ standingCatalogue: version }: ProductOptions, log: Log): void {
  if (typeof version === 'number')
    log.warn(
      { version },
      'the folder has a catalogue that was replaced by this version: npm run operator -- catalogue diff',
    )
}

const httpOptions = ({ config, database: { db }, clock, pages }: ProductOptions, secrets: Secrets): HttpOptions => ({
  db,
  clock,
  secrets,
  publicUrl: config.publicUrl,
  secureCookies: config.publicUrl.startsWith('https://'),
  trustedProxies: config.trustedProxies,
  ...(config.mode === 'demo' && { answersTo: demoHosts({ publicUrl: config.publicUrl, listensAt: config.host }) }),
  logLevel: config.logLevel,
  development: pages === 'dev',
  findUser: async (id) => {
    const user = await findUser(db, id)
    return user && !user.blocked_at ? { id: user.id, emailVerified: user.email_verified_at !== null } : null
  },
})

/**
 * Gateway and network, whose answers become events of the orders that they are about, and what this carrier's words mean. One token does
 * for all that the network is asked.
 */
function openProviders(
  { config: { card, network }, provider }: Pick<ProductOptions, 'config' | 'provider'>,
  deps: Pick<Deps, 'db' | 'log'>,
): Pick<Deps, 'card' | 'network' | 'networkUsage' | 'statusOfPortAnswer' | 'failureOfPort'> {
  const { network: mapping } = provider
  const carrier = { baseUrl: network.baseUrl, access: openAccess(network.access), mapping }
  const portRollUp = rollUpOf(mapping.ports.states)
  return {
    card: recordCardCalls(createCardGateway({ ...card, timeoutMs: providerTimeoutMs }), deps),
    network: recordNetworkCalls(createMobileNetwork({ ...carrier, timeoutMs: providerTimeoutMs }), deps),
    networkUsage: createNetworkUsage({ ...carrier, timeoutMs: usageTimeoutMs }),
    statusOfPortAnswer: (answer) => statusNamed(statusOfPortOrder(answer, portRollUp)),
    failureOfPort: (code) => failureOfPortOrder(code, mapping.ports.declines),
  }
}

/** Puts together what the slices work with: ports get their adapters, and slices what they know of those that lean on them. */
async function wire(
  { config, database: { db }, clock, provider, mail, sms, readCatalogue }: ProductOptions,
  running: Pick<Deps, 'secrets' | 'log'> & { jobs: Jobs },
): Promise<Deps> {
  const errorReporter = config.errorReportingDsn
    ? createSentryReporter({ dsn: config.errorReportingDsn, timeoutMs: errorTimeoutMs })
    : null
  const deps: Deps = {
    ...running,
    db,
    clock,
    passwords: await createPasswords(db),
    errorReporter,
    passOnError: createPassOnError({ db, jobs: running.jobs, log: running.log, errorReporter }),
    ...openProviders({ config, provider }, { db, log: running.log }),
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
    numberKeptDays: config.numberKeptDays,
    mail: mail.sender,
    mailFrom: mail.from,
    sms,
    attachmentOf: (ref) => attachmentOf(deps, ref),
    outside: { cardUrl: config.card.baseUrl, networkUrl: config.network.baseUrl },
    outlooksOf: (userId, plans, now) => presentOutlooks(deps, userId, { plans, now }),
    renewingOf: (serviceIds) => findRenewing(db, serviceIds),
    isBeingCharged: (storedId) => isBeingCharged(db, storedId),
    remindOfEnd: (trx, ending) => remindOfEnd(trx, deps, ending),
    premiseOf: (trx, serviceId, now) => premiseOf(trx, deps, serviceId, now),
    planBegan: (trx, serviceId, expiresAt) => restartAutoRenewal(trx, deps, serviceId, expiresAt),
    portingOf: (serviceIds) => presentPorting(deps, serviceIds),
    accountParts: {
      card: (userId) => presentSavedCard({ db, clock, market: config.market }, userId),
      phone: async (userId, trx) => presentPhone(await findContactPhone(trx ?? db, userId)),
      phoneChange: async (userId) => presentPhone(await findPhoneChange(db, userId)),
      reassignAll,
      endRequests: (trx, userId) => endRequests(trx, userId, clock.now()),
    },
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

const presentPhone = (msisdn: string | null): PhoneView | null =>
  msisdn ? { phone: msisdn, phone_display: formatNational(msisdn) } : null

/** What a process before this one was at is looked at now. */
async function takeOverWork(db: Db): Promise<void> {
  await dropOrderLeases(db)
  for (const retries of [orderRetries, cardUpdateRetries, cardRemovalRetries, refundRetries, simLoadRetries])
    await retryNow(db, retries)
  // What could not be sent before keeps its back-off.
  await retryNow(db, messageRetries, { tries: 0 })
}
