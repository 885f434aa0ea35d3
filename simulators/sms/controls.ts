import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import type { FailureQueue } from '../failure-queue.ts'
import { recipientsSchema } from '../recipients.ts'
import { smsFailureSchema, type SmsFailureKind, type SmsOperation } from './failures.ts'
import type { TextStore } from './text-store.ts'

const outageSchema = v.strictObject({ away: v.boolean() })

export function serveControls(
  app: FastifyInstance,
  {
    texts,
    failures,
    setAway,
  }: { texts: TextStore; failures: FailureQueue<SmsOperation, SmsFailureKind>; setAway(away: boolean): void },
): void {
  app.get('/_simulator/ledger', () => texts.ledger())
  app.post('/_simulator/recipients', (request, reply) => {
    texts.setRecipients(v.parse(recipientsSchema, request.body))
    return reply.code(204).send()
  })
  app.get('/_simulator/failures', () => failures.pending())
  app.post('/_simulator/failures', (request, reply) => {
    failures.add(v.parse(smsFailureSchema, request.body))
    return reply.code(204).send()
  })
  app.delete('/_simulator/failures', (_request, reply) => {
    failures.clear()
    return reply.code(204).send()
  })
  app.put('/_simulator/away', (request, reply) => {
    setAway(v.parse(outageSchema, request.body).away)
    return reply.code(204).send()
  })
}
