import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Maximum number of requests on one connection that are handled at the same time. Browsers and proxies wait for each response before
 * sending the next request. The limit is two rather than one because a client can receive the whole response before Node reports that it
 * was sent.
 */
const maxRequestsInFlight = 2

/**
 * Closes a connection that sends further requests without waiting for responses (HTTP pipelining). Node parses and starts all requests in a
 * packet at once, so a few hundred such connections would block the process for many seconds.
 */
export function limitPipelining(answer: RequestListener): RequestListener {
  const requestCounts = new WeakMap<Socket, number>()
  const changeCount = (socket: Socket, by: number): number => {
    const count = (requestCounts.get(socket) ?? 0) + by
    requestCounts.set(socket, count)
    return count
  }
  return (request, response) => {
    const { socket } = request
    // This request arrived in the same packet as the one that made us close the connection.
    if (socket.destroyed) return
    if (changeCount(socket, 1) > maxRequestsInFlight) {
      socket.destroy()
      return
    }
    response.once('close', () => changeCount(socket, -1))
    answer(request, response)
  }
}
