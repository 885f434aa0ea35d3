import Fastify from 'fastify'
import { createFailureQueue } from '../failure-queue.ts'
import { acceptLoopbackOnly } from '../loopback.ts'
import type { Recipient } from '../recipients.ts'
import { openMailStore, type MailLedgerLine } from './mail-store.ts'
import { serveControls } from './controls.ts'
import type { MailFailure, MailFailureKind, MailOperation } from './failures.ts'
import { createForwarder } from './forward.ts'
import { startSmtpListener, type SmtpListener, type SmtpOptions } from './smtp.ts'

export type MailSimulatorOptions = {
  port: number
  controlPort?: number
  /** The folder for the simulator's data. No two simulators may share one. */
  dataDir: string
  tls?: SmtpOptions['tls']
  login?: SmtpOptions['login']
  maxBytes?: number
  forwardTo?: string
  newMessageIds?: boolean
}

export type MailSimulator = {
  /**
   * A URL with login details, for use as the application's `SMTP_URL`. The scheme is `smtps://` if connections start with TLS, and
   * otherwise `smtp://`.
   */
  url: string
  controlUrl: string
  ledger(): MailLedgerLine[]
  setRecipients(recipients: Recipient[]): void
  fail(failure: MailFailure): void
  setAway(away: boolean): Promise<void>
  close(): Promise<void>
}

export async function startMailSimulator(options: MailSimulatorOptions): Promise<MailSimulator> {
  const { port, controlPort = 0, dataDir, maxBytes = 10_000_000, forwardTo, newMessageIds = false, ...access } = options
  const box = openMailStore(dataDir)
  const failures = createFailureQueue<MailOperation, MailFailureKind>()
  const forwarder = createForwarder(forwardTo, newMessageIds)
  const parts = { box, failures, taken: (mail: Parameters<typeof forwarder.pass>[0]) => void forwarder.pass(mail) }
  const listen = (at: number) => startSmtpListener(at, { ...access, maxBytes }, parts)
  let listener: SmtpListener | null = await listen(port)
  const smtpPort = listener.port
  const setUnavailable = async (away: boolean): Promise<void> => {
    if (away) await listener?.close()
    if (away) listener = null
    else listener ??= await listen(smtpPort)
  }

  const app = Fastify({ forceCloseConnections: true })
  acceptLoopbackOnly(app)
  serveControls(app, { box, failures, setAway: setUnavailable })
  const close = async (): Promise<void> => {
    await Promise.all([app.close(), listener?.close()])
    forwarder.close()
    box.close()
  }
  const controlUrl = await app.listen({ port: controlPort, host: '127.0.0.1' })
  let closed: Promise<void> | undefined
  return {
    url: buildSmtpUrl(smtpPort, access),
    controlUrl,
    ledger: () => box.ledger(),
    setRecipients: box.setRecipients,
    fail: ({ times = 1, delay_ms = 15_000, ...failure }) => failures.add({ ...failure, times, delay_ms }),
    setAway: setUnavailable,
    close: () => (closed ??= close()),
  }
}

function buildSmtpUrl(port: number, { tls, login }: Pick<SmtpOptions, 'tls' | 'login'>): string {
  const credentials = login ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@` : ''
  return `${tls?.implicit ? 'smtps' : 'smtp'}://${credentials}localhost:${port}`
}
