import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '../contract/endpoint.ts'
import { csrfFault } from './csrf.ts'
import { clearBrowser } from './headers.ts'
import type { HttpOptions } from './http.ts'
import { notFromHere } from './refusal.ts'
import { anonymousVisit, setCookies, resolveVisit } from './resolve-visit.ts'
import type { RawCall, Route } from './route.ts'
import type { Visit } from './visit.ts'

/** Serves the routes as JSON over HTTP. */
export function serveRoutes(
  app: FastifyInstance,
  options: HttpOptions,
  routes: Route[],
  admissionOf: (endpoint: Endpoint) => Pick<FastifyContextConfig, 'admission'> = () => ({}),
): void {
  for (const { endpoint, answer } of routes) {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      ...(endpoint.maxBytes && { bodyLimit: endpoint.maxBytes }),
      config: admissionOf(endpoint),
      async handler(request, reply) {
        if (endpoint.cache) reply.header('cache-control', endpoint.cache)
        const visit = endpoint.cache ? anonymousVisit(options, request) : await resolveVisit(options, request, reply)
        if (needsCsrf(endpoint)) {
          const fault = csrfFault(request, visit.session, options.publicUrl)
          if (fault) throw notFromHere(fault)
        }
        const { status, body, cookies } = await answer(options.db, rawCall(request, visit))
        if (endpoint.clearsBrowser) reply.headers(clearBrowser(options.publicUrl))
        if (cookies) setCookies(options, cookies, request, reply)
        return reply.status(status).send(body)
      },
    })
  }
}

const needsCsrf = (endpoint: Endpoint): boolean => endpoint.method !== 'GET' || endpoint.csrf === true

function rawCall(request: FastifyRequest, visit: Visit): RawCall {
  const key = request.headers['idempotency-key']
  const idempotencyKey = typeof key === 'string' && key !== '' ? key.slice(0, 200) : null
  return {
    visit,
    params: request.params,
    query: request.query,
    body: request.body,
    idempotencyKey,
    requestId: request.id,
  }
}
