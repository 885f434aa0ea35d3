import type { FastifyInstance, FastifyReply } from 'fastify'
import * as v from 'valibot'
import { fromWire } from '#kit/contract/money.ts'
import {
  cancelLostPayment,
  refundLostPayment,
  removeLostOperation,
  type Undone,
} from '#features/reconciliation/server/undo-lost.ts'
import type { Deps } from '../deps.ts'
import { actorOf } from './request.ts'

const reference = (what: string) =>
  v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/, `${what} can have letters, digits and hyphens only.`))
const payment = { psp_reference: reference('A gateway reference'), payment: reference('--payment') }
const refundWish = v.object({
  ...payment,
  amount: v.pipe(
    v.string('--amount is missing.'),
    v.regex(/^\d{1,7}\.\d{2}$/, 'Write --amount like 5.00.'),
    v.transform(fromWire),
    v.minValue(1, '--amount must be above 0.00.'),
  ),
})
const removeWish = v.object({
  external_id: reference('An operation ID'),
  iccid: v.pipe(v.string('--iccid is missing.'), v.regex(/^\d{18,20}$/, '--iccid must have 19 or 20 digits.')),
  msisdn: v.pipe(v.string('--msisdn is missing.'), v.regex(/^\+\d{8,15}$/, 'Write --msisdn like +64211234567.')),
})

export function lostOrderRoutes(app: FastifyInstance, deps: Deps): void {
  app.post('/lost-orders/refund', async (request, reply) => {
    const wish = v.safeParse(refundWish, request.body)
    if (!wish.success) return reply.status(400).send({ why: wish.issues[0].message })
    const { psp_reference: pspReference, payment: ours, amount } = wish.output
    return answerUndone(
      reply,
      await refundLostPayment(deps, { pspReference, reference: ours, amount }, actorOf(request)),
    )
  })
  app.post('/lost-orders/cancel', async (request, reply) => {
    const wish = v.safeParse(v.object(payment), request.body)
    if (!wish.success) return reply.status(400).send({ why: wish.issues[0].message })
    const { psp_reference: pspReference, payment: ours } = wish.output
    return answerUndone(reply, await cancelLostPayment(deps, { pspReference, reference: ours }, actorOf(request)))
  })
  app.post('/lost-orders/remove', async (request, reply) => {
    const wish = v.safeParse(removeWish, request.body)
    if (!wish.success) return reply.status(400).send({ why: wish.issues[0].message })
    const { external_id: externalId, iccid, msisdn } = wish.output
    return answerUndone(reply, await removeLostOperation(deps, { externalId, iccid, msisdn }, actorOf(request)))
  })
}

/** 409 only if nothing was done. An unknown outcome also has a reason, but is not a rejection. */
const answerUndone = (reply: FastifyReply, undone: Undone): object =>
  undone.outcome === 'impossible' ? reply.status(409).send({ why: undone.why }) : undone
