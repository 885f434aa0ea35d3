import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { fromWire, toWire } from '#kit/contract/money.ts'
import { listDocumentsOf } from '#features/invoices/server/invoices.store.ts'
import { presentPurchase } from '#features/invoices/server/invoices.present.ts'
import { findOrderByCode } from '#features/orders/server/orders.store.ts'
import { findRefundable } from '#features/refunds/server/refundable.ts'
import { type Refund, refundsOf } from '#features/refunds/server/refunds.store.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import type { Deps } from '../deps.ts'
import { actorOf, isOrderCode } from './request.ts'

export type OrderView = NonNullable<Awaited<ReturnType<typeof viewOrder>>>
type Code = { Params: { code: string } }

const refundWish = v.object({
  amount: v.optional(v.pipe(v.string(), v.regex(/^\d{1,7}\.\d{2}$/, 'An amount is written like 5.00.'))),
  reason: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, 'A reason has at most 200 characters.'))),
})

const noSuchOrder = { why: 'There is no such order.' }

export function orderRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<Code>('/orders/:code', async ({ params: { code } }, reply) => {
    const order = isOrderCode(code) && (await viewOrder(deps, code))
    return order || reply.status(404).send(noSuchOrder)
  })
  app.post<Code>('/orders/:code/refund', async (request, reply) => {
    const { code } = request.params
    if (!isOrderCode(code)) return reply.status(404).send(noSuchOrder)
    const wish = v.safeParse(refundWish, request.body ?? {})
    if (!wish.success) return reply.status(400).send({ why: wish.issues[0].message })
    const { amount, reason } = wish.output
    const amountCents = amount === undefined ? undefined : fromWire(amount)
    const result = await refundOrder(deps, code, actorOf(request), { amountCents, reason })
    return result.outcome === 'impossible' ? reply.status(409).send({ why: result.why }) : result
  })
}

const presentRefund = ({ reference, state, amount_cents, reason, refusal, created_at, retry_at }: Refund) => ({
  reference,
  state,
  amount: toWire(amount_cents),
  reason,
  refusal,
  created: created_at.toISOString(),
  next_try: retry_at?.toISOString() ?? null,
})

async function viewOrder({ db }: Deps, code: string) {
  const order = await findOrderByCode(db, code)
  if (!order) return null
  const refundable = await findRefundable(db, order)
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
    refunds: (await refundsOf(db, order.id)).map(presentRefund),
    // What can be given back now, or why nothing can.
    refundable: 'why' in refundable ? null : toWire(refundable.mostCents),
    refund_why: 'why' in refundable ? refundable.why : null,
    documents: (await listDocumentsOf(db, order.id)).map(presentPurchase),
  }
}
