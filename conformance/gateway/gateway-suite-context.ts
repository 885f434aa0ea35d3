import { randomBytes } from 'node:crypto'
import { createCardGateway } from '#providers/card/adyen.ts'
import type { CardDetails, CardGateway } from '#providers/card/card.port.ts'
import { createSendHttp } from '#providers/http/send-http.ts'
import { createExchangeLog, type ExchangeLog } from '../exchange-log.ts'
import { recordExchanges } from '../record-exchanges.ts'
import { createReferenceGenerator, referencePrefix } from '../reference-generator.ts'
import type { TrackedEffect, Undo } from '../undo.ts'
import { createLimitedGateway } from './limited-gateway.ts'
import type { GatewayFile } from './gateway-file.ts'
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'

const timeoutMs = 8_000

export type Payment = { reference: string; pspReference: string; card: CardDetails }

export type ExpectedNotification = {
  eventCode: string
  success: boolean
  pspReference: string
  references: string[]
  /** Expected amount in cents. `null` if the notification need not contain the amount. */
  amount: number | null
}

export type GatewaySuiteContext = {
  file: GatewayFile
  card: CardGateway
  /** A client that calls the gateway with an invalid API key. */
  stranger: CardGateway
  exchanges: ExchangeLog
  nextReference(): string
  shopperReference: string
  undo: Undo
  webhooks: WebhookReceiver | null
  expected: ExpectedNotification[]
  held: {
    payment?: Payment
    captured?: { payment: Payment; made: TrackedEffect; pspReference: string }
    stored?: { id: string; made: TrackedEffect }
  }
  close(): Promise<void>
}

export async function createGatewaySuiteContext(file: GatewayFile, undo: Undo): Promise<GatewaySuiteContext> {
  const exchanges = createExchangeLog()
  const access = {
    baseUrl: file.settings['CARD_URL'] ?? '',
    merchantAccount: file.settings['CARD_MERCHANT_ACCOUNT'] ?? '',
    timeoutMs,
    send: recordExchanges(createSendHttp({ cert: null, key: null, ca: null }), exchanges),
  }
  const webhooks = file.listen ? await startWebhookReceiver(file.listen, file.settings) : null
  return {
    file,
    card: createLimitedGateway(createCardGateway({ ...access, apiKey: file.settings['CARD_API_KEY'] ?? '' })),
    stranger: createLimitedGateway(createCardGateway({ ...access, apiKey: randomBytes(16).toString('hex') })),
    exchanges,
    nextReference: createReferenceGenerator(),
    shopperReference: `${referencePrefix}${randomBytes(8).toString('hex')}`,
    undo,
    webhooks,
    expected: [],
    held: {},
    close: async () => webhooks?.close(),
  }
}
