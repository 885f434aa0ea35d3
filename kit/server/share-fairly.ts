import type { FastifyInstance } from 'fastify'
import { clientIpOf } from './client-ip.ts'
import type { HttpOptions } from './http.ts'
import { Refusal } from './refusal.ts'
import { sessionCookie } from './resolve-visit.ts'
import { tokenHashOf } from './session.ts'
import { asVisitor } from './visitor-share.ts'

/**
 * Has each call known as its visitor's before it asks the database for anything: of the session whose cookie we have signed, else of
 * its address, behind which there may be many. The gateway and the network are no visitors, and tell for all; nor is whoever asks for our
 * health, from the address of the proxy perhaps.
 */
export function shareFairly(app: FastifyInstance, options: Pick<HttpOptions, 'secrets' | 'secureCookies'>): void {
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.routeOptions.config.admission === 'first') return done()
    const session = tokenHashOf(options.secrets, sessionCookie(options, request))
    asVisitor(session ? { session } : { address: clientIpOf(request) }, refusal, done)
  })
}

/** Not in the audit trail, which would take a connection. */
const refusal = (): Refusal =>
  new Refusal(429, { code: 'Too many requests. Please try again shortly.' }, { 'retry-after': '2' })
