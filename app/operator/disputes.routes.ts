import type { FastifyInstance } from 'fastify'
import { toWire } from '#kit/contract/money.ts'
import { type Dispute, listDisputes } from '#features/disputes/server/disputes.store.ts'
import { codesOf } from '#features/orders/server/orders.store.ts'
import type { Deps } from '../deps.ts'

export type DisputeView = ReturnType<typeof presentDispute>

/** As many as anybody wants to read. */
const mostDisputes = 500

export function disputeRoutes(app: FastifyInstance, { db }: Deps): void {
  app.get<{ Querystring: { all?: string } }>('/disputes', async ({ query: { all } }): Promise<DisputeView[]> => {
    const disputes = await listDisputes(db, { all: all === 'yes', limit: mostDisputes })
    const codes = await codesOf(
      db,
      disputes.map(({ order_id }) => order_id),
    )
    return disputes.map((dispute) => presentDispute(dispute, codes.get(dispute.order_id) ?? ''))
  })
}

export const presentDispute = (
  { psp_reference, state, amount_cents, currency, reason, due_at, created_at, changed_at }: Dispute,
  orderCode: string,
) => ({
  order_code: orderCode,
  psp_reference,
  state,
  amount: toWire(amount_cents),
  currency,
  reason,
  due: due_at?.toISOString() ?? null,
  created: created_at.toISOString(),
  changed: changed_at.toISOString(),
})
