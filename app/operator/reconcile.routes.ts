import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { GatewayReportError, type ReportedPayment } from '#providers/card/gateway-report.port.ts'
import { systemActor } from '#kit/server/actor.ts'
import { repeatErasures } from '#features/customers/server/erase-customer.ts'
import { findLostOrders, readGatewayPayments } from '#features/reconciliation/server/lost-orders.ts'
import { reconcile } from '#features/reconciliation/server/reconciliation.ts'
import type { Deps } from '../deps.ts'
import { parseLocalInstant } from '#kit/server/parse-instant.ts'
import { sendJsonLines } from './send-json-lines.ts'

export type ReconciliationLine = {
  finding?: string
  silent?: string
  repeated?: string
  checked?: number
  order_code?: string | null
  commands?: string[]
  /** Number of payments that appear only in the gateway's records and are less than a day old. Such payments may still be in progress. */
  too_young?: number
  not_compared?: string
  done?: true
}

const defaultDays = 7

const partialComparisonNotice =
  'payments that only the gateway knows are not compared, nor are orders that only the network knows'

type ReconciliationRequest = { since?: unknown }

export function reconcileRoutes(app: FastifyInstance, deps: Deps): void {
  app.post<{ Body: ReconciliationRequest | Readable | null; Querystring: ReconciliationRequest }>(
    '/reconcile',
    async (request, reply) => {
      const file = request.body instanceof Readable ? request.body : null
      const sinceInput = file ? request.query.since : (request.body as ReconciliationRequest | null)?.since
      const since =
        sinceInput === undefined
          ? deps.clock.now().subtract({ hours: 24 * defaultDays })
          : typeof sinceInput === 'string'
            ? parseLocalInstant(sinceInput, deps.market.zone)
            : null
      if (!since) return reply.status(400).send({ why: 'Write a day like 2026-12-01.' })
      try {
        // Reading only part of an uploaded file must not close the connection, because the response is sent over it.
        const payments = file && (await readGatewayPayments(deps, file.iterator({ destroyOnReturn: false })))
        return sendJsonLines(reply, deps, reconcileLines(deps, since, payments))
      } catch (error) {
        if (!(error instanceof GatewayReportError)) throw error
        return reply.status(400).send({ why: error.message })
      }
    },
  )
}

/**
 * Yields the lines of a reconciliation report; the last line is `done`. Before reconciling, repeats any erasures that were lost when a
 * backup was restored.
 */
async function* reconcileLines(
  deps: Deps,
  since: Temporal.Instant,
  payments: readonly ReportedPayment[] | null,
): AsyncGenerator<ReconciliationLine> {
  for await (const { customer, why } of repeatErasures(deps, systemActor))
    yield {
      repeated: why
        ? `Customer ${customer} was restored from a backup and could not be erased again: ${why}`
        : `Customer ${customer} was restored from a backup and has been erased again`,
    }
  yield* reconcile(deps, since)
  if (payments) yield* findLostOrders(deps, { payments, since })
  else yield { not_compared: partialComparisonNotice }
  yield { done: true }
}
