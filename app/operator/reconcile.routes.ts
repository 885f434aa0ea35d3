import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { GatewayReportFault, type ReportedPayment } from '#providers/card/gateway-report.port.ts'
import { theSystem } from '#kit/server/actor.ts'
import { repeatErasures } from '#features/customers/server/erase.ts'
import { findLostOrders, readReport } from '#features/reconciliation/server/lost-orders.ts'
import { reconcile } from '#features/reconciliation/server/reconciliation.ts'
import type { Deps } from '../deps.ts'
import { instantOf } from '#kit/server/typed-instant.ts'

/** One line of the answer: something found, a provider that is silent, how far it has come, what it left out, or that it is at its end. */
export type ReconcileLine = {
  finding?: string
  silent?: string
  repeated?: string
  checked?: number
  order_code?: string | null
  /** Commands of this tool that would undo what was found. */
  commands?: string[]
  /** Unknown payments of the gateway's report that are younger than a day: they may be under way. */
  too_young?: number
  not_compared?: string
  done?: true
}

/**
 * What else is done again once a backup has been restored, so that what was done after it is not lost: each answers a line for what
 * it did, and changes nothing when it is repeated.
 */
const repeatedAfterRestore: ((deps: Deps) => AsyncIterable<string>)[] = [erasuresAgain]

async function* erasuresAgain(deps: Deps): AsyncGenerator<string> {
  for await (const { customer, why } of repeatErasures(deps, theSystem))
    yield why
      ? `${customer} is there again and could not be erased: ${why}`
      : `${customer} was there again, and is erased`
}

const daysLookedAt = 7

/** What a comparison without the gateway's report cannot find. */
const notCompared = 'payments that only the gateway knows are not compared, nor are orders that only the network knows'

type Wish = { since?: unknown }

export function reconcileRoutes(app: FastifyInstance, deps: Deps): void {
  app.post<{ Body: Wish | Readable | null; Querystring: Wish }>('/reconcile', async (request, reply) => {
    const file = request.body instanceof Readable ? request.body : null
    const said = file ? request.query.since : (request.body as Wish | null)?.since
    const since =
      said === undefined
        ? deps.clock.now().subtract({ hours: 24 * daysLookedAt })
        : typeof said === 'string'
          ? instantOf(said, deps.market.zone)
          : null
    if (!since) return reply.status(400).send({ why: 'A day is written like 2026-12-01.' })
    try {
      // A file that is read to the middle only must not take its connection along, which has the answer.
      const payments = file && (await readReport(deps, file.iterator({ destroyOnReturn: false })))
      return reply.type('application/x-ndjson').send(Readable.from(lines(deps, since, payments)))
    } catch (error) {
      if (!(error instanceof GatewayReportFault)) throw error
      return reply.status(400).send({ why: error.message })
    }
  })
}

async function* lines(
  deps: Deps,
  since: Temporal.Instant,
  payments: readonly ReportedPayment[] | null,
): AsyncGenerator<string> {
  const line = (what: ReconcileLine) => `${JSON.stringify(what)}\n`
  try {
    for (const repeat of repeatedAfterRestore) for await (const repeated of repeat(deps)) yield line({ repeated })
    for await (const found of reconcile(deps, since)) yield line(found)
    if (payments) for await (const found of findLostOrders(deps, { payments, since })) yield line(found)
    else yield line({ not_compared: notCompared })
    yield line({ done: true })
  } catch (error) {
    // Without its last line the answer is told apart from one that is whole.
    deps.log.error({ err: error }, 'reconciling failed')
  }
}
