import * as v from 'valibot'
import { defaultMapping, type NetworkMapping } from './mapping.ts'
import type { MobileNetwork, LineIdentifiers } from './network.port.ts'
import { findContradiction, getLineIdentifiers } from './line-identifiers.ts'
import {
  toNetworkAnswer,
  parseRejection,
  type ServiceOrder,
  serviceOrderSchema,
  toOrderState,
  createUnknownOutcome,
} from './tmf.response.ts'
import { createTmfClient, isSuccess, type TmfOptions } from './tmf.client.ts'
import { cancelOrder } from './tmf.cancel.ts'
import { findOrder } from './tmf.find.ts'
import { buildDonorCodeBody, buildServiceOrder } from './tmf.order.ts'
import { listOrders } from './tmf.orders.ts'

type NetworkOptions = TmfOptions & { mapping?: NetworkMapping }

/**
 * Creates a client for a mobile network that uses TM Forum's TMF641 service ordering API, v4. Only a response in the network's own format
 * counts; any other response is `unknown`. Only `subscribe` throws, because its signature has no other way to report a failure.
 */
export function createMobileNetwork({ mapping = defaultMapping, ...options }: NetworkOptions): MobileNetwork {
  const call = createTmfClient({ ...options, api: mapping.paths.ordering })

  async function read(externalId: string, line: LineIdentifiers = {}) {
    const found = await findOrder(call, externalId, mapping)
    return 'outcome' in found ? found : verifyLineIdentifiers(found, line, mapping)
  }

  return {
    async place(order) {
      const answer = await call('/serviceOrder', buildServiceOrder(order, mapping))
      if ('why' in answer) return createUnknownOutcome(answer.why)
      const { status, body } = answer
      if (isSuccess(status))
        return readPlacedOrder(answer, { ...getLineIdentifiers(order), externalId: order.externalId }, mapping)
      const rejection = parseRejection(status, body, mapping)
      if (!rejection || !mapping.errors.duplicate.includes(rejection.code))
        return rejection ?? createUnknownOutcome(`HTTP ${status}`)
      const first = await read(order.externalId, getLineIdentifiers(order))
      return first.outcome === 'absent'
        ? createUnknownOutcome(`${rejection.code}, but no order has this externalId`)
        : first
    },

    read,

    async sendDonorCode({ externalId, code }) {
      const order = await findOrder(call, externalId, mapping)
      if ('outcome' in order) return order
      const path = `/serviceOrder/${encodeURIComponent(order.id)}`
      const answer = await call(path, buildDonorCodeBody(code, mapping), 'PATCH')
      if ('why' in answer) return createUnknownOutcome(answer.why)
      const { status, body } = answer
      return isSuccess(status)
        ? readPlacedOrder(answer, { externalId }, mapping)
        : (parseRejection(status, body, mapping) ?? createUnknownOutcome(`HTTP ${status}`))
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
  { externalId, ...line }: LineIdentifiers & { externalId: string },
  mapping: NetworkMapping,
) {
  const { success, output: order } = v.safeParse(serviceOrderSchema, body)
  if (!success) return createUnknownOutcome(`HTTP ${status} without a service order`)
  // Some networks omit `externalId` from the response to a new order, but include it when the order is read.
  if ((order.externalId ?? externalId) !== externalId)
    return createUnknownOutcome(`HTTP ${status} with a service order that has a different externalId`)
  return verifyLineIdentifiers(order, line, mapping)
}

function verifyLineIdentifiers(order: ServiceOrder, line: LineIdentifiers, mapping: NetworkMapping) {
  // A cancelled order does not affect any line. A carrier withdraws an order for the wrong line by cancelling it.
  const contradiction = toOrderState(order, mapping) === 'cancelled' ? null : findContradiction(order, line, mapping)
  return contradiction
    ? { ...createUnknownOutcome(`the service order names another line: ${contradiction}`), contradiction }
    : toNetworkAnswer(order, mapping)
}
