import type { FastifyRequest } from 'fastify'

/**
 * Returns every value that a request's `Cookie` header has for a name, in the header's order. `request.cookies` keeps only the first value,
 * which another host of the same parent domain may have set.
 */
export function cookieValues({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string[] {
  const prefix = `${name}=`
  return (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length))
}
