import type { FastifyRequest } from 'fastify'
import { sameText } from './secrets.ts'
import type { Session } from './session.ts'

/** Why a request may not change anything, or null when it may: its token must be this session's, its Origin ours. */
export function csrfFault(request: FastifyRequest, session: Session, publicUrl: string): string | null {
  const token = request.headers['x-csrftoken']
  const own = [...(session.fresh ? [] : [session.csrfToken]), ...(session.formerCsrfTokens ?? [])]
  if (typeof token !== 'string' || !own.some((each) => sameText(token, each)))
    return 'Please refresh the page and try again.'
  const { origin, host } = request.headers
  return origin === undefined || isOurs(origin, host, publicUrl) ? null : 'Please refresh the page and try again.'
}

/**
 * Over TLS there is one origin, that of PUBLIC_URL: a page of the same name over http is another's. Without it, the portal is
 * also behind localhost, 127.0.0.1 or a name of one's own: there the page's origin is the host that the request was sent to.
 */
function isOurs(origin: string, host: string | undefined, publicUrl: string): boolean {
  const { origin: ours, protocol } = new URL(publicUrl)
  return (
    origin === ours ||
    (protocol === 'http:' && URL.canParse(origin) && origin.startsWith('http://') && new URL(origin).host === host)
  )
}
