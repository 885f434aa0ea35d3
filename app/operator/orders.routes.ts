import type { FastifyInstance } from 'fastify'
import { toWire } from '#kit/contract/money.ts'
import { listDocumentsOf } from '#features/invoices/server/invoices.store.ts'
import { presentPurchase } from '#features/invoices/server/invoices.present.ts'
import { findOrderByCode } from '#features/orders/server/orders.store.ts'
import { findRefundOf } from '#features/refunds/server/refunds.store.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import type { Deps } from '../deps.ts'
import { actorOf, isOrderCode } from './request.ts'

export type OrderView = NonNullable<Awaited<ReturnType<typeof viewOrder>>>
type Code = { Params: { code: string } }

const noSuchOrder = { why: 'There is no such order.' }

export function orderRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<Code>('/orders/:code', async ({ params: { code } }, reply) => {
    const order = isOrderCode(code) && (await viewOrder(deps, code))
    return order || reply.status(404).send(noSuchOrder)
  })
  app.post<Code>('/orders/:code/refund', async (request, reply) => {
    const { code } = request.params
    if (!isOrderCode(code)) return reply.status(404).send(noSuchOrder)
    const result = await refundOrder(deps, code, actorOf(request))
    return result.outcome === 'impossible' ? reply.status(409).send({ why: result.why }) : result
  })
}

async function viewOrder({ db }: Deps, code: string) {
  const order = await findOrderByCode(db, code)
  if (!order) return null
  const refund = await findRefundOf(db, order.id)
  return {
    order_code: order.order_code,
    kind: order.kind,
    state: order.state,
    title: order.product.title,
    amount: toWire(order.amount_cents),
    currency: order.currency,
    email: order.email,
    full_name: order.full_name,
    msisdn: order.msisdn,
    created: order.created_at.toISOString(),
    refund: refund?.state ?? null,
    documents: (await listDocumentsOf(db, order.id)).map(presentPurchase),
  }
}
