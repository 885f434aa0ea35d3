import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { domainToASCII } from 'node:url'
import { SMTPServer } from 'smtp-server'
import type { SMTPServerAuthentication, SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import type { FailureQueue } from '../failure-queue.ts'
import type { MailStore, AcceptedMail } from './mail-store.ts'
import { type MailFailureKind, type MailOperation, failureReplies } from './failures.ts'

export type SmtpOptions = {
  tls?: { cert: string; key: string; /** TLS from the first byte, instead of STARTTLS. */ implicit: boolean }
  login?: { user: string; password: string }
  maxBytes: number
}

export type SmtpDependencies = {
  box: MailStore
  failures: FailureQueue<MailOperation, MailFailureKind>
  /** Called for each message once it is on disk. */
  taken(mail: AcceptedMail): void
}

export type SmtpListener = { port: number; close(): Promise<void> }

type Done = (error?: Error | null) => void

export async function startSmtpListener(
  port: number,
  options: SmtpOptions,
  parts: SmtpDependencies,
): Promise<SmtpListener> {
  const abortController = new AbortController()
  const server: SMTPServer = new SMTPServer({
    ...buildAccessOptions(options),
    size: options.maxBytes,
    rejectOversized: true,
    disableReverseLookup: true,
    closeTimeout: 0,
    ...createHandlers(parts, abortController.signal, (session) => closeConnection(server, session)),
  })
  // Ignore broken connections: the sender will notice.
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => {
      abortController.abort()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function buildAccessOptions({ tls, login }: SmtpOptions): SMTPServerOptions {
  return {
    ...(tls && { cert: tls.cert, key: tls.key, secure: tls.implicit }),
    disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
    authOptional: !login,
    allowInsecureAuth: !tls,
    onAuth({ username, password }: SMTPServerAuthentication, _session, callback) {
      if (login && username === login.user && password === login.password) return callback(null, { user: username })
      return callback(createSmtpError([535, 'Wrong user or password']))
    },
  }
}

function createHandlers(
  { box, failures, taken }: SmtpDependencies,
  closing: AbortSignal,
  hangUp: (session: SMTPServerSession) => void,
): SMTPServerOptions {
  const withRequestedFailure = async (
    operation: MailOperation,
    go: (kind: MailFailureKind | null) => Error | null,
    done: Done,
  ) => {
    const { kind = null, delayMs = 0 } = failures.take(operation) ?? {}
    if (kind === 'slow') await delay(delayMs, undefined, { signal: closing }).catch(() => undefined)
    done(kind === 'busy' || kind === 'refuse' ? createSmtpError(failureReplies[operation][kind]) : go(kind))
  }
  return {
    onConnect: (_session, done) => void withRequestedFailure('connect', () => null, done),
    onMailFrom: (_address, _session, done) => void withRequestedFailure('mail', () => null, done),
    onRcptTo({ address }, _session, done) {
      const behaviour = box.behaviourOf(convertDomainToAscii(address))
      const failureReply = behaviour === 'ok' ? null : failureReplies.rcpt[behaviour === 'busy' ? 'busy' : 'refuse']
      void withRequestedFailure('rcpt', () => failureReply && createSmtpError(failureReply), done)
    },
    async onData(stream, session, done) {
      const messageSource = await buffer(stream).catch(() => null)
      // If the sender disconnects before finishing the message, nothing is accepted and there is nobody left to respond to.
      if (!messageSource) return
      const source = messageSource.toString('latin1')
      const acceptMessage = (kind: MailFailureKind | null) => {
        if (stream.sizeExceeded) return null
        taken(box.take({ ...toEnvelope(session), source }))
        if (kind === 'lost_answer') hangUp(session)
        return null
      }
      await withRequestedFailure('data', acceptMessage, done)
    },
  }
}

/** Converts an address's international domain back to ASCII, because the SMTP library decodes it. */
function convertDomainToAscii(address: string): string {
  const at = address.lastIndexOf('@') + 1
  return address.slice(0, at) + (domainToASCII(address.slice(at)) || address.slice(at))
}

const toEnvelope = ({ envelope, secure, user }: SMTPServerSession) => ({
  from: envelope.mailFrom === false ? '' : convertDomainToAscii(envelope.mailFrom.address),
  to: envelope.rcptTo.map(({ address }) => convertDomainToAscii(address)),
  tls: secure,
  user: typeof user === 'string' ? user : null,
})

function closeConnection(server: SMTPServer, session: SMTPServerSession): void {
  for (const connection of server.connections) if (connection.session === session) connection.close()
}

const createSmtpError = ([responseCode, text]: readonly [number, string]) =>
  Object.assign(new Error(text), { responseCode })
