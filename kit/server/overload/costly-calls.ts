import type { FastifyRequest } from 'fastify'
import { clientIpOf } from '../client-ip.ts'
import { createTurns, type Leave, type Turns } from './turns.ts'

/**
 * Limits for one route, such as login. Few parallel calls are enough, because their hashes queue once more in `../hash-turns.ts`. Waiting
 * and working together take no longer than a response of any other route may take.
 */
const bounds = { atOnce: 4, waiting: 48, ofAddress: 24, waitMs: 10_000 }

/** Calls that compute an expensive hash for any caller. Each route has its own queue, so a flood of logins does not delay sign-ups. */
export function createCostlyCalls() {
  const turns = new Map<string, Turns>()
  return {
    /** @throws 503 when no place becomes free */
    async enter(request: FastifyRequest, isKnown: boolean): Promise<Leave> {
      const { url = '' } = request.routeOptions
      const ofRoute = turns.get(url) ?? createTurns(bounds)
      turns.set(url, ofRoute)
      const gone = new AbortController()
      const hangUp = (): void => gone.abort()
      request.raw.socket.once('close', hangUp)
      const turn = ofRoute.take({ address: clientIpOf(request), isKnown, gone: gone.signal })
      return turn.finally(() => request.raw.socket.off('close', hangUp))
    },
    figures: () =>
      [...turns.values()]
        .map((each) => each.figures())
        .reduce((sum, each) => ({ atWork: sum.atWork + each.atWork, waiting: sum.waiting + each.waiting }), {
          atWork: 0,
          waiting: 0,
        }),
  }
}
