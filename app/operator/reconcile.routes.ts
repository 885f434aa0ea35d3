import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { theSystem } from '#kit/server/actor.ts'
import { repeatErasures } from '#features/customers/server/erase.ts'
import { reconcile } from '#features/reconciliation/server/reconciliation.ts'
import type { Deps } from '../deps.ts'
import { instantOf } from '#kit/server/typed-instant.ts'

/** One line of the answer: something found, a provider that is silent, how far it has come, or that it is at its end. */
export type ReconcileLine = {
  finding?: string
  silent?: string
  repeated?: string
  checked?: number
  order_code?: string | null
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

export function reconcileRoutes(app: FastifyInstance, deps: Deps): void {
  app.post<{ Body: { since?: unknown } | null }>('/reconcile', async (request, reply) => {
    const said = request.body?.since
    const since =
      said === undefined
        ? deps.clock.now().subtract({ hours: 24 * daysLookedAt })
        : typeof said === 'string'
          ? instantOf(said, deps.market.zone)
          : null
    if (!since) return reply.status(400).send({ why: 'A day is written like 2026-12-01.' })
    return reply.type('application/x-ndjson').send(Readable.from(lines(deps, since)))
  })
}

async function* lines(deps: Deps, since: Temporal.Instant): AsyncGenerator<string> {
  const line = (what: ReconcileLine) => `${JSON.stringify(what)}\n`
  try {
    for (const repeat of repeatedAfterRestore) for await (const repeated of repeat(deps)) yield line({ repeated })
    for await (const found of reconcile(deps, since)) yield line(found)
    yield line({ done: true })
  } catch (error) {
    // Without its last line the answer is told apart from one that is whole.
    deps.log.error({ err: error }, 'reconciling failed')
  }
}
