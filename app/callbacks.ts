import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isSameText } from '#kit/server/secrets.ts'
import type { CardConfig, NetworkConfig } from '#kit/server/config/service-configs.ts'
import type { CardNotification } from '#providers/card/card.port.ts'
import { readNotifications } from '#providers/card/notification.ts'
import { readEvent } from '#providers/network/event.ts'
import { isDisputeEvent, recordDisputeNotification } from '#features/disputes/server/disputes.ts'
import { recordNotification } from '#features/orders/server/notifications.ts'
import { recordRecurringContract, recurringContractEvent } from '#features/orders/server/stored-card.ts'
import { wakeOrder } from '#features/orders/server/orders.jobs.ts'
import { retryCardUpdateNow } from '#features/payment-method/server/card-updates.store.ts'
import { recordRefundNotification, refundEvents } from '#features/refunds/server/refund-notifications.ts'
import { wakePort } from '#features/porting/server/porting.jobs.ts'
import type { Deps } from './deps.ts'

export const cardCallbackPath = '/callbacks/card/'
export const networkCallbackPath = (secret: string): string => `/callbacks/network/${secret}/`

function recorderFor({ eventCode }: CardNotification) {
  if (eventCode === recurringContractEvent) return recordRecurringContract
  if (refundEvents.includes(eventCode)) return recordRefundNotification
  return isDisputeEvent(eventCode) ? recordDisputeNotification : recordNotification
}

/** The webhook's signature is checked in addition to this login. */
function hasValidLogin({ headers }: FastifyRequest, { webhookLogin }: CardConfig): boolean {
  if (!webhookLogin) return true
  const { user, password } = webhookLogin
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  return isSameText(headers.authorization?.slice(0, 1_000) ?? '', expected)
}

/** Bytes. A call may hold several notifications, and a network event contains the whole order. */
const bodyLimit = 64 * 1024
/** Callbacks have the highest priority, because they settle payments that customers have made. */
const config = { admission: 'first' } as const

/**
 * Endpoints for calls from outside providers. They need no cookies and no CSRF token.
 * The gateway's signature authenticates its calls. The network's events arrive at a secret path, and only prompt us to read the order.
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
      // A notification about a card update only prompts a retry. Its response contains the card's details.
      if (!(await retryCardUpdateNow(deps.db, notification.merchantReference)))
        await recorderFor(notification)(deps, notification)
    }
    return reply.type('text/plain').send('[accepted]')
  })

  const receiveEvent = async (secret: string, body: unknown): Promise<boolean> => {
    if (!isSameText(secret, settings.network.callbackSecret)) return false
    const event = readEvent(body)
    // Reading an order twice does no harm, so repeated events need not be remembered. Events that concern no known order are fine as well.
    if (event && !(await wakeOrder(deps, event))) await wakePort(deps, event.externalId)
    return true
  }
  for (const path of networkPaths)
    app.post<{ Params: { secret: string; listener?: string } }>(path, { bodyLimit, config }, async (request, reply) => {
      const { secret, listener } = request.params
      if (!(await receiveEvent(secret, request.body))) return reply.status(404).send({ code: 'Not found.' })
      // TMF641 expects listeners to respond like its hub. The response leaves out the secret part of the URL.
      return listener === undefined
        ? reply.status(204).send()
        : reply.status(201).send({ id: listener, callback: `/listener/${listener}` })
    })
}

/**
 * URLs of the network's events: the registered callback URL itself, or that URL with `listener/serviceOrderStateChangeEvent` or a sibling
 * appended.
 * Networks that follow TMF641 strictly append the latter. A trailing slash is optional, and a double slash in the middle is accepted.
 */
const networkPaths = [
  '/callbacks/network/:secret',
  '/callbacks/network/:secret/',
  ...['/', '//'].flatMap((slash) =>
    ['', '/'].map((end) => `/callbacks/network/:secret${slash}listener/:listener(^[A-Za-z]{1,100}$)${end}`),
  ),
]
