import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import type { FailureQueue } from '../failure-queue.ts'
import { recipientsSchema } from '../recipients.ts'
import type { MailStore } from './mail-store.ts'
import { plainTextOf } from './plain-text.ts'
import { mailFailureSchema, type MailFailureKind, type MailOperation } from './failures.ts'

const outageSchema = v.strictObject({ away: v.boolean() })

export function serveControls(
  app: FastifyInstance,
  {
    box,
    failures,
    setAway,
  }: { box: MailStore; failures: FailureQueue<MailOperation, MailFailureKind>; setAway(away: boolean): Promise<void> },
): void {
  app.setErrorHandler((error, _request, reply) => {
    const { statusCode = 500, message } = error as Error & { statusCode?: number }
    return reply.code(v.isValiError(error) ? 400 : statusCode).send({ error: message })
  })
  app.get('/_simulator/ledger', () => box.ledger())
  app.get<{ Params: { id: string } }>('/_simulator/messages/:id', (request, reply) => {
    const mail = box.find(request.params.id)
    if (!mail) return reply.code(404).send({ error: 'No message has this id.' })
    return reply.type('message/rfc822').send(Buffer.from(mail.source, 'latin1'))
  })
  app.get('/_simulator/texts', (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(
      box
        .list()
        .map(({ source }) => plainTextOf(source))
        .join('\n'),
    ),
  )
  app.post('/_simulator/recipients', (request, reply) => {
    box.setRecipients(v.parse(recipientsSchema, request.body))
    return reply.code(204).send()
  })
  app.get('/_simulator/failures', () => failures.pending())
  app.post('/_simulator/failures', (request, reply) => {
    failures.add(v.parse(mailFailureSchema, request.body))
    return reply.code(204).send()
  })
  app.delete('/_simulator/failures', (_request, reply) => {
    failures.clear()
    return reply.code(204).send()
  })
  app.put('/_simulator/away', async (request, reply) => {
    await setAway(v.parse(outageSchema, request.body).away)
    return reply.code(204).send()
  })
}
