import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { disputeOutcomes } from '#features/disputes/disputes.states.ts'
import { closeDisputeByOperator } from '#features/disputes/server/close-dispute.ts'
import { presentDispute } from '#features/disputes/server/disputes.present.ts'
import { findOrderCodes } from '#features/orders/server/orders.store.ts'
import { listDisputePage } from '#desk/features/money/server/money.view.ts'
import type { Deps } from '../deps.ts'
import { getRequestActor, sendOutcome } from './request.ts'

export type DisputeView = ReturnType<typeof presentDispute>

const maxDisputes = 500

const disputeClosureSchema = v.object({
  outcome: v.picklist(disputeOutcomes),
  note: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(500)), ''),
})

export function disputeRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  app.get<{ Querystring: { all?: string } }>('/disputes', async ({ query: { all } }): Promise<DisputeView[]> => {
    const list = all === 'yes' ? 'all' : 'waiting'
    const { rows } = await listDisputePage(db, { of: list, before: null, limit: maxDisputes })
    return rows.map((dispute) => presentDispute(dispute, dispute.order_code))
  })

  app.post<{ Params: { reference: string } }>('/disputes/:reference/close', async (request, reply) => {
    const parsed = v.safeParse(disputeClosureSchema, request.body)
    if (!parsed.success)
      return reply.status(400).send({
        why: `--outcome must be one of ${disputeOutcomes.join(', ')}. A note can have at most 500 characters.`,
      })
    const { outcome, note } = parsed.output
    const closedDispute = await closeDisputeByOperator(deps, {
      reference: request.params.reference,
      outcome,
      note: note || null,
      actor: getRequestActor(request),
    })
    if ('why' in closedDispute) return sendOutcome(reply, closedDispute)
    const codes = await findOrderCodes(db, [closedDispute.order_id])
    return presentDispute(closedDispute, codes.get(closedDispute.order_id) ?? '')
  })
}
