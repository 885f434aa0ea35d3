import type { FastifyError, FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { requireCredentials, type SimulatorAccess } from '../access/require-credentials.ts'
import { createServer } from '../access/server.ts'
import { createFailureQueue } from '../failure-queue.ts'
import { acceptLoopbackOnly } from '../loopback.ts'
import type { Recipient } from '../recipients.ts'
import { serveControls } from './controls.ts'
import type { SmsFailure, SmsFailureKind, SmsOperation } from './failures.ts'
import { faultBody, SmsFault } from './message.ts'
import { messageRoutes } from './message.routes.ts'
import { openTextStore, type SmsLedgerLine } from './text-store.ts'

export type SmsSimulatorOptions = {
  port: number
  dataDir: string
  access?: SimulatorAccess
}

export type SmsSimulator = {
  url: string
  ledger(): SmsLedgerLine[]
  setRecipients(recipients: Recipient[]): void
  fail(failure: SmsFailure): void
  setAway(away: boolean): void
  close(): Promise<void>
}

export async function startSmsSimulator({ port, dataDir, access }: SmsSimulatorOptions): Promise<SmsSimulator> {
  const texts = openTextStore(dataDir)
  const failures = createFailureQueue<SmsOperation, SmsFailureKind>()
  let away = false
  const setUnavailable = (wanted: boolean): void => void (away = wanted)

  const app = createServer(access?.tls)
  acceptLoopbackOnly(app)
  requireCredentials(app, access)
  handleErrors(app)
  messageRoutes(app, { texts, failures, isAway: () => away })
  serveControls(app, { texts, failures, setAway: setUnavailable })

  const close = async (): Promise<void> => {
    await app.close()
    texts.close()
  }
  const url = await app.listen({ port, host: '127.0.0.1' })
  let closed: Promise<void> | undefined
  return {
    url,
    ledger: () => texts.ledger(),
    setRecipients: texts.setRecipients,
    fail: ({ times = 1, delay_ms = 15_000, ...failure }) => failures.add({ ...failure, times, delay_ms }),
    setAway: setUnavailable,
    close: () => (closed ??= close()),
  }
}

function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler<SmsFault | FastifyError | Error>((error, _request, reply) => {
    if (error instanceof SmsFault) return reply.code(error.status).send(faultBody(error))
    if (v.isValiError(error)) return reply.code(400).send(faultBody(new SmsFault(400, 'INVALID_BODY', error.message)))
    const { statusCode: status = 500, code = 'INTERNAL_ERROR', message } = error as FastifyError
    return reply.code(status).send(faultBody(new SmsFault(status, code, message)))
  })
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send(faultBody(new SmsFault(404, 'NOT_FOUND', `${request.method} is not supported at this path.`))),
  )
}
