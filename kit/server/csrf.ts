import type { FastifyRequest } from 'fastify'
import { isSameText } from './secrets.ts'
import type { Session } from './session.ts'

/**
 * Returns the reason why a request may not change anything, or `null` if it may. The request's token must belong to this session, and its
 * `Origin` must be ours.
 */
export function csrfError(request: FastifyRequest, session: Session, publicUrl: string): string | null {
  const token = request.headers['x-csrftoken']
  const own = [...(session.fresh ? [] : [session.csrfToken]), ...(session.formerCsrfTokens ?? [])]
  if (typeof token !== 'string' || !own.some((each) => isSameText(token, each)))
    return 'Please refresh the page and try again.'
  const { origin, host } = request.headers
  return origin === undefined || isOwnOrigin(origin, host, publicUrl) ? null : 'Please refresh the page and try again.'
}

/**
 * Whether an `Origin` header is ours. Over TLS the only valid origin is PUBLIC_URL's: a page of the same host over http is not ours.
 * Without TLS, the portal is also reached as localhost, 127.0.0.1 or a local name. There the origin must match the host that received the
 * request.
 */
function isOwnOrigin(origin: string, host: string | undefined, publicUrl: string): boolean {
  const { origin: ours, protocol } = new URL(publicUrl)
  return (
    origin === ours ||
    (protocol === 'http:' && URL.canParse(origin) && origin.startsWith('http://') && new URL(origin).host === host)
  )
}
