import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { disputeOutcomes } from '#features/disputes/disputes.states.ts'
import { closeByOperator } from '#features/disputes/server/close-dispute.ts'
import { presentDispute } from '#features/disputes/server/disputes.present.ts'
import { codesOf } from '#features/orders/server/orders.store.ts'
import { listDisputesOf } from '#desk/features/money/server/money.view.ts'
import type { Deps } from '../deps.ts'
import { actorOf, answer } from './request.ts'

export type DisputeView = ReturnType<typeof presentDispute>

const mostDisputes = 500

const closing = v.object({
  outcome: v.picklist(disputeOutcomes),
  note: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(500)), ''),
})

export function disputeRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  app.get<{ Querystring: { all?: string } }>('/disputes', async ({ query: { all } }): Promise<DisputeView[]> => {
    const of = all === 'yes' ? 'all' : 'waiting'
    const { rows } = await listDisputesOf(db, { of, before: null, limit: mostDisputes })
    return rows.map((dispute) => presentDispute(dispute, dispute.order_code))
  })

  app.post<{ Params: { reference: string } }>('/disputes/:reference/close', async (request, reply) => {
    const said = v.safeParse(closing, request.body)
    if (!said.success)
      return reply.status(400).send({
        why: `--outcome must be one of ${disputeOutcomes.join(', ')}. A note can have at most 500 characters.`,
      })
    const { outcome, note } = said.output
    const closed = await closeByOperator(deps, {
      reference: request.params.reference,
      outcome,
      note: note || null,
      actor: actorOf(request),
    })
    if ('why' in closed) return answer(reply, closed)
    const codes = await codesOf(db, [closed.order_id])
    return presentDispute(closed, codes.get(closed.order_id) ?? '')
  })
}
