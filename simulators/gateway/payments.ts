import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authorise } from './authorise.ts'
import { takeFailure } from './failures.ts'
import { AdyenFault, createFaultResponse, isStoredAsResponse, isTransient } from './faults.ts'
import type { Gateway } from './gateway.ts'
import { newPspReference } from './keys.ts'
import { cancel, capturePayment, refund, technicalCancel } from './modifications.ts'
import type { Operation, Outcome } from './operation.ts'
import { disableStoredCard } from './stored-cards.ts'
import { operations } from './state.ts'
import type { TableChange, FailureKind, OperationName, SavedResponse } from './state.ts'

const handlers: Record<OperationName, Operation> = {
  authorise,
  capture: capturePayment,
  cancel,
  refund,
  technicalCancel,
  disable: disableStoredCard,
}
const maxKeyLength = 64

/** Serves the vendor's API: `POST /pal/servlet/Payment/v68/<operation>`. `disable` is the only operation from the Recurring API. */
export function servePayments(
  app: FastifyInstance,
  gateway: Gateway,
  options: { apiKey: string; closing: AbortSignal },
): void {
  const keysInProgress = new Set<string>()

  const handleOperation = async (operation: OperationName, request: FastifyRequest, reply: FastifyReply) => {
    if (request.headers['x-api-key'] !== options.apiKey) throw new AdyenFault('000')
    const key = readIdempotencyKey(request)
    if (key === null) return performOperation(operation, null, request, reply)
    reply.header('idempotency-key', key)
    if (keysInProgress.has(key)) throw new AdyenFault('704')
    keysInProgress.add(key)
    try {
      return await performOperation(operation, key, request, reply)
    } finally {
      keysInProgress.delete(key)
    }
  }

  const performOperation = async (
    operation: OperationName,
    key: string | null,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const { kind = null, delayMs = 0 } = takeFailure(gateway, operation, request.body) ?? {}
    if (kind === 'lost_request') return closeConnection(request, reply)
    if (kind === 'error_500') throw new AdyenFault('701')
    if (kind === 'refuse_at_once') throw new AdyenFault('167')
    const work = () => removeRefusalWebhook(handlers[operation](gateway, request.body, kind), kind)
    const { answer, isLost } = runIdempotently(gateway, key, work)
    // The operation's changes are kept even if the caller has given up or the simulator is closing.
    if (kind === 'slow') await wait(delayMs, undefined, { signal: options.closing }).catch(() => undefined)
    if (isLost || kind === 'lost_answer') return closeConnection(request, reply)
    const body =
      kind === 'other_reference' ? { ...(answer.body as object), pspReference: newPspReference() } : answer.body
    return reply.code(answer.status).send(body)
  }

  for (const operation of operations) {
    const api = operation === 'disable' ? 'Recurring' : 'Payment'
    app.post(`/pal/servlet/${api}/v68/${operation}`, (request, reply) => handleOperation(operation, request, reply))
  }
}

const removeRefusalWebhook = (outcome: Outcome, kind: FailureKind | null): Outcome =>
  kind === 'refuse_untold'
    ? { ...outcome, changes: outcome.changes.filter(({ table }) => table !== 'webhooks') }
    : outcome

/** Performs a request only once per idempotency key. A repeated key gets the first response again, whatever the new request contains. */
function runIdempotently(
  gateway: Gateway,
  key: string | null,
  work: () => Outcome,
): { answer: SavedResponse; isLost: boolean } {
  const savedResponse = key === null ? undefined : gateway.store.table('answers').get(key)
  if (savedResponse) return { answer: savedResponse, isLost: false }
  try {
    const { body: answerBody, changes, answerIsLost = false } = work()
    const answer = { status: 200, body: answerBody }
    gateway.commit([...changes, ...createResponseChanges(key, answer)])
    return { answer, isLost: answerIsLost }
  } catch (error) {
    if (!(error instanceof AdyenFault) || !isStoredAsResponse(error.code)) throw error
    const answer = createFaultResponse(error.code, newPspReference())
    gateway.commit(createResponseChanges(key, answer))
    return { answer, isLost: false }
  }
}

const createResponseChanges = (key: string | null, answer: SavedResponse): TableChange[] =>
  key === null ? [] : [{ table: 'answers', key, row: answer }]

function readIdempotencyKey(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || key === '') return null
  if (key.length > maxKeyLength) throw new AdyenFault('908')
  return key
}

function closeConnection(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack()
  request.raw.socket.destroy()
  return reply
}

export function sendFault(reply: FastifyReply, fault: AdyenFault): FastifyReply {
  const { status, body } = createFaultResponse(fault.code, newPspReference())
  if (isTransient(fault.code)) reply.header('transient-error', 'true')
  return reply.code(status).send(body)
}
