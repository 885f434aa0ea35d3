import type { FastifyRequest } from 'fastify'
import { getClientIp } from '../client-ip.ts'
import { createSemaphore, type ReleaseSlot, type Semaphore } from './semaphore.ts'

/**
 * Limits for a single route, such as login. A few parallel requests are enough, because their hashes queue again in `../hash-queue.ts`. A
 * request's total time, including the wait, stays within the usual maximum response time.
 */
const costlyRequestLimits = { atOnce: 4, waiting: 48, ofAddress: 24, waitMs: 10_000 }

/** Requests that compute an expensive hash for any client. Each route has its own queue, so a flood of logins does not delay sign-ups. */
export function createCostlyRequestQueues() {
  const semaphores = new Map<string, Semaphore>()
  return {
    /** @throws 503 if no place for the request becomes free in time */
    async enter(request: FastifyRequest, isKnown: boolean): Promise<ReleaseSlot> {
      const { url = '' } = request.routeOptions
      const routeSemaphore = semaphores.get(url) ?? createSemaphore(costlyRequestLimits)
      semaphores.set(url, routeSemaphore)
      const disconnectController = new AbortController()
      const abortWait = (): void => disconnectController.abort()
      request.raw.socket.once('close', abortWait)
      const pendingSlot = routeSemaphore.take({
        address: getClientIp(request),
        isKnown,
        gone: disconnectController.signal,
      })
      return pendingSlot.finally(() => request.raw.socket.off('close', abortWait))
    },
    figures: () =>
      [...semaphores.values()]
        .map((each) => each.figures())
        .reduce((sum, each) => ({ atWork: sum.atWork + each.atWork, waiting: sum.waiting + each.waiting }), {
          atWork: 0,
          waiting: 0,
        }),
  }
}
