import type { Server } from 'node:http'

/** A proxy sends its call as soon as it is connected, so this is long; nobody waits for it but the end. */
const graceMs = 50
/** Of a call that does not come to its end Node forgets its time limits once it closes; what stops after the server needs time, too. */
const longestMs = 6_000

/**
 * A server that closes ends the connections on which nothing goes on, and so also those that were just made and whose call is on its
 * way: a proxy could not send a POST to another process then. They get a moment, while no new ones are taken in. Who is still not done
 * then is cut off, or a stranger with half a call could keep a worker from putting down its work.
 */
export function answerLateCalls(server: Server): void {
  const closeIdle = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => {
    // Again and again: a connection may fall idle after its last call.
    const timer = setInterval(closeIdle, graceMs)
    const last = setTimeout(() => server.closeAllConnections(), longestMs)
    server.once('close', () => {
      clearInterval(timer)
      clearTimeout(last)
    })
  }
}
