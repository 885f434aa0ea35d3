import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../contract/endpoint.ts'
import { answerInTime } from './answer-time.ts'
import { csrfFault } from './csrf.ts'
import { clearBrowser } from './headers.ts'
import type { HttpOptions } from './http.ts'
import { notFromHere, Refusal } from './refusal.ts'
import { isLong, jsonInPieces } from './json-in-pieces.ts'
import { anonymousVisit, setCookies, resolveVisit } from './resolve-visit.ts'
import type { RawCall, Route } from './route.ts'
import type { FindSession } from './session.ts'
import type { BrowserIdentity, Visit } from './visit.ts'

type Ways = {
  admissionOf?: (endpoint: Endpoint) => Pick<FastifyContextConfig, 'admission'>
  visit?: (options: HttpOptions, request: FastifyRequest, reply: FastifyReply, find: FindSession) => Promise<Visit>
  goOnAs?: (options: HttpOptions, identity: BrowserIdentity, request: FastifyRequest, reply: FastifyReply) => void
}

export function serveRoutes(
  app: FastifyInstance,
  options: HttpOptions,
  routes: Route[],
  { admissionOf = () => ({}), visit: visitOf = resolveVisit, goOnAs = setCookies }: Ways = {},
): void {
  for (const route of routes) {
    const { endpoint, answer } = route
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      ...(endpoint.maxBytes && { bodyLimit: endpoint.maxBytes }),
      config: { ...admissionOf(endpoint), ...(endpoint.tooLarge && { tooLarge: endpoint.tooLarge }) },
      async handler(request, reply) {
        if (endpoint.cache) reply.header('cache-control', endpoint.cache)
        const { status, body, headers, cookies } = await answerInTime(
          async () => {
            const looking = lookUp(route, request, options)
            const visit = endpoint.cache
              ? anonymousVisit(options, request)
              : await visitOf(options, request, reply, looking.find)
            if (needsCsrf(endpoint)) {
              const fault = csrfFault(request, visit.session, options.publicUrl)
              if (fault) throw notFromHere(fault, visit.session.csrfToken)
            }
            return answer(options.db, { ...rawCall(request, visit), read: looking.read() })
          },
          { longestMs: options.answerMs, failed: (error) => logLate(request, error, options) },
        )
        if (headers) reply.headers(headers)
        if (endpoint.clearsBrowser) reply.headers(clearBrowser(options.publicUrl))
        if (cookies) goOnAs(options, cookies, request, reply)
        if (endpoint.cache && status === 200 && isObject(body))
          return reply.type('application/json; charset=utf-8').send(bytesOf(body))
        if (!isLong(body)) return reply.status(status).send(body)
        return reply
          .status(status)
          .type('application/json; charset=utf-8')
          .send(await jsonInPieces(body))
      },
    })
  }
}

function lookUp(
  route: Route,
  request: FastifyRequest,
  { findSession }: Pick<HttpOptions, 'findSession'>,
): { find: FindSession; read(): RawCall['read'] } {
  let read: RawCall['read']
  const reader = route.readerOf?.({ params: request.params, query: request.query })
  if (!reader) return { find: findSession, read: () => undefined }
  return {
    async find(db, tokenHash) {
      read = await reader(db, tokenHash)
      return read?.session
    },
    read: () => read,
  }
}

const isObject = (body: unknown): body is object => typeof body === 'object' && body !== null

/** A body that is the same for everybody stays one object while it is cached, so it is serialised once. */
const written = new WeakMap<object, Buffer>()

function bytesOf(body: object): Buffer {
  const bytes = written.get(body) ?? Buffer.from(JSON.stringify(body))
  written.set(body, bytes)
  return bytes
}

/** The response has already been sent. A rejection is dropped, and any other error goes only to the log. */
function logLate(request: FastifyRequest, error: unknown, { isAway }: Pick<HttpOptions, 'isAway'>): void {
  if (error instanceof Refusal || isAway?.(error)) return
  request.log.warn({ err: error, route: request.routeOptions.url }, 'a request failed after its answer was due')
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
