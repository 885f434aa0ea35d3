import type { FastifyRequest } from 'fastify'
import { clientIpOf } from '../client-ip.ts'
import { createTurns, type Leave, type Turns } from './turns.ts'

/**
 * Of one route: logins, say. Its hashes wait for each other once more (`../hash-turns.ts`), so few at once are enough. With what is done
 * in a turn nobody waits for longer than for anything else.
 */
const bounds = { atOnce: 4, waiting: 48, ofAddress: 24, waitMs: 10_000 }

/** Calls that hash for whoever asks. Each route has turns of its own: a flood of logins holds up no sign-up. */
export function createCostlyCalls() {
  const turns = new Map<string, Turns>()
  return {
    /** @throws 503 where there is no room */
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
