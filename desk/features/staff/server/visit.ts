import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientIpOf } from '#kit/server/client-ip.ts'
import { cookieValues } from '#kit/server/cookie-values.ts'
import type { HttpOptions } from '#kit/server/http.ts'
import { hashToken, newToken, type Secrets } from '#kit/server/secrets.ts'
import type { Visit } from '#kit/server/visit.ts'
import { findStaffSession, sessionHours, type SignedInStaff } from './sessions.store.ts'

/** Request context of the desk: a staff member, or nobody yet. `user` is always `null`, because no customer is signed in here. */
export type DeskVisit = Visit & { staff: SignedInStaff | null }

type DeskHttp = Pick<HttpOptions, 'db' | 'secrets' | 'secureCookies'>

export async function resolveDeskVisit(
  http: DeskHttp,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<DeskVisit> {
  const sent = request.cookies[cookieName(http)]
  const isFresh = sent === undefined || !isToken(sent)
  const token = isFresh ? newToken() : sent
  const csrfToken = csrfOf(http.secrets, token)
  if (isFresh || !cookieValues(request, csrfCookie).includes(csrfToken)) setDeskCookies(http, token, reply)
  return {
    staff: isFresh ? null : await findStaffSession(http.db, hashToken(token)),
    session: { id: null, userId: null, token, csrfToken, fresh: isFresh },
    user: null,
    device: null,
    userAgent: request.headers['user-agent'],
    clientIp: clientIpOf(request),
    inProcess: false,
  }
}

/** Sets the cookies of a session that begins or has ended. A request from another site never includes them. */
export function setDeskCookies(
  http: Pick<DeskHttp, 'secrets' | 'secureCookies'>,
  token: string,
  reply: FastifyReply,
): void {
  const shared = { path: '/', sameSite: 'strict', secure: http.secureCookies, maxAge: sessionHours * 3_600 } as const
  reply.setCookie(cookieName(http), token, { ...shared, httpOnly: true })
  const csrfToken = csrfOf(http.secrets, token)
  reply.setCookie(csrfCookie, csrfToken, shared)
  // A page that stays open needs the CSRF token of the new session for its next call.
  reply.header('x-csrftoken', csrfToken)
}

export const csrfCookie = 'desk_csrf'
const cookieName = ({ secureCookies }: Pick<DeskHttp, 'secureCookies'>): string =>
  secureCookies ? '__Host-desk' : 'desk'
const csrfOf = (secrets: Secrets, token: string): string => secrets.hash('desk-csrf', token)
const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)
