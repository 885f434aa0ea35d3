import { connect, type Socket } from 'node:net'

/** Maximum bytes that a relay may send for one mail. Its replies have a few kilobytes, a TLS handshake included. */
const maxBytes = 256 * 1024
const checkMs = 50

type Place = { host?: string | undefined; port?: number | string | undefined; secure?: boolean | undefined }
type Done = (error: Error | null, socket?: { connection: Socket }) => void

/**
 * Opens a connection to a relay for nodemailer's `getSocket`, without TLS, which nodemailer adds. The connection ends once the relay
 * has sent too much: nodemailer's own limit counts a single reply, and no blank lines.
 */
export function openRelaySocket(
  { host = 'localhost', port, secure = false }: Place,
  timeoutMs: number,
  done: Done,
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
    // `bytesRead` also counts what arrives under TLS.
    const check = setInterval(() => {
      if (socket.bytesRead > maxBytes) socket.destroy(new Error('The relay sent more than its replies can have'))
    }, checkMs)
    socket.once('close', () => clearInterval(check))
    done(null, { connection: socket })
  })
}
