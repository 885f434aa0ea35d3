import type { FastifyRequest } from 'fastify'

/**
 * Returns all values that a request's `Cookie` header has for a name, in order. `request.cookies` keeps only the first, which may have been
 * set by a different host in the same parent domain.
 */
export function getCookieValues({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string[] {
  const prefix = `${name}=`
  return (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length))
}
