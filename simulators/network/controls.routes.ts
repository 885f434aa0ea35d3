import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { eventModes } from './events.ts'
import type { Events } from './events.ts'
import { failureSchema } from './failures.ts'
import type { Failures } from './failures.ts'
import { listBehaviourSchema } from './list-behaviour.ts'
import type { Network } from './network.ts'
import { NetworkFault } from './fault.ts'
import { identifierSchemas, parse } from './order-request.ts'
import { importProducts } from './products.ts'
import { buildLedger } from './orders.ts'
import { setTransferState } from './port-in.ts'
import type { OrderProgress } from './progress.ts'
import { getMsisdn, portStates } from './state.ts'
import { importPorts, importSims } from './stock.ts'

const eventsBodySchema = v.object({ mode: v.picklist(eventModes) })
/** A request body that records usage now. The amount is MB of data, seconds of a call, or a number of messages. */
const usageBodySchema = v.object({
  iccid: identifierSchemas.iccid,
  type: v.picklist(['data', 'voice', 'sms']),
  amount: v.pipe(v.number(), v.minValue(0)),
  destination: v.optional(v.nullable(v.string()), null),
})
const portStateBodySchema = v.object({
  msisdn: identifierSchemas.msisdn,
  state: v.picklist(portStates),
  code: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(100))),
})
const clockBodySchema = v.object({ offset_ms: v.pipe(v.number(), v.safeInteger()) })

type NetworkParts = { network: Network; progress: OrderProgress; events: Events; failures: Failures }

export function controlRoutes(app: FastifyInstance, { network, progress, events, failures }: NetworkParts): void {
  app.get('/_simulator/ledger', () => buildLedger(network))
  app.get('/_simulator/lines', () => presentLines(network))

  app.post('/_simulator/sims', (request, reply) => {
    importSims(network, request.body)
    return reply.code(204).send()
  })
  app.post('/_simulator/ports', (request, reply) => {
    importPorts(network, request.body)
    return reply.code(204).send()
  })

  app.post('/_simulator/ports/play', (request, reply) => {
    setTransferState(network, progress, parse(portStateBodySchema, request.body))
    return reply.code(204).send()
  })

  app.post('/_simulator/products', (request, reply) => {
    importProducts(network, request.body)
    return reply.code(204).send()
  })
  app.post('/_simulator/uses', (request, reply) => {
    const { iccid, ...use } = parse(usageBodySchema, request.body)
    if (!network.state.sims.has(iccid)) throw new NetworkFault(404, 'UNKNOWN_SIM', 'No SIM has this ICCID.')
    network.record({ type: 'used', iccid, use: { at: network.now(), ...use } })
    return reply.code(204).send()
  })

  app.get('/_simulator/failures', () => failures.pending())
  app.post('/_simulator/failures', (request, reply) => {
    failures.add(parse(failureSchema, request.body))
    return reply.code(204).send()
  })
  app.delete('/_simulator/failures', (_request, reply) => {
    failures.clear()
    return reply.code(204).send()
  })

  app.post('/_simulator/events', (request, reply) => {
    events.setMode(parse(eventsBodySchema, request.body).mode)
    return reply.code(204).send()
  })
  app.post('/_simulator/events/release', () => ({ released: events.release() }))

  app.post('/_simulator/lists', (request, reply) => {
    network.lists = parse(listBehaviourSchema, request.body)
    return reply.code(204).send()
  })

  app.get('/_simulator/clock', () => presentClock(network))
  app.put('/_simulator/clock', (request) => {
    setClockOffset(network, progress, parse(clockBodySchema, request.body).offset_ms)
    return presentClock(network)
  })
}

export function setClockOffset(network: Network, progress: OrderProgress, offsetMs: number): void {
  if (offsetMs !== network.state.clockOffsetMs) network.record({ type: 'clock_set', offsetMs })
  progress.catchUp()
}

function presentClock(network: Network) {
  return { offset_ms: network.state.clockOffsetMs, now: new Date(network.now()).toISOString() }
}

function presentLines({ state }: Network) {
  return [...state.sims.values()].flatMap(({ iccid, line }) =>
    line
      ? [
          {
            iccid,
            msisdn: getMsisdn(line),
            plans: line.plans.map(presentProduct),
            addons: line.addons.map(presentProduct),
          },
        ]
      : [],
  )
}

function presentProduct({ sku, startsAt }: { sku: string; startsAt: string }) {
  return { sku, starts_at: startsAt }
}
