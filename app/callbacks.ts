import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sameText } from '#kit/server/secrets.ts'
import type { CardConfig, NetworkConfig } from '#kit/server/config/services.ts'
import type { CardNotification } from '#providers/card/card.port.ts'
import { readNotifications } from '#providers/card/notification.ts'
import { readEvent } from '#providers/network/event.ts'
import { isAboutDispute, recordDisputeNotification } from '#features/disputes/server/disputes.ts'
import { recordNotification } from '#features/orders/server/notifications.ts'
import { recordRecurringContract, recurringContractEvent } from '#features/orders/server/stored-card.ts'
import { promptOrder } from '#features/orders/server/orders.jobs.ts'
import { retryCardUpdateNow } from '#features/payment-method/server/card-updates.store.ts'
import { recordRefundNotification, refundEvents } from '#features/refunds/server/refund-notifications.ts'
import { promptPort } from '#features/porting/server/porting.jobs.ts'
import type { Deps } from './deps.ts'

export const cardCallbackPath = '/callbacks/card/'
export const networkCallbackPath = (secret: string): string => `/callbacks/network/${secret}/`

/** Who takes in what the gateway tells: of refunds, of disputes, of stored cards, of payments. */
function recorderOf({ eventCode }: CardNotification) {
  if (eventCode === recurringContractEvent) return recordRecurringContract
  if (refundEvents.includes(eventCode)) return recordRefundNotification
  return isAboutDispute(eventCode) ? recordDisputeNotification : recordNotification
}

/** Where the gateway was given a user and a password for its webhooks, beside the signature. */
function isLoginOf({ headers }: FastifyRequest, { webhookLogin }: CardConfig): boolean {
  if (!webhookLogin) return true
  const { user, password } = webhookLogin
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  return sameText(headers.authorization?.slice(0, 1_000) ?? '', expected)
}

/** Several notifications may come in one call, and an event has all that the network knows of an order. */
const bodyLimit = 64 * 1024
/** What they tell settles what somebody has paid for. */
const config = { admission: 'first' } as const

/**
 * What the outside world calls. No cookies here and no CSRF: the gateway's signature decides, and the network's
 * events come to a secret path and only prompt us to read from it.
 */
export function serveCallbacks(
  app: FastifyInstance,
  deps: Deps,
  settings: { card: CardConfig; network: NetworkConfig },
): void {
  app.post(cardCallbackPath, { bodyLimit, config }, async (request, reply) => {
    if (!isLoginOf(request, settings.card))
      return reply.status(401).header('www-authenticate', 'Basic').send({ code: 'User and password do not match.' })
    const read = readNotifications(request.body, settings.card)
    if (!read) return reply.status(401).send({ code: 'The signature does not match.' })
    if (read.ignored > 0) deps.log.info({ items: read.ignored }, 'the gateway told of other merchant accounts')
    for (const notification of read.ours) {
      // What it says of a card update only prompts us to ask: the answer has the card's details.
      if (!(await retryCardUpdateNow(deps.db, notification.merchantReference)))
        await recorderOf(notification)(deps, notification)
    }
    return reply.type('text/plain').send('[accepted]')
  })

  const hear = async (secret: string, body: unknown): Promise<boolean> => {
    if (!sameText(secret, settings.network.callbackSecret)) return false
    const event = readEvent(body)
    // Reading twice does no harm, so a repeated event needs no memory; one that says nothing to us is fine, too.
    if (event && !(await promptOrder(deps, event))) await promptPort(deps, event.externalId)
    return true
  }
  for (const path of networkPaths)
    app.post<{ Params: { secret: string; listener?: string } }>(path, { bodyLimit, config }, async (request, reply) => {
      const { secret, listener } = request.params
      if (!(await hear(secret, request.body))) return reply.status(404).send({ code: 'Not found.' })
      // TMF641 has listeners answer like its hub; the secret part of the address stays out of it.
      return listener === undefined
        ? reply.status(204).send()
        : reply.status(201).send({ id: listener, callback: `/listener/${listener}` })
    })
}

/**
 * Where the network's events come to: at the address that it was given, or, of networks that go by the letter of TMF641, at that and
 * `listener/serviceOrderStateChangeEvent` or a sibling; with a slash at the end or without, and with two where that address ends in one.
 */
const networkPaths = [
  '/callbacks/network/:secret',
  '/callbacks/network/:secret/',
  ...['/', '//'].flatMap((slash) =>
    ['', '/'].map((end) => `/callbacks/network/:secret${slash}listener/:listener(^[A-Za-z]{1,100}$)${end}`),
  ),
]
