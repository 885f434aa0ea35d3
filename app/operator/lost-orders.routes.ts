import type { FastifyInstance, FastifyReply } from 'fastify'
import * as v from 'valibot'
import { decimalToCents } from '#kit/contract/money.ts'
import {
  cancelLostPayment,
  refundLostPayment,
  removeLostOperation,
  type ReversalResult,
} from '#features/reconciliation/server/undo-lost-operations.ts'
import type { Deps } from '../deps.ts'
import { getRequestActor } from './request.ts'

const referenceSchema = (name: string) =>
  v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/, `${name} can only contain letters, digits and hyphens.`))
const paymentFields = { psp_reference: referenceSchema('A gateway reference'), payment: referenceSchema('--payment') }
const refundSchema = v.object({
  ...paymentFields,
  amount: v.pipe(
    v.string('--amount is missing.'),
    v.regex(/^\d{1,7}\.\d{2}$/, 'Write --amount like 5.00.'),
    v.transform(decimalToCents),
    v.minValue(1, '--amount must be above 0.00.'),
  ),
})
const lineRemovalSchema = v.object({
  external_id: referenceSchema('An operation ID'),
  iccid: v.pipe(v.string('--iccid is missing.'), v.regex(/^\d{18,20}$/, '--iccid must have 19 or 20 digits.')),
  msisdn: v.pipe(v.string('--msisdn is missing.'), v.regex(/^\+\d{8,15}$/, 'Write --msisdn like +64211234567.')),
})

export function lostOrderRoutes(app: FastifyInstance, deps: Deps): void {
  app.post('/lost-orders/refund', async (request, reply) => {
    const parsed = v.safeParse(refundSchema, request.body)
    if (!parsed.success) return reply.status(400).send({ why: parsed.issues[0].message })
    const { psp_reference: pspReference, payment: paymentReference, amount } = parsed.output
    return sendReversalResult(
      reply,
      await refundLostPayment(deps, { pspReference, reference: paymentReference, amount }, getRequestActor(request)),
    )
  })
  app.post('/lost-orders/cancel', async (request, reply) => {
    const parsed = v.safeParse(v.object(paymentFields), request.body)
    if (!parsed.success) return reply.status(400).send({ why: parsed.issues[0].message })
    const { psp_reference: pspReference, payment: paymentReference } = parsed.output
    return sendReversalResult(
      reply,
      await cancelLostPayment(deps, { pspReference, reference: paymentReference }, getRequestActor(request)),
    )
  })
  app.post('/lost-orders/remove', async (request, reply) => {
    const parsed = v.safeParse(lineRemovalSchema, request.body)
    if (!parsed.success) return reply.status(400).send({ why: parsed.issues[0].message })
    const { external_id: externalId, iccid, msisdn } = parsed.output
    return sendReversalResult(
      reply,
      await removeLostOperation(deps, { externalId, iccid, msisdn }, getRequestActor(request)),
    )
  })
}

/** Responds with 409 only if nothing was changed. A result with an unknown outcome also has a reason, but its status is 200. */
const sendReversalResult = (reply: FastifyReply, undone: ReversalResult): object =>
  undone.outcome === 'impossible' ? reply.status(409).send({ why: undone.why }) : undone
