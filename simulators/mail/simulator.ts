import Fastify from 'fastify'
import { createFailureQueue } from '../failure-queue.ts'
import { answerLoopbackOnly } from '../loopback.ts'
import type { Recipient } from '../recipients.ts'
import { openBox, type MailLine } from './box.ts'
import { serveControls } from './controls.ts'
import type { MailFailure, MailFailureKind, MailOperation } from './failures.ts'
import { createForwarding } from './forward.ts'
import { listenToSmtp, type SmtpListener, type SmtpOptions } from './smtp.ts'

export type MailSimulatorOptions = {
  /** Of SMTP; 0 picks a free one. */
  port: number
  /** Of the controls over HTTP; 0, as unless said otherwise, picks a free one. */
  controlPort?: number
  /** Where the journal is kept; made where it is absent. One simulator for each. */
  dataDir: string
  tls?: SmtpOptions['tls']
  login?: SmtpOptions['login']
  /** Bytes of the largest message; 10 MB unless said otherwise. */
  maxBytes?: number
  /** `smtp://host:port` that what was taken is passed on to; nowhere unless said otherwise. */
  forwardTo?: string
  /** What is passed on gets a Message-ID of the relay's own, as some relays have it. */
  newMessageIds?: boolean
}

export type MailSimulator = {
  /** As the product's `SMTP_URL` has it, login included: `smtp://` or, with TLS from the first byte, `smtps://`. */
  url: string
  /** `http://127.0.0.1:<port>`; the controls are under `/_simulator/`. */
  controlUrl: string
  /** What it took charge of, oldest first. */
  ledger(): MailLine[]
  /** Says who takes no mail. */
  setRecipients(recipients: Recipient[]): void
  /** Asks for a failure of the deliveries to come; they are used up oldest first. */
  fail(failure: MailFailure): void
  /** Nobody listens any more, or again on the same port. */
  setAway(away: boolean): Promise<void>
  /** Ends it, cutting what is under way. */
  close(): Promise<void>
}

/** Starts a mail relay on loopback that speaks SMTP and keeps what it took. */
export async function startMailSimulator(options: MailSimulatorOptions): Promise<MailSimulator> {
  const { port, controlPort = 0, dataDir, maxBytes = 10_000_000, forwardTo, newMessageIds = false, ...access } = options
  const box = openBox(dataDir)
  const failures = createFailureQueue<MailOperation, MailFailureKind>()
  const forwarding = createForwarding(forwardTo, newMessageIds)
  const parts = { box, failures, taken: (mail: Parameters<typeof forwarding.pass>[0]) => void forwarding.pass(mail) }
  const listen = (at: number) => listenToSmtp(at, { ...access, maxBytes }, parts)
  let listener: SmtpListener | null = await listen(port)
  const smtpPort = listener.port
  const setAway = async (away: boolean): Promise<void> => {
    if (away) await listener?.close()
    if (away) listener = null
    else listener ??= await listen(smtpPort)
  }

  const app = Fastify({ forceCloseConnections: true })
  answerLoopbackOnly(app)
  serveControls(app, { box, failures, setAway })
  const close = async (): Promise<void> => {
    await Promise.all([app.close(), listener?.close()])
    forwarding.close()
    box.close()
  }
  const controlUrl = await app.listen({ port: controlPort, host: '127.0.0.1' })
  let closed: Promise<void> | undefined
  return {
    url: urlOf(smtpPort, access),
    controlUrl,
    ledger: () => box.ledger(),
    setRecipients: box.setRecipients,
    fail: ({ times = 1, delay_ms = 15_000, ...failure }) => failures.add({ ...failure, times, delay_ms }),
    setAway,
    close: () => (closed ??= close()),
  }
}

function urlOf(port: number, { tls, login }: Pick<SmtpOptions, 'tls' | 'login'>): string {
  const who = login ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@` : ''
  return `${tls?.implicit ? 'smtps' : 'smtp'}://${who}localhost:${port}`
}
