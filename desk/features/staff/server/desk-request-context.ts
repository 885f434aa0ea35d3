import type { FastifyReply, FastifyRequest } from 'fastify'
import { getClientIp } from '#kit/server/client-ip.ts'
import { getCookieValues } from '#kit/server/cookie-values.ts'
import type { HttpOptions } from '#kit/server/http.ts'
import { hashToken, generateToken, type Secrets } from '#kit/server/secrets.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import { findStaffSession, sessionLifetimeHours, type SignedInStaff } from './sessions.store.ts'

/**
 * A request's context at the desk, where the caller is a staff member or not signed in. `user` is always `null`,
 * because customers do not sign in here.
 */
export type DeskRequestContext = RequestContext & { staff: SignedInStaff | null }

type DeskHttpOptions = Pick<HttpOptions, 'db' | 'secrets' | 'secureCookies'>

export async function resolveDeskRequestContext(
  http: DeskHttpOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<DeskRequestContext> {
  const cookieToken = request.cookies[cookieName(http)]
  const needsNewToken = cookieToken === undefined || !isToken(cookieToken)
  const token = needsNewToken ? generateToken() : cookieToken
  const csrfToken = computeCsrfToken(http.secrets, token)
  if (needsNewToken || !getCookieValues(request, csrfCookie).includes(csrfToken)) setDeskCookies(http, token, reply)
  return {
    staff: needsNewToken ? null : await findStaffSession(http.db, hashToken(token)),
    session: { id: null, userId: null, token, csrfToken, fresh: needsNewToken },
    user: null,
    device: null,
    userAgent: request.headers['user-agent'],
    clientIp: getClientIp(request),
    inProcess: false,
  }
}

/** Sets the cookies when a session begins or has ended. Browsers do not send these cookies with requests from other sites. */
export function setDeskCookies(
  http: Pick<DeskHttpOptions, 'secrets' | 'secureCookies'>,
  token: string,
  reply: FastifyReply,
): void {
  const cookieOptions = {
    path: '/',
    sameSite: 'strict',
    secure: http.secureCookies,
    maxAge: sessionLifetimeHours * 3_600,
  } as const
  reply.setCookie(cookieName(http), token, { ...cookieOptions, httpOnly: true })
  const csrfToken = computeCsrfToken(http.secrets, token)
  reply.setCookie(csrfCookie, csrfToken, cookieOptions)
  // A page that stays open needs the new session's CSRF token for its next request.
  reply.header('x-csrftoken', csrfToken)
}

export const csrfCookie = 'desk_csrf'
const cookieName = ({ secureCookies }: Pick<DeskHttpOptions, 'secureCookies'>): string =>
  secureCookies ? '__Host-desk' : 'desk'
const computeCsrfToken = (secrets: Secrets, token: string): string => secrets.hash('desk-csrf', token)
const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)
