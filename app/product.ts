import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { MovableClock } from '#kit/server/clock.ts'
import type { CardConfig, Config, NetworkConfig } from '#kit/server/config.ts'
import type { Database } from '#kit/server/db.ts'
import { demoHosts } from '#kit/server/host.ts'
import { createHttp, type HttpOptions } from '#kit/server/http.ts'
import { serveRoutes } from '#kit/server/serve-routes.ts'
import { startJobs } from '#kit/server/jobs.ts'
import { openApi } from '#kit/server/openapi.ts'
import { createPasswords } from '#kit/server/password.ts'
import { retryNow } from '#kit/server/retries.ts'
import { createSecrets } from '#kit/server/secrets.ts'
import { startSweeping } from '#kit/server/sweeps.ts'
import { createCardGateway } from '#providers/card/adyen.ts'
import { createSentryReporter } from '#providers/errors/sentry.ts'
import { createMobileNetwork } from '#providers/network/tmf.ts'
import { createNetworkUsage } from '#providers/network/tmf-usage.ts'
import { portStatusOf } from '#providers/network/port-status.ts'
import type { MailSender } from '#providers/mail/mail.port.ts'
import type { SmsSender } from '#providers/sms/sms.port.ts'
import type { PhoneChange } from '#features/auth/auth.contract.ts'
import { findRenewing } from '#features/auto-renewal/server/auto-renewal.store.ts'
import { restartAutoRenewal } from '#features/auto-renewal/server/auto-renewal.ts'
import { createPassOnError } from '#features/error-reports/server/own-errors.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { cardUpdateRetries } from '#features/payment-method/server/card-updates.store.ts'
import { presentSavedCard } from '#features/payment-method/server/saved-card.ts'
import { findContactPhone, findPhoneChange } from '#features/account/server/contact-phone.store.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { attachmentOf } from '#features/invoices/server/invoice-file.ts'
import { messageRetries } from '#features/messages/server/messages.store.ts'
import { refundRetries } from '#features/refunds/server/refunds.store.ts'
import { dropOrderLeases } from '#features/orders/server/order-leases.store.ts'
import { orderRetries } from '#features/orders/server/orders.store.ts'
import { presentPorting } from '#features/porting/server/porting.present.ts'
import { statusNamed } from '#features/porting/porting.states.ts'
import { apiRoutes } from './api.ts'
import { networkCallbackPath, serveCallbacks } from './callbacks.ts'
import type { Deps } from './deps.ts'
import { serveDocuments } from './documents.ts'
import { hearOperator } from './operator.ts'
import type { Provider } from './provider/read-provider.ts'
import { endRequests, moveAllTo } from './accounts.ts'
import { createRenderer } from './render.ts'
import { serveSecurityContact } from './security-contact.ts'
import { servePages } from './serve-pages.ts'
import { jobs, queues, upkeep, deadlines } from './worker.ts'

export type ProductOptions = {
  config: Config & { port: number; publicUrl: string; secretKey: string; card: CardConfig; network: NetworkConfig }
  database: Database
  clock: MovableClock
  mail: { sender: MailSender; from: string }
  sms: SmsSender
  provider: Provider
  /** `none` serves the API alone. */
  pages: 'built' | 'dev' | 'none'
  /** More routes of the same server: the demo's. */
  extend?(app: FastifyInstance, deps: Deps): void
}

export type RunningProduct = { url: string; deps: Deps; close(): Promise<void> }

const providerTimeoutMs = 8_000
/** A customer is looking at the page that waits for it. */
const usageTimeoutMs = 3_000
/** No customer waits for it, but a worker is held by it. */
const errorTimeoutMs = 3_000

/** Starts the product on its database: HTTP server, worker and sweeps. Ready when it answers. */
export async function startProduct(options: ProductOptions): Promise<RunningProduct> {
  const { config, database, clock } = options
  const { db } = database
  const secrets = createSecrets(config.secretKey)
  const http: HttpOptions = {
    db,
    clock,
    secrets,
    publicUrl: config.publicUrl,
    secureCookies: config.publicUrl.startsWith('https://'),
    trustedProxies: config.trustedProxies,
    ...(config.mode === 'demo' && { answersTo: demoHosts({ publicUrl: config.publicUrl, listensAt: config.host }) }),
    logLevel: config.logLevel,
    development: options.pages === 'dev',
    findUser: async (id) => {
      const user = await findUser(db, id)
      return user ? { id: user.id, emailVerified: user.email_verified_at !== null } : null
    },
  }
  const app = await createHttp(http)
  const queue = await startJobs(database, queues, (error) => app.log.error({ err: error }, 'the job queue failed'))
  const network = createMobileNetwork({ baseUrl: config.network.baseUrl, timeoutMs: providerTimeoutMs })
  const errorReporter = config.errorReportingDsn
    ? createSentryReporter({ dsn: config.errorReportingDsn, timeoutMs: errorTimeoutMs })
    : null
  const deps: Deps = {
    db,
    clock,
    secrets,
    passwords: await createPasswords(db),
    jobs: queue,
    log: app.log,
    errorReporter,
    passOnError: createPassOnError({ db, jobs: queue, log: app.log, errorReporter }),
    card: createCardGateway({ ...config.card, timeoutMs: providerTimeoutMs }),
    network,
    networkUsage: createNetworkUsage({ baseUrl: config.network.baseUrl, timeoutMs: usageTimeoutMs }),
    portStatusOf: (answer) => statusNamed(portStatusOf(answer)),
    market: config.market,
    issuer: options.provider.issuer,
    brandName: options.provider.brand.name,
    colours: options.provider.look.colours,
    publicUrl: config.publicUrl,
    leaseSeconds: config.leaseSeconds,
    numberKeptDays: config.numberKeptDays,
    mail: options.mail.sender,
    mailFrom: options.mail.from,
    sms: options.sms,
    attachmentOf: (ref) => attachmentOf(deps, ref),
    outside: { cardUrl: config.card.baseUrl, networkUrl: config.network.baseUrl },
    portingOf: (serviceIds) => presentPorting(db, serviceIds),
    renewingOf: (serviceIds) => findRenewing(db, serviceIds),
    planBegan: (trx, serviceId, expiresAt) => restartAutoRenewal(trx, deps, serviceId, expiresAt),
    accountParts: {
      card: (userId) => presentSavedCard({ db, clock, market: config.market }, userId),
      phone: async (userId, trx) => presentPhone(await findContactPhone(trx ?? db, userId)),
      phoneChange: async (userId) => presentPhone(await findPhoneChange(db, userId)),
      moveAll: moveAllTo,
      endRequests: (trx, userId) => endRequests(trx, userId, clock.now()),
    },
    bootstrap: {
      layout: options.provider.layout,
      market: config.market,
      brand: options.provider.brand,
      card: { gateway: config.card.gateway, publicKey: config.card.publicKey },
    },
  }
  http.onFailure = (error, { requestId, route }) =>
    deps.passOnError(error, { kind: 'request', request_id: requestId, ...(route && { route }) })
  // A lone process that starts knows that no other holds an order or is about to send a message.
  if (database.embedded) {
    await dropOrderLeases(db)
    for (const retries of [orderRetries, cardUpdateRetries, refundRetries]) await retryNow(db, retries)
    // What could not be sent before keeps its back-off.
    await retryNow(db, messageRetries, { tries: 0 })
  }

  const routes = apiRoutes(deps)
  serveRoutes(app, http, routes)
  const description = openApi(
    `${deps.brandName} portal`,
    routes.map(({ endpoint }) => endpoint),
  )
  app.get('/api/openapi.json', () => description)
  serveCallbacks(app, deps, config)
  serveDocuments(app, http, deps)
  serveSecurityContact(app, { contact: options.provider.securityContact, publicUrl: config.publicUrl })
  options.extend?.(app, deps)
  if (options.pages !== 'none') {
    const renderer = await createRenderer({
      mode: options.pages,
      brand: options.provider.brand,
      look: options.provider.look,
    })
    servePages(app, http, renderer, routes, deps)
  } else {
    app.setNotFoundHandler((_request, reply) => reply.status(404).send({ code: 'Not found.' }))
  }

  await app.listen({ host: config.host, port: config.port })
  const { port } = app.server.address() as AddressInfo
  const sweeping = startSweeping(clock, deadlines(deps), upkeep(deps), (error, name) => {
    app.log.error({ err: error, task: name }, 'upkeep failed')
    deps.passOnError(error, { kind: 'upkeep', task: name })
  })
  await queue.work(jobs(deps))
  const operator = await hearOperator(deps, config.dataDir)
  const subscription = maintainSubscription(
    deps,
    `http://127.0.0.1:${port}${networkCallbackPath(config.network.callbackSecret)}`,
    config,
  )

  return {
    url: config.publicUrl,
    deps,
    async close() {
      subscription.stop()
      await operator.close()
      await sweeping.stop()
      await queue.stop()
      await app.close()
    },
  }
}

const presentPhone = (msisdn: string | null): PhoneChange | null =>
  msisdn ? { phone: msisdn, phone_display: formatNational(msisdn) } : null

/** Asks the network to call us; it may be down now, so this goes on until it has worked once. */
function maintainSubscription(deps: Deps, callbackUrl: string, config: Config): { stop(): void } {
  const target =
    config.mode === 'production' && config.publicUrl && config.network
      ? `${config.publicUrl}${networkCallbackPath(config.network.callbackSecret)}`
      : callbackUrl
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const subscribe = (): void => {
    deps.network.subscribe(target).catch((error: unknown) => {
      deps.log.warn({ reason: String(error) }, 'the network does not take our subscription yet')
      if (!stopped) timer = setTimeout(subscribe, 10_000)
    })
  }
  subscribe()
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
