import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../contract/endpoint.ts'
import { withResponseTimeout } from './response-timeout.ts'
import { csrfError } from './csrf.ts'
import { buildClearSiteDataHeaders } from './headers.ts'
import type { HttpOptions } from './http.ts'
import { csrfRejected, HttpError } from './http-error.ts'
import { isLongBody, stringifyInChunks } from './json-in-chunks.ts'
import { createAnonymousContext, setCookies, resolveRequestContext } from './resolve-request-context.ts'
import type { RawRequest, Route } from './route.ts'
import type { FindSession } from './session.ts'
import type { BrowserIdentity, RequestContext } from './request-context.ts'

type ServeOptions = {
  admissionOf?: (endpoint: Endpoint) => Pick<FastifyContextConfig, 'admission'>
  visit?: (
    options: HttpOptions,
    request: FastifyRequest,
    reply: FastifyReply,
    find: FindSession,
  ) => Promise<RequestContext>
  goOnAs?: (options: HttpOptions, identity: BrowserIdentity, request: FastifyRequest, reply: FastifyReply) => void
}

export function serveRoutes(
  app: FastifyInstance,
  options: HttpOptions,
  routes: Route[],
  { admissionOf = () => ({}), visit: visitOf = resolveRequestContext, goOnAs = setCookies }: ServeOptions = {},
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
        const { status, body, headers, cookies } = await withResponseTimeout(
          async () => {
            const sessionLookup = createSessionLookup(route, request, options)
            const visit = endpoint.cache
              ? createAnonymousContext(options, request)
              : await visitOf(options, request, reply, sessionLookup.find)
            if (needsCsrf(endpoint)) {
              const fault = csrfError(request, visit.session, options.publicUrl)
              if (fault) throw csrfRejected(fault, visit.session.csrfToken)
            }
            return answer(options.db, { ...toRawRequest(request, visit), read: sessionLookup.read() })
          },
          { longestMs: options.answerMs, failed: (error) => logLateError(request, error, options) },
        )
        if (headers) reply.headers(headers)
        if (endpoint.clearsBrowser) reply.headers(buildClearSiteDataHeaders(options.publicUrl))
        if (cookies) goOnAs(options, cookies, request, reply)
        if (endpoint.cache && status === 200 && isObject(body))
          return reply.type('application/json; charset=utf-8').send(serialise(body))
        if (!isLongBody(body)) return reply.status(status).send(body)
        return reply
          .status(status)
          .type('application/json; charset=utf-8')
          .send(await stringifyInChunks(body))
      },
    })
  }
}

function createSessionLookup(
  route: Route,
  request: FastifyRequest,
  { findSession }: Pick<HttpOptions, 'findSession'>,
): { find: FindSession; read(): RawRequest['read'] } {
  let read: RawRequest['read']
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

/** Serialised response bodies. A cached body that is the same for everyone is always the same object, so it is serialised only once. */
const serialisedBodies = new WeakMap<object, Buffer>()

function serialise(body: object): Buffer {
  const bytes = serialisedBodies.get(body) ?? Buffer.from(JSON.stringify(body))
  serialisedBodies.set(body, bytes)
  return bytes
}

/** Handles an error that occurs after the response was sent. A rejection is dropped; any other error is only logged. */
function logLateError(request: FastifyRequest, error: unknown, { noteOutage }: Pick<HttpOptions, 'noteOutage'>): void {
  if (error instanceof HttpError || noteOutage?.(error)) return
  request.log.warn({ err: error, route: request.routeOptions.url }, 'a request failed after its answer was due')
}

const needsCsrf = (endpoint: Endpoint): boolean => endpoint.method !== 'GET' || endpoint.csrf === true

function toRawRequest(request: FastifyRequest, visit: RequestContext): RawRequest {
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
