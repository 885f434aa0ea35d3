import type { FastifyRequest } from 'fastify'
import { isEqualConstantTime } from './secrets.ts'
import type { Session } from './session.ts'

/**
 * Returns an error message if the request fails the CSRF check, or `null` if it passes. The request's token must belong to this session,
 * and its `Origin` must be ours.
 */
export function csrfError(request: FastifyRequest, session: Session, publicUrl: string): string | null {
  const token = request.headers['x-csrftoken']
  const own = [...(session.fresh ? [] : [session.csrfToken]), ...(session.formerCsrfTokens ?? [])]
  if (typeof token !== 'string' || !own.some((each) => isEqualConstantTime(token, each)))
    return 'Please refresh the page and try again.'
  const { origin, host } = request.headers
  return origin === undefined || isOwnOrigin(origin, host, publicUrl) ? null : 'Please refresh the page and try again.'
}

/**
 * Whether an `Origin` header is ours. With TLS, only PUBLIC_URL's origin is valid; a page on the same host over http is not ours. Without
 * TLS, the portal may also be reached as localhost, 127.0.0.1 or a local name, so the origin must match the host that received the request.
 */
function isOwnOrigin(origin: string, host: string | undefined, publicUrl: string): boolean {
  const { origin: ours, protocol } = new URL(publicUrl)
  return (
    origin === ours ||
    (protocol === 'http:' && URL.canParse(origin) && origin.startsWith('http://') && new URL(origin).host === host)
  )
}
