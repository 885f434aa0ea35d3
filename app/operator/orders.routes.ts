import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { fromWire } from '#kit/contract/money.ts'
import { cancelPlanByOperator } from '#features/next-plan/server/next-plan.ts'
import { cancelByOperator, retryByOperator } from '#features/orders/server/order-acts.ts'
import { findOrderByCode, type Order } from '#features/orders/server/orders.store.ts'
import { refundOrder, retryRefundNow } from '#features/refunds/server/refunds.ts'
import { isPlanWaiting } from '#features/services/server/queued-plans.store.ts'
import { viewOrder } from '#desk/features/orders/server/order-view.ts'
import type { Deps } from '../deps.ts'
import { actorOf, answer, isOrderCode } from './request.ts'

type Code = { Params: { code: string } }

const sum = v.optional(v.pipe(v.string(), v.regex(/^\d{1,7}\.\d{2}$/, 'Write an amount like 5.00.')))
const refundWish = v.object({
  amount: sum,
  /** Refundable amount that the operator saw. If two operators refund the same amount at once, the second one is rejected. */
  refundable: sum,
  reason: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, 'A reason can have at most 200 characters.'))),
})

const noSuchOrder = { why: 'There is no order with this code.' }

export function orderRoutes(app: FastifyInstance, deps: Deps): void {
  const find = async (code: string): Promise<Order | undefined> =>
    isOrderCode(code) ? findOrderByCode(deps.db, code) : undefined

  app.get<Code>('/orders/:code', async ({ params: { code } }, reply) => {
    const order = isOrderCode(code) && (await viewOrder(deps, code))
    return order || reply.status(404).send(noSuchOrder)
  })

  app.post<Code>('/orders/:code/refund', async (request, reply) => {
    const { code } = request.params
    if (!isOrderCode(code)) return reply.status(404).send(noSuchOrder)
    const wish = v.safeParse(refundWish, request.body ?? {})
    if (!wish.success) return reply.status(400).send({ why: wish.issues[0].message })
    const { amount, refundable, reason } = wish.output
    const [amountCents, leftCents] = [amount, refundable].map((text) =>
      text === undefined ? undefined : fromWire(text),
    )
    return answer(reply, await refundOrder(deps, code, actorOf(request), { amountCents, leftCents, reason }))
  })

  app.post<Code>('/orders/:code/retry', async (request, reply) => {
    const order = await find(request.params.code)
    if (!order) return reply.status(404).send(noSuchOrder)
    if (await retryRefundNow(deps, order, actorOf(request))) return { retried: 'refund' }
    const why = await retryByOperator(deps, order, actorOf(request))
    return why === null ? { retried: 'order' } : reply.status(409).send({ why })
  })

  app.post<Code>('/orders/:code/cancel', async (request, reply) => {
    const order = await find(request.params.code)
    if (!order) return reply.status(404).send(noSuchOrder)
    const cancel = (await isPlanWaiting(deps.db, order.id)) ? cancelPlanByOperator : cancelByOperator
    const why = await cancel(deps, order, actorOf(request))
    return why === null ? {} : reply.status(409).send({ why })
  })
}
