import * as v from 'valibot'
import { defaultMapping, type NetworkMapping } from './mapping.ts'
import type { MobileNetwork, OrderLine } from './network.port.ts'
import { contradictionIn, lineOf } from './order-line.ts'
import { orderedAnswer, refusalOf, type ServiceOrder, serviceOrderSchema, stateOf, unknown } from './tmf.answer.ts'
import { createCall, isSuccess, type TmfOptions } from './tmf.call.ts'
import { cancelOrder } from './tmf.cancel.ts'
import { findOrder } from './tmf.find.ts'
import { donorCodeOf, serviceOrderOf } from './tmf.order.ts'
import { listOrders } from './tmf.orders.ts'

type NetworkOptions = TmfOptions & { mapping?: NetworkMapping }

/**
 * A mobile network with TM Forum's TMF641 service ordering API, v4.
 * Only a response in the network's own format counts. Any other response is `unknown`.
 * Only `subscribe` throws, because its signature has no other way to report a failure.
 */
export function createMobileNetwork({ mapping = defaultMapping, ...options }: NetworkOptions): MobileNetwork {
  const call = createCall({ ...options, api: mapping.paths.ordering })

  async function read(externalId: string, line: OrderLine = {}) {
    const found = await findOrder(call, externalId, mapping)
    return 'outcome' in found ? found : answerAbout(found, line, mapping)
  }

  return {
    async place(order) {
      const answer = await call('/serviceOrder', serviceOrderOf(order, mapping))
      if ('why' in answer) return unknown(answer.why)
      const { status, body } = answer
      if (isSuccess(status)) return placedAnswer(answer, { ...lineOf(order), externalId: order.externalId }, mapping)
      const refusal = refusalOf(status, body, mapping)
      if (!refusal || !mapping.errors.duplicate.includes(refusal.code)) return refusal ?? unknown(`HTTP ${status}`)
      const first = await read(order.externalId, lineOf(order))
      return first.outcome === 'absent' ? unknown(`${refusal.code}, and no order of this externalId`) : first
    },

    read,

    async sendDonorCode({ externalId, code }) {
      const order = await findOrder(call, externalId, mapping)
      if ('outcome' in order) return order
      const path = `/serviceOrder/${encodeURIComponent(order.id)}`
      const answer = await call(path, donorCodeOf(code, mapping), 'PATCH')
      if ('why' in answer) return unknown(answer.why)
      const { status, body } = answer
      return isSuccess(status)
        ? placedAnswer(answer, { externalId }, mapping)
        : (refusalOf(status, body, mapping) ?? unknown(`HTTP ${status}`))
    },

    cancel: (asking) => cancelOrder(call, asking, mapping),

    list: (span) => listOrders(call, span, mapping),

    async subscribe(callbackUrl) {
      const answer = await call('/hub', { callback: callbackUrl })
      if ('why' in answer) throw new Error(`The network took no subscription: ${answer.why}`)
      // Some networks answer 409 if the subscription exists already.
      if (!isSuccess(answer.status) && answer.status !== 409) {
        throw new Error(`The network took no subscription: HTTP ${answer.status}`)
      }
    },
  }
}

function placedAnswer(
  { status, body }: { status: number; body: unknown },
  { externalId, ...line }: OrderLine & { externalId: string },
  mapping: NetworkMapping,
) {
  const { success, output: order } = v.safeParse(serviceOrderSchema, body)
  if (!success) return unknown(`HTTP ${status} without a service order`)
  // Some networks leave out `externalId` in this response and include it when the order is read.
  if ((order.externalId ?? externalId) !== externalId) return unknown(`HTTP ${status} with another's service order`)
  return answerAbout(order, line, mapping)
}

function answerAbout(order: ServiceOrder, line: OrderLine, mapping: NetworkMapping) {
  // A cancelled order changes no line. A carrier withdraws an order that names the wrong line by cancelling it.
  const contradiction = stateOf(order, mapping) === 'cancelled' ? null : contradictionIn(order, line, mapping)
  return contradiction
    ? { ...unknown(`the service order names another line: ${contradiction}`), contradiction }
    : orderedAnswer(order, mapping)
}
