import type { FastifyInstance } from 'fastify'
import { getClientIp } from './client-ip.ts'
import type { HttpOptions } from './http.ts'
import { HttpError } from './http-error.ts'
import { getSessionCookie } from './resolve-request-context.ts'
import { getTokenHash } from './session.ts'
import { withConnectionQuota } from './connection-quota.ts'

/**
 * Attributes each request to a visitor before the request uses the database. The visitor is identified by a session cookie that we signed,
 * or otherwise by the address, which many people may share. Requests from the gateway and the network have no quota because they report on
 * all customers. Health checks have none because the proxy itself may send them, from its own address.
 */
export function assignConnectionQuotas(
  app: FastifyInstance,
  options: Pick<HttpOptions, 'secrets' | 'secureCookies'>,
): void {
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.routeOptions.config.admission === 'first') return done()
    const session = getTokenHash(options.secrets, getSessionCookie(options, request))
    withConnectionQuota(session ? { session } : { address: getClientIp(request) }, tooManyRequests, done)
  })
}

/** The 429 response is not recorded in the audit trail, because doing so would need a database connection. */
const tooManyRequests = (): HttpError =>
  new HttpError(429, { code: 'Too many requests. Please try again shortly.' }, { 'retry-after': '2' })
