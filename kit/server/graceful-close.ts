import type { Server } from 'node:http'

/**
 * Milliseconds before idle connections are closed. A proxy sends its request as soon as it connects, so this is long enough. Only a
 * shutdown waits this long.
 */
const idleCloseDelayMs = 50
/**
 * Milliseconds before a shutdown cuts all connections. A Node server that is closing no longer applies its timeouts to incomplete requests,
 * and the rest of the shutdown needs time too.
 */
const maxCloseMs = 6_000

/**
 * Makes a server close without losing requests. A Node server that is closing ends idle connections, including new ones whose request is
 * still on its way, and a proxy could not resend a POST to a different process. So the server stops accepting connections but gives idle
 * ones a moment. Connections that stay busy are cut eventually; otherwise, a client that sent half a request could keep a worker from
 * returning its jobs.
 */
export function enableGracefulClose(server: Server): void {
  const closeIdle = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => {
    // Idle connections are closed repeatedly, because a connection may become idle after its last request.
    const timer = setInterval(closeIdle, idleCloseDelayMs)
    const cutOffTimer = setTimeout(() => server.closeAllConnections(), maxCloseMs)
    server.once('close', () => {
      clearInterval(timer)
      clearTimeout(cutOffTimer)
    })
  }
}
