import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isEqualConstantTime } from '#kit/server/secrets.ts'
import type { CardConfig, NetworkConfig } from '#kit/server/config/service-configs.ts'
import type { CardNotification } from '#providers/card/card.port.ts'
import { readNotifications } from '#providers/card/notification.ts'
import { readEvent } from '#providers/network/event.ts'
import { isDisputeEvent, recordDisputeNotification } from '#features/disputes/server/disputes.ts'
import { recordNotification } from '#features/orders/server/notifications.ts'
import { recordRecurringContract, recurringContractEvent } from '#features/orders/server/stored-card.ts'
import { handleNetworkEvent } from '#features/orders/server/orders.jobs.ts'
import { retryCardUpdateNow } from '#features/payment-method/server/card-updates.store.ts'
import { recordRefundNotification, refundEvents } from '#features/refunds/server/refund-notifications.ts'
import { retryPortNow } from '#features/porting/server/porting.jobs.ts'
import type { Deps } from './deps.ts'

export const cardCallbackPath = '/callbacks/card/'
export const networkCallbackPath = (secret: string): string => `/callbacks/network/${secret}/`

function selectNotificationRecorder({ eventCode }: CardNotification) {
  if (eventCode === recurringContractEvent) return recordRecurringContract
  if (refundEvents.includes(eventCode)) return recordRefundNotification
  return isDisputeEvent(eventCode) ? recordDisputeNotification : recordNotification
}

/** Checks the webhook's Basic credentials if they are configured. Each notification's signature is checked as well. */
function hasValidLogin({ headers }: FastifyRequest, { webhookLogin }: CardConfig): boolean {
  if (!webhookLogin) return true
  const { user, password } = webhookLogin
  const expectedHeader = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  return isEqualConstantTime(headers.authorization?.slice(0, 1_000) ?? '', expectedHeader)
}

/** Maximum body size in bytes. One request may carry several notifications, and a network event contains the whole order. */
const bodyLimit = 64 * 1024
/** Callbacks have the highest priority under overload, because they settle payments that customers have already made. */
const config = { admission: 'first' } as const

/**
 * Serves the endpoints that external providers call. These requests need no cookies and no CSRF token. The gateway's requests are
 * authenticated by their signature. The network's events arrive at a secret path, and only prompt us to read the order from the network.
 */
export function serveCallbacks(
  app: FastifyInstance,
  deps: Deps,
  settings: { card: CardConfig; network: NetworkConfig },
): void {
  app.post(cardCallbackPath, { bodyLimit, config }, async (request, reply) => {
    if (!hasValidLogin(request, settings.card))
      return reply.status(401).header('www-authenticate', 'Basic').send({ code: 'User and password do not match.' })
    const read = readNotifications(request.body, settings.card)
    if (!read) return reply.status(401).send({ code: 'The signature does not match.' })
    if (read.ignored > 0)
      deps.log.info({ items: read.ignored }, 'the gateway sent notifications for other merchant accounts')
    for (const notification of read.ours) {
      // A notification about a card update only triggers a retry of our own request, whose response contains the card's details.
      if (!(await retryCardUpdateNow(deps.db, notification.merchantReference)))
        await selectNotificationRecorder(notification)(deps, notification)
    }
    return reply.type('text/plain').send('[accepted]')
  })

  const receiveEvent = async (secret: string, body: unknown): Promise<boolean> => {
    if (!isEqualConstantTime(secret, settings.network.callbackSecret)) return false
    const event = readEvent(body)
    // Duplicate events and events for unknown orders are harmless, because an event only makes us read the order from the network.
    if (event && !(await handleNetworkEvent(deps, event))) await retryPortNow(deps, event.externalId)
    return true
  }
  for (const path of networkPaths)
    app.post<{ Params: { secret: string; listener?: string } }>(path, { bodyLimit, config }, async (request, reply) => {
      const { secret, listener } = request.params
      if (!(await receiveEvent(secret, request.body))) return reply.status(404).send({ code: 'Not found.' })
      // TMF641 expects a 201 response with the listener's callback URL. Our response omits the secret part of that URL.
      return listener === undefined
        ? reply.status(204).send()
        : reply.status(201).send({ id: listener, callback: `/listener/${listener}` })
    })
}

/**
 * Paths at which the network's events arrive. Networks that follow TMF641 strictly append
 * `listener/serviceOrderStateChangeEvent`, or a similar path for a different event, to the registered callback URL. A
 * trailing slash is optional, and a double slash before `listener` is accepted.
 */
const networkPaths = [
  '/callbacks/network/:secret',
  '/callbacks/network/:secret/',
  ...['/', '//'].flatMap((slash) =>
    ['', '/'].map((end) => `/callbacks/network/:secret${slash}listener/:listener(^[A-Za-z]{1,100}$)${end}`),
  ),
]
