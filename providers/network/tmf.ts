import * as v from 'valibot'
import type { MobileNetwork } from './network.port.ts'
import { orderedAnswer, refusalSchema, serviceOrderSchema, unknown } from './tmf.answer.ts'
import { createCall, isSuccess, type TmfOptions } from './tmf.call.ts'
import { serviceOrderOf } from './tmf.order.ts'

type MobileNetworkOptions = TmfOptions & {
  /** Codes of failed orders that may be ordered again; `NETWORK_BUSY` unless said otherwise. */
  retryableCodes?: readonly string[]
}

const ordering = '/tmf-api/serviceOrdering/v4'

// Our side's fault or a moment's: neither says that the network will not do it.
const undecidedStatuses = new Set([401, 403, 405, 408, 415, 425, 429])

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
      const isRefusal = status >= 400 && status < 500 && !undecidedStatuses.has(status)
      if (!isRefusal || !v.is(refusalSchema, body)) return unknown(`HTTP ${status}`)
      return { outcome: 'rejected', code: String(body.code), message: body.message ?? body.reason }
    },

    async read(externalId) {
      const answer = await call(`/serviceOrder?externalId=${encodeURIComponent(externalId)}`)
      if ('why' in answer) return unknown(answer.why)
      const { status, body } = answer
      if (!isSuccess(status) || !v.is(v.array(serviceOrderSchema), body)) return unknown(`HTTP ${status}`)
      if (body.length === 0) return { outcome: 'absent' }
      // A network that does not know the filter lists everybody's orders: that is no "never seen".
      const own = body.find((order) => order.externalId === externalId)
      return own ? orderedAnswer(own, retryableCodes) : unknown('the network does not filter by externalId')
    },

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
