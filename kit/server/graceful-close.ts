import type { Server } from 'node:http'

/**
 * Milliseconds that idle connections get. A proxy sends its request as soon as it is connected, so this is ample. Only the shutdown waits
 * for it.
 */
const graceMs = 50
/**
 * Milliseconds until a shutdown cuts all connections. A closing Node server no longer applies its timeouts to incomplete requests, and the
 * rest of the shutdown needs time, too.
 */
const maxCloseMs = 6_000

/**
 * Makes a server close without losing requests. A closing Node server ends idle connections, including new ones whose request is still on
 * its way, and a proxy could not resend a POST to another process. So idle connections get a moment, while no new connections are accepted.
 * Connections that are still busy later are cut, or a stranger with half a request could keep a worker from giving back its jobs.
 */
export function closeIdleGracefully(server: Server): void {
  const closeIdle = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => {
    // Idle connections are closed repeatedly, because a connection may become idle after its last request.
    const timer = setInterval(closeIdle, graceMs)
    const cutOffTimer = setTimeout(() => server.closeAllConnections(), maxCloseMs)
    server.once('close', () => {
      clearInterval(timer)
      clearTimeout(cutOffTimer)
    })
  }
}
