import * as v from 'valibot'
import type { MobileNetwork } from './network.port.ts'
import { orderedAnswer, refusalOf, serviceOrderSchema, unknown } from './tmf.answer.ts'
import { createCall, isSuccess, type TmfOptions } from './tmf.call.ts'
import { cancelOrder } from './tmf.cancel.ts'
import { findOrder } from './tmf.find.ts'
import { serviceOrderOf } from './tmf.order.ts'

type MobileNetworkOptions = TmfOptions & {
  /** Codes of failed orders that may be ordered again; `NETWORK_BUSY` unless said otherwise. */
  retryableCodes?: readonly string[]
}

const ordering = '/tmf-api/serviceOrdering/v4'

/**
 * A mobile network behind TM Forum's TMF641 service ordering API, v4.
 * Only an answer in the network's own words counts as an answer; whatever else comes back is `unknown`.
 * `subscribe` alone throws, as its port has no other way to say that it failed.
 */
export function createMobileNetwork(options: MobileNetworkOptions): MobileNetwork {
  const { retryableCodes = ['NETWORK_BUSY'] } = options
  const call = createCall({ ...options, api: ordering })

  return {
    async place(order) {
      const answer = await call('/serviceOrder', serviceOrderOf(order))
      if ('why' in answer) return unknown(answer.why)
      const { status, body } = answer
      if (isSuccess(status)) {
        return v.is(serviceOrderSchema, body)
          ? orderedAnswer(body, retryableCodes)
          : unknown(`HTTP ${status} without a service order`)
      }
      return refusalOf(status, body) ?? unknown(`HTTP ${status}`)
    },

    async read(externalId) {
      const found = await findOrder(call, externalId)
      return 'outcome' in found ? found : orderedAnswer(found, retryableCodes)
    },

    cancel: (asking) => cancelOrder(call, asking, retryableCodes),

    async subscribe(callbackUrl) {
      const answer = await call('/hub', { callback: callbackUrl })
      if ('why' in answer) throw new Error(`The network took no subscription: ${answer.why}`)
      // 409 is how some networks say that they have this one already.
      if (!isSuccess(answer.status) && answer.status !== 409) {
        throw new Error(`The network took no subscription: HTTP ${answer.status}`)
      }
    },
  }
}
