import * as v from 'valibot'
import { createServer, type ServerTls } from '../access/server.ts'
import { answerLoopbackOnly } from '../loopback.ts'
import { serveControls } from './controls.ts'
import { startCourier } from './courier.ts'
import { Fault } from './faults.ts'
import { openGateway } from './gateway.ts'
import { publicKeyOf } from './keys.ts'
import { ledgerOf } from './ledger.ts'
import type { LedgerRow } from './ledger.ts'
import { sendFault, servePayments } from './payments.ts'
import { serveReports } from './reports.ts'
import { serveTelling } from './telling.ts'
import { startResolving } from './pending-payments.ts'

export type GatewayOptions = {
  /** 0 picks a free one. */
  port: number
  /** Holds the ledger and the RSA key; made where it is absent. */
  dataDir: string
  apiKey: string
  merchantAccount: string
  /** Hex. */
  hmacKey: string
  /** Where webhooks go; until there is one they are kept. */
  webhookUrl?: string
  /** How long a PENDING payment stays Received; 3 seconds by default. */
  pendingDelayMs?: number
  /** Waits between deliveries of a webhook; by default 1, 2, 5, 10, then every 30 seconds for half an hour. */
  webhookRetryDelaysMs?: readonly number[]
  /** Plain http without it. */
  tls?: ServerTls
}

export type GatewaySimulator = {
  /** Without a path: the calls are under `/pal/servlet/Payment/v68/`. */
  url: string
  /** `hexExponent|hexModulus` */
  publicKey: string
  ledger(): LedgerRow[]
  setWebhookUrl(url: string | null): void
  /** Stops at once; what was acknowledged is on disk. */
  close(): Promise<void>
}

/**
 * Starts a card gateway on 127.0.0.1 that speaks like Adyen's classic Payments API v68.
 * README.md says what it does, what it does not, and which failures it can be asked for.
 */
export async function startGatewaySimulator(options: GatewayOptions): Promise<GatewaySimulator> {
  const { dataDir, merchantAccount, hmacKey, webhookUrl: url = null, webhookRetryDelaysMs: retryDelaysMs } = options
  const gateway = openGateway({ dataDir, merchantAccount, pendingDelayMs: options.pendingDelayMs ?? 3_000 })
  const courier = startCourier(gateway, { url, hmacKey, retryDelaysMs })
  const stopResolving = startResolving(gateway)
  const closing = new AbortController()

  const app = createServer(options.tls)
  answerLoopbackOnly(app)
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof Fault) return sendFault(reply, error)
    if (v.isValiError(error)) return reply.code(400).send({ error: error.message })
    // Whatever else has a status of its own is the framework's word for a body it cannot read.
    const { statusCode = 500 } = error as { statusCode?: number }
    return sendFault(reply, new Fault(statusCode < 500 ? '702' : '701'))
  })
  servePayments(app, gateway, { apiKey: options.apiKey, closing: closing.signal })
  serveReports(app, gateway, { apiKey: options.apiKey })
  serveControls(app, gateway, courier)
  serveTelling(app, gateway)

  const address = await app.listen({ port: options.port, host: '127.0.0.1' })

  const close = async () => {
    closing.abort()
    stopResolving()
    await Promise.all([app.close(), courier.close()])
    gateway.store.close()
  }
  let closed: Promise<void> | undefined

  return {
    url: address,
    publicKey: publicKeyOf(gateway.privateKey),
    ledger: () => ledgerOf(gateway),
    setWebhookUrl: courier.setUrl,
    close: () => (closed ??= close()),
  }
}
