import type { FastifyRequest } from 'fastify'
import { sameText } from './secrets.ts'
import type { Session } from './session.ts'

/** Why a request may not change anything, or null when it may: its token must be this session's, its Origin ours. */
export function csrfFault(request: FastifyRequest, session: Session, publicUrl: string): string | null {
  const token = request.headers['x-csrftoken']
  const own = session.fresh ? session.formerCsrfToken : session.csrfToken
  if (!own || typeof token !== 'string' || !sameText(token, own)) return 'Please refresh the page and try again.'
  const origin = request.headers.origin
  if (origin !== undefined && origin !== new URL(publicUrl).origin && !sameHost(origin, request.headers.host)) {
    return 'Please refresh the page and try again.'
  }
  return null
}

/** Behind localhost, 127.0.0.1 or a name of one's own, the page's origin is the host that the request was sent to. */
function sameHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host
}
