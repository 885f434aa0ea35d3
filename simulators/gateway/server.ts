import * as v from 'valibot'
import { createServer, type ServerTls } from '../access/server.ts'
import { acceptLoopbackOnly } from '../loopback.ts'
import { serveControls } from './controls.ts'
import { startWebhookSender } from './webhook-sender.ts'
import { AdyenFault } from './faults.ts'
import { openGateway } from './gateway.ts'
import { formatPublicKey } from './keys.ts'
import { buildLedger } from './ledger.ts'
import type { LedgerRow } from './ledger.ts'
import { sendFault, servePayments } from './payments.ts'
import { serveReports } from './reports.ts'
import { serveUnsolicitedNotifications } from './unsolicited-notifications.ts'
import { startResolvingPayments } from './pending-payments.ts'

export type GatewayOptions = {
  port: number
  dataDir: string
  apiKey: string
  merchantAccount: string
  /** Hex. */
  hmacKey: string
  webhookUrl?: string
  pendingDelayMs?: number
  webhookRetryDelaysMs?: readonly number[]
  tls?: ServerTls
}

export type GatewaySimulator = {
  url: string
  publicKey: string
  ledger(): LedgerRow[]
  setWebhookUrl(url: string | null): void
  /** Stops the simulator immediately. All acknowledged changes are already on disk. */
  close(): Promise<void>
}

/**
 * Starts a simulator of Adyen's classic Payments API v68 on 127.0.0.1. README.md describes its behaviour, its limits and the failures that
 * tests can request.
 */
export async function startGatewaySimulator(options: GatewayOptions): Promise<GatewaySimulator> {
  const { dataDir, merchantAccount, hmacKey, webhookUrl: url = null, webhookRetryDelaysMs: retryDelaysMs } = options
  const gateway = openGateway({ dataDir, merchantAccount, pendingDelayMs: options.pendingDelayMs ?? 3_000 })
  const webhookSender = startWebhookSender(gateway, { url, hmacKey, retryDelaysMs })
  const stopResolving = startResolvingPayments(gateway)
  const abortController = new AbortController()

  const app = createServer(options.tls)
  acceptLoopbackOnly(app)
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof AdyenFault) return sendFault(reply, error)
    if (v.isValiError(error)) return reply.code(400).send({ error: error.message })
    // Any other error with a status below 500 comes from the framework and means that the body could not be parsed.
    const { statusCode = 500 } = error as { statusCode?: number }
    return sendFault(reply, new AdyenFault(statusCode < 500 ? '702' : '701'))
  })
  servePayments(app, gateway, { apiKey: options.apiKey, closing: abortController.signal })
  serveReports(app, gateway, { apiKey: options.apiKey })
  serveControls(app, gateway, webhookSender)
  serveUnsolicitedNotifications(app, gateway)

  const address = await app.listen({ port: options.port, host: '127.0.0.1' })

  const close = async () => {
    abortController.abort()
    stopResolving()
    await Promise.all([app.close(), webhookSender.close()])
    gateway.store.close()
  }
  let closed: Promise<void> | undefined

  return {
    url: address,
    publicKey: formatPublicKey(gateway.privateKey),
    ledger: () => buildLedger(gateway),
    setWebhookUrl: webhookSender.setUrl,
    close: () => (closed ??= close()),
  }
}
