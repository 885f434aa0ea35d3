import * as v from 'valibot'
import { defaultMapping, type NetworkMapping } from './mapping.ts'
import type { MobileNetwork, OrderLine } from './network.port.ts'
import { findContradiction, orderLineOf } from './order-line.ts'
import {
  toNetworkAnswer,
  rejectionOf,
  type ServiceOrder,
  serviceOrderSchema,
  toOrderState,
  unknownOutcome,
} from './tmf.response.ts'
import { createTmfClient, isSuccess, type TmfOptions } from './tmf.client.ts'
import { cancelOrder } from './tmf.cancel.ts'
import { findOrder } from './tmf.find.ts'
import { donorCodeBodyOf, serviceOrderOf } from './tmf.order.ts'
import { listOrders } from './tmf.orders.ts'

type NetworkOptions = TmfOptions & { mapping?: NetworkMapping }

/**
 * Creates a client for a mobile network that uses TM Forum's TMF641 service ordering API, v4. Only a response in the network's own format
 * counts; any other response is `unknown`. Only `subscribe` throws, because its signature has no other way to report a failure.
 */
export function createMobileNetwork({ mapping = defaultMapping, ...options }: NetworkOptions): MobileNetwork {
  const call = createTmfClient({ ...options, api: mapping.paths.ordering })

  async function read(externalId: string, line: OrderLine = {}) {
    const found = await findOrder(call, externalId, mapping)
    return 'outcome' in found ? found : verifyOrderLine(found, line, mapping)
  }

  return {
    async place(order) {
      const answer = await call('/serviceOrder', serviceOrderOf(order, mapping))
      if ('why' in answer) return unknownOutcome(answer.why)
      const { status, body } = answer
      if (isSuccess(status))
        return readPlacedOrder(answer, { ...orderLineOf(order), externalId: order.externalId }, mapping)
      const rejection = rejectionOf(status, body, mapping)
      if (!rejection || !mapping.errors.duplicate.includes(rejection.code))
        return rejection ?? unknownOutcome(`HTTP ${status}`)
      const first = await read(order.externalId, orderLineOf(order))
      return first.outcome === 'absent' ? unknownOutcome(`${rejection.code}, but no order has this externalId`) : first
    },

    read,

    async sendDonorCode({ externalId, code }) {
      const order = await findOrder(call, externalId, mapping)
      if ('outcome' in order) return order
      const path = `/serviceOrder/${encodeURIComponent(order.id)}`
      const answer = await call(path, donorCodeBodyOf(code, mapping), 'PATCH')
      if ('why' in answer) return unknownOutcome(answer.why)
      const { status, body } = answer
      return isSuccess(status)
        ? readPlacedOrder(answer, { externalId }, mapping)
        : (rejectionOf(status, body, mapping) ?? unknownOutcome(`HTTP ${status}`))
    },

    cancel: (asking) => cancelOrder(call, asking, mapping),

    list: (span) => listOrders(call, span, mapping),

    async subscribe(callbackUrl) {
      const answer = await call('/hub', { callback: callbackUrl })
      if ('why' in answer) throw new Error(`The network did not accept the subscription: ${answer.why}`)
      // Some networks respond with 409 if the subscription already exists.
      if (!isSuccess(answer.status) && answer.status !== 409) {
        throw new Error(`The network did not accept the subscription: HTTP ${answer.status}`)
      }
    },
  }
}

function readPlacedOrder(
  { status, body }: { status: number; body: unknown },
  { externalId, ...line }: OrderLine & { externalId: string },
  mapping: NetworkMapping,
) {
  const { success, output: order } = v.safeParse(serviceOrderSchema, body)
  if (!success) return unknownOutcome(`HTTP ${status} without a service order`)
  // Some networks omit `externalId` from the response to a new order, but include it when the order is read.
  if ((order.externalId ?? externalId) !== externalId)
    return unknownOutcome(`HTTP ${status} with a service order that has a different externalId`)
  return verifyOrderLine(order, line, mapping)
}

function verifyOrderLine(order: ServiceOrder, line: OrderLine, mapping: NetworkMapping) {
  // A cancelled order does not affect any line. A carrier withdraws an order for the wrong line by cancelling it.
  const contradiction = toOrderState(order, mapping) === 'cancelled' ? null : findContradiction(order, line, mapping)
  return contradiction
    ? { ...unknownOutcome(`the service order names another line: ${contradiction}`), contradiction }
    : toNetworkAnswer(order, mapping)
}
