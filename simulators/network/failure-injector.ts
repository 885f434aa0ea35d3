import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { RequestFailure } from './failures.ts'
import { NetworkFault } from './fault.ts'

type Answer = { status: number; body: unknown; headers?: Record<string, string> }

const slowDelayMs = 3_000

export function createFailureInjector(app: FastifyInstance) {
  const abortController = new AbortController()
  app.addHook('preClose', async () => abortController.abort())

  return async (failure: RequestFailure | null, reply: FastifyReply, act: () => Answer): Promise<FastifyReply> => {
    if (failure === 'error_500') throw new NetworkFault(500, 'INTERNAL_ERROR', 'Something went wrong in the network.')
    // The request never gets a response. The connection stays open until the caller times out or this server closes.
    if (failure === 'timeout') return reply.hijack()
    if (failure === 'lost_answer') {
      try {
        act()
      } finally {
        reply.hijack()
        reply.raw.destroy()
      }
      return reply
    }
    const { status, body, headers = {} } = act()
    if (failure === 'slow') await delay(slowDelayMs, null, { signal: abortController.signal }).catch(() => {})
    return reply
      .code(status)
      .headers(headers)
      .send(failure ? falsifyResponse(body, failure) : body)
  }
}

type PresentedOrder = {
  state?: unknown
  serviceOrderItem?: { service?: { serviceCharacteristic?: { name: string; value: unknown }[] } }[]
}

function falsifyResponse(body: unknown, failure: RequestFailure): unknown {
  if (Array.isArray(body)) return body.map((each: unknown) => falsifyResponse(each, failure))
  if (typeof body !== 'object' || body === null) return body
  const order = structuredClone(body) as PresentedOrder
  if (failure === 'says_failed') order.state = 'failed'
  if (failure === 'says_unheard_of') order.state = 'marinating'
  const name = failure === 'names_other_sim' ? 'iccid' : failure === 'names_other_number' ? 'msisdn' : null
  for (const { service } of order.serviceOrderItem ?? [])
    for (const each of service?.serviceCharacteristic ?? [])
      if (each.name === name) each.value = String(each.value).replace(/\d{4}$/, '9042')
  return order
}
