import { connect, type Socket } from 'node:net'

/** Maximum number of bytes that a relay may send for one email. Its replies need a few kilobytes, including the TLS handshake. */
const maxBytes = 256 * 1024
const checkIntervalMs = 50

type RelayAddress = { host?: string | undefined; port?: number | string | undefined; secure?: boolean | undefined }
type SocketCallback = (error: Error | null, socket?: { connection: Socket }) => void

/**
 * Opens a connection to a relay for nodemailer's `getSocket`, without TLS, which nodemailer adds itself. The socket is closed once the
 * relay has sent more than `maxBytes`. Nodemailer's own limit applies only to a single reply and ignores blank lines.
 */
export function openRelaySocket(
  { host = 'localhost', port, secure = false }: RelayAddress,
  timeoutMs: number,
  done: SocketCallback,
): void {
  const socket = connect({ host, port: Number(port) || (secure ? 465 : 587) })
  const fail = (error: Error): void => done(error)
  socket.setTimeout(timeoutMs, () =>
    socket.destroy(Object.assign(new Error('Connection timeout'), { code: 'ETIMEDOUT' })),
  )
  socket.once('error', fail)
  socket.once('connect', () => {
    socket.removeListener('error', fail)
    socket.setTimeout(0).removeAllListeners('timeout')
    // `bytesRead` counts received bytes before decryption.
    const check = setInterval(() => {
      if (socket.bytesRead > maxBytes) socket.destroy(new Error('The relay sent more data than its replies can need'))
    }, checkIntervalMs)
    socket.once('close', () => clearInterval(check))
    done(null, { connection: socket })
  })
}
