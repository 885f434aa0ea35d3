import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { decimalToCents } from '#kit/contract/money.ts'
import { cancelQueuedPlanByOperator } from '#features/next-plan/server/next-plan.ts'
import { cancelOrderByOperator, retryOrderByOperator } from '#features/orders/server/order-actions.ts'
import { findOrderByCode, type Order } from '#features/orders/server/orders.store.ts'
import { refundOrder, retryRefundNow } from '#features/refunds/server/refunds.ts'
import { isPlanQueued } from '#features/services/server/queued-plans.store.ts'
import { viewOrder } from '#desk/features/orders/server/order-view.ts'
import type { Deps } from '../deps.ts'
import { getRequestActor, sendOutcome, isOrderCode } from './request.ts'

type CodeParams = { Params: { code: string } }

const amountSchema = v.optional(v.pipe(v.string(), v.regex(/^\d{1,7}\.\d{2}$/, 'Write an amount like 5.00.')))
const refundSchema = v.object({
  amount: amountSchema,
  /**
   * The refundable amount that the operator saw. If two operators refund an order at the same time, this makes the
   * server reject the second refund.
   */
  refundable: amountSchema,
  reason: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, 'A reason can have at most 200 characters.'))),
})

const noSuchOrder = { why: 'There is no order with this code.' }

export function orderRoutes(app: FastifyInstance, deps: Deps): void {
  const findByCode = async (code: string): Promise<Order | undefined> =>
    isOrderCode(code) ? findOrderByCode(deps.db, code) : undefined

  app.get<CodeParams>('/orders/:code', async ({ params: { code } }, reply) => {
    const order = isOrderCode(code) && (await viewOrder(deps, code))
    return order || reply.status(404).send(noSuchOrder)
  })

  app.post<CodeParams>('/orders/:code/refund', async (request, reply) => {
    const { code } = request.params
    if (!isOrderCode(code)) return reply.status(404).send(noSuchOrder)
    const parsed = v.safeParse(refundSchema, request.body ?? {})
    if (!parsed.success) return reply.status(400).send({ why: parsed.issues[0].message })
    const { amount, refundable, reason } = parsed.output
    const [amountCents, leftCents] = [amount, refundable].map((text) =>
      text === undefined ? undefined : decimalToCents(text),
    )
    return sendOutcome(
      reply,
      await refundOrder(deps, code, getRequestActor(request), { amountCents, leftCents, reason }),
    )
  })

  app.post<CodeParams>('/orders/:code/retry', async (request, reply) => {
    const order = await findByCode(request.params.code)
    if (!order) return reply.status(404).send(noSuchOrder)
    if (await retryRefundNow(deps, order, getRequestActor(request))) return { retried: 'refund' }
    const why = await retryOrderByOperator(deps, order, getRequestActor(request))
    return why === null ? { retried: 'order' } : reply.status(409).send({ why })
  })

  app.post<CodeParams>('/orders/:code/cancel', async (request, reply) => {
    const order = await findByCode(request.params.code)
    if (!order) return reply.status(404).send(noSuchOrder)
    const cancelPlanOrOrder = (await isPlanQueued(deps.db, order.id))
      ? cancelQueuedPlanByOperator
      : cancelOrderByOperator
    const why = await cancelPlanOrOrder(deps, order, getRequestActor(request))
    return why === null ? {} : reply.status(409).send({ why })
  })
}
