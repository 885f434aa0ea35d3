import type { FastifyReply, FastifyRequest } from 'fastify'
import { getClientIp } from './client-ip.ts'
import { getCookieValues } from './cookie-values.ts'
import type { HttpOptions } from './http.ts'
import { findKnownDeviceId } from './known-device.ts'
import { buildCookieValue, generateSession, readSession, type Session, sessionDays, getTokenHash } from './session.ts'
import type { BrowserIdentity, RequestContext } from './request-context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    visit?: RequestContext
  }
}

export async function resolveRequestContext(
  options: HttpOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  find = options.findSession,
): Promise<RequestContext> {
  const cookie = getSessionCookie(options, request)
  const { session, user } = await readSession(options.db, options.secrets, cookie, find)
  const visit: RequestContext = {
    session,
    user,
    device: request.cookies[getDeviceCookieName(options)] ?? null,
    userAgent: request.headers['user-agent'],
    clientIp: getClientIp(request),
    inProcess: false,
  }
  rememberKnownBrowser(options, { cookie, visit })
  setSessionCookies(options, session, request, reply)
  request.visit = visit
  return visit
}

/** Records whether overload protection should admit this browser before unknown ones (decision 0070). */
function rememberKnownBrowser(
  { known, secrets }: HttpOptions,
  { cookie, visit: { session, user, device } }: { cookie: string | undefined; visit: RequestContext },
): void {
  if (!known) return
  /*
   * An anonymous session becomes known when an activation is paid for in it. A session's row alone proves nothing: anyone can start a
   * session for free.
   */
  const hasPaid = session.id !== null && session.userId === null && known.has(cookie)
  if (cookie) known.note(cookie, user !== null || hasPaid)
  // Without this check of our signature, forged cookies could push genuine customers' cookies out of the list of known browsers.
  if (device && user && findKnownDeviceId(secrets, { device }, user)) known.note(device, true)
}

export function setCookies(
  options: HttpOptions,
  { session, device }: BrowserIdentity,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  setSessionCookies(options, session, request, reply)
  // The browser's page stays open, and its next request needs the new session's CSRF token.
  reply.header('x-csrftoken', session.csrfToken)
  if (device && device !== request.cookies[getDeviceCookieName(options)]) setDeviceCookie(options, device, reply)
}

function setSessionCookies(options: HttpOptions, session: Session, request: FastifyRequest, reply: FastifyReply): void {
  const commonOptions = {
    path: '/',
    sameSite: 'lax',
    secure: options.secureCookies,
    maxAge: sessionDays * 86_400,
  } as const
  if (session.fresh || session.stale)
    reply.setCookie(getSessionCookieName(options), buildCookieValue(options.secrets, session), {
      ...commonOptions,
      httpOnly: true,
    })
  if (!getCookieValues(request, 'csrftoken').includes(session.csrfToken))
    reply.setCookie('csrftoken', session.csrfToken, commonOptions)
}

/** Sets the known-browser cookie, which outlives the session. It proves only that this browser has signed in here before. */
function setDeviceCookie(options: HttpOptions, device: string, reply: FastifyReply): void {
  reply.setCookie(getDeviceCookieName(options), device, {
    path: '/',
    sameSite: 'lax',
    secure: options.secureCookies,
    httpOnly: true,
    maxAge: 365 * 86_400,
  })
}

/**
 * Creates the request context for responses that are the same for everyone, because a cache must not pass one visitor's cookie on to the
 * next. Few of these routes read the session, so one is created only on demand.
 */
export function createAnonymousContext(options: HttpOptions, request: FastifyRequest): RequestContext {
  let session: Session | null = null
  return {
    get session() {
      return (session ??= generateSession(options.secrets))
    },
    user: null,
    device: null,
    clientIp: getClientIp(request),
    inProcess: false,
  }
}

export const getVisitorCookies = (options: Pick<HttpOptions, 'secureCookies'>, request: FastifyRequest): string[] => [
  ...getCookieValues(request, getSessionCookieName(options)),
  ...getCookieValues(request, getDeviceCookieName(options)),
]

/**
 * Returns the session cookie. Over plain http its name has no prefix, so a different host in the parent domain can set a second cookie. The
 * cookie that carries our signature is used.
 */
export function getSessionCookie(
  options: Pick<HttpOptions, 'secrets' | 'secureCookies'>,
  request: FastifyRequest,
): string | undefined {
  const [first, ...others] = getCookieValues(request, getSessionCookieName(options))
  if (others.length === 0) return first
  return [first, ...others].find((value) => getTokenHash(options.secrets, value) !== null) ?? first
}

// The `__Host-` prefix prevents a sibling domain from planting its own session.
const getSessionCookieName = (options: Pick<HttpOptions, 'secureCookies'>): string =>
  options.secureCookies ? '__Host-fantail' : 'fantail'

const getDeviceCookieName = (options: Pick<HttpOptions, 'secureCookies'>): string =>
  `${getSessionCookieName(options)}_device`
