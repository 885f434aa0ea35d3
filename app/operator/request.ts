import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '#kit/server/actor.ts'

/** As long as a name may be that is kept with what a person did. */
const longestName = 80
const nameHeader = 'x-operator'

/**
 * Who acts. On the socket the tool says it: `--as NAME`, or the name of the system's user. From another host the name is
 * the token's, whatever else was sent.
 */
export function actorOf({ headers }: FastifyRequest): Actor {
  const [said] = [headers[nameHeader]].flat()
  return { by: 'operator', name: cleanName(decoded(said ?? '')) || 'operator' }
}

/** Puts the name of a token in the place of what the request says of itself. */
export function actAs(request: FastifyRequest, name: string): void {
  request.headers[nameHeader] = encodeURIComponent(name)
}

/** Without what would speak to a terminal, and not too long. */
export const cleanName = (text: string): string =>
  text
    .slice(0, longestName)
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()

/** Headers are ASCII: the tool encodes names as it does parts of paths. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.slice(0, 12 * longestName))
  } catch {
    return ''
  }
}

/** Answers with the outcome of a use case, or with 409 where it did nothing and says why. */
export const answer = (reply: FastifyReply, outcome: object): object =>
  'why' in outcome ? reply.status(409).send({ why: outcome.why }) : outcome

export const isOrderCode = (text: string): boolean => /^\w{1,40}$/.test(text)
/** Of a load, a batch or a voucher, as we make them. */
export const isCode = (text: string): boolean => /^[\dA-Z]{8,12}$/.test(text)
