import type { FastifyRequest } from 'fastify'
import type { Actor } from '#kit/server/actor.ts'

/** As long as a name may be that is kept with what a person did. */
const longestName = 80

/** Who acts, as the tool says: it sends `--as NAME`, or the name of the system's user. */
export function actorOf({ headers }: FastifyRequest): Actor {
  const [said] = [headers['x-operator']].flat()
  const name = decoded(said ?? '')
    .slice(0, longestName)
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
  return { by: 'operator', name: name || 'operator' }
}

/** Headers are ASCII: the tool encodes names as it does parts of paths. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.slice(0, 12 * longestName))
  } catch {
    return ''
  }
}

export const isUuid = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)
export const isOrderCode = (text: string): boolean => /^\w{1,40}$/.test(text)
