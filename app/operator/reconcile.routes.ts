import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { GatewayReportFault, type ReportedPayment } from '#providers/card/gateway-report.port.ts'
import { theSystem } from '#kit/server/actor.ts'
import { repeatErasures } from '#features/customers/server/erase.ts'
import { findLostOrders, readReport } from '#features/reconciliation/server/lost-orders.ts'
import { reconcile } from '#features/reconciliation/server/reconciliation.ts'
import type { Deps } from '../deps.ts'
import { instantOf } from '#kit/server/typed-instant.ts'
import { sendLines } from './lines.ts'

export type ReconcileLine = {
  finding?: string
  silent?: string
  repeated?: string
  checked?: number
  order_code?: string | null
  commands?: string[]
  /** Unknown payments in the gateway's report that are less than a day old. They may still be in progress. */
  too_young?: number
  not_compared?: string
  done?: true
}

const daysLookedAt = 7

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
    if (!since) return reply.status(400).send({ why: 'Write a day like 2026-12-01.' })
    try {
      // A file that is read only in part must not close its connection, because the response uses it.
      const payments = file && (await readReport(deps, file.iterator({ destroyOnReturn: false })))
      return sendLines(reply, deps, lines(deps, since, payments))
    } catch (error) {
      if (!(error instanceof GatewayReportFault)) throw error
      return reply.status(400).send({ why: error.message })
    }
  })
}

/** A complete response ends with `done`. Erasures that a restored backup lost are repeated first. */
async function* lines(
  deps: Deps,
  since: Temporal.Instant,
  payments: readonly ReportedPayment[] | null,
): AsyncGenerator<ReconcileLine> {
  for await (const { customer, why } of repeatErasures(deps, theSystem))
    yield {
      repeated: why
        ? `Customer ${customer} was restored and could not be erased again: ${why}`
        : `Customer ${customer} was restored and has been erased again`,
    }
  yield* reconcile(deps, since)
  if (payments) yield* findLostOrders(deps, { payments, since })
  else yield { not_compared: notCompared }
  yield { done: true }
}
