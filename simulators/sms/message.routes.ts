import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { FailureQueue } from '../failure-queue.ts'
import type { SmsFailureKind, SmsOperation } from './failures.ts'
import { parseSmsRequest, SmsFault } from './message.ts'
import type { AcceptedText, TextStore } from './text-store.ts'

const path = '/tmf-api/communicationManagement/v4/communicationMessage'

type Answer = { status: number; body: unknown }

/** Serves TMF681 for text messages: POST sends a message, and GET reads one by its id. */
export function messageRoutes(
  app: FastifyInstance,
  {
    texts,
    failures,
    isAway,
  }: { texts: TextStore; failures: FailureQueue<SmsOperation, SmsFailureKind>; isAway(): boolean },
): void {
  const abortController = new AbortController()
  app.addHook('preClose', async () => abortController.abort())

  const withRequestedFailure = async (
    operation: SmsOperation,
    reply: FastifyReply,
    act: (kind: SmsFailureKind | null) => Answer,
  ) => {
    if (isAway()) return closeConnection(reply)
    const { kind = null, delayMs = 0 } = failures.take(operation) ?? {}
    if (kind === 'lost_request') return closeConnection(reply)
    if (kind === 'error_500') throw new SmsFault(500, 'INTERNAL_ERROR', 'Something went wrong at the carrier.')
    if (kind === 'busy') throw new SmsFault(429, 'TOO_MANY_MESSAGES', 'Too many messages. Please try again later.')
    const { status, body } = act(kind)
    if (kind === 'lost_answer') return closeConnection(reply)
    if (kind === 'slow') await delay(delayMs, undefined, { signal: abortController.signal }).catch(() => undefined)
    return reply.code(status).send(body)
  }

  app.post(path, (request, reply) =>
    withRequestedFailure('send', reply, (kind) => {
      const smsRequest = parseSmsRequest(request.body, request.headers['idempotency-key'])
      const behaviour = texts.behaviourOf(smsRequest.to)
      if (behaviour === 'busy') throw new SmsFault(503, 'DESTINATION_BUSY', 'The number cannot be reached now.')
      if (behaviour === 'refused' || kind === 'refuse')
        throw new SmsFault(422, 'UNKNOWN_SUBSCRIBER', 'No phone has this number.')
      const { text, repeated } = texts.take(smsRequest, kind === 'failed' ? 'failed' : 'completed')
      return { status: repeated ? 200 : 201, body: presentText(text) }
    }),
  )

  app.get<{ Params: { id: string } }>(`${path}/:id`, (request, reply) =>
    withRequestedFailure('read', reply, () => {
      const text = texts.find(request.params.id)
      if (!text) throw new SmsFault(404, 'UNKNOWN_MESSAGE', 'No message has this id.')
      return { status: 200, body: presentText(text) }
    }),
  )
}

function closeConnection(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.destroy()
  return reply
}

function presentText({ id, at, externalId, to, sender, text, state }: AcceptedText) {
  return {
    id,
    href: `${path}/${id}`,
    messageType: 'SMS',
    content: text,
    sender: /^\+?\d+$/.test(sender) ? { phoneNumber: sender } : { name: sender },
    receiver: [{ id: '1', phoneNumber: to }],
    characteristic: externalId === null ? [] : [{ name: 'externalId', valueType: 'string', value: externalId }],
    sendTime: at,
    sendTimeComplete: at,
    state,
    '@type': 'CommunicationMessage',
  }
}
