import cookie from '@fastify/cookie'
import Fastify, {
  LogController,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { ApiError, formMessages } from '../contract/errors.ts'
import type { Api, Endpoint } from '../contract/endpoint.ts'
import { trustOf, visitorAddress } from './address.ts'
import type { Clock } from './clock.ts'
import type { Db } from './db.ts'
import { csrfFault } from './csrf.ts'
import { clearBrowser, securityHeaders } from './headers.ts'
import { hostOf } from './host.ts'
import { misdirected, notFromHere, Refusal } from './refusal.ts'
import { auditRefusal } from './refusal-audit.ts'
import type { RawCall, Route } from './route.ts'
import { cookieOf, freshSession, readSession, type Session, sessionDays } from './session.ts'
import type { Secrets } from './secrets.ts'
import type { SignedIn, Visit } from './visit.ts'

export type HttpOptions = {
  db: Db
  clock: Clock
  secrets: Secrets
  publicUrl: string
  secureCookies: boolean
  trustedProxies: string[]
  /** Whether a `Host` is one of ours; without it any is answered. */
  answersTo?(host: string | undefined): boolean
  logLevel: string
  /** Looks up what a request needs to know of a signed-in customer. */
  findUser(userId: string): Promise<SignedIn | null>
  /** Pages may load scripts and styles of the development server. */
  development?: boolean
  /** Told of every answer of 500, once it is in the log. */
  onFailure?(error: Error, where: { requestId: string; route: string | null }): void
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Once it is resolved. */
    visit?: Visit
  }
}

/** The longest body that is read, but where a route says otherwise: no form needs more than an encrypted card and some words. */
const usualBytes = 16 * 1024

/** The HTTP server with everything that holds for every answer: log, headers, session, CSRF, errors. */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit: usualBytes,
    requestTimeout: 30_000,
    trustProxy: options.trustedProxies.length > 0 ? trustOf(options.trustedProxies) : false,
    genReqId: () => crypto.randomUUID(),
    // The log has the route's pattern, never the URL: paths carry voucher codes and tokens.
    logger: {
      level: options.logLevel,
      serializers: {
        req: (request) => ({ method: request.method, route: request.routeOptions?.url }),
        err: errorForLog,
      },
    },
    logController: new LogController({ disableRequestLogging: true }),
    // No part of a path is too long for the router, which would answer in its own words: Node takes no longer ones.
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 65_536 },
    // A path with a `%` that encodes nothing comes to no hook.
    frameworkErrors: (error, request, reply) =>
      answerError(
        options,
        isForUs(options, request) ? error : misdirected(),
        request,
        reply.headers(headersOf(options, request)),
      ),
  })
  await app.register(cookie)
  readJsonOnly(app)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersOf(options, request))
    // Whatever may be kept says so itself.
    reply.header('cache-control', 'no-store')
    if (!isForUs(options, request)) throw misdirected()
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    request.log.info(
      { method, route: routeOptions.url ?? 'unknown', status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    )
  })
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    await auditRefusal(options, error, request.visit, request.routeOptions.url ?? 'unknown')
    return answerError(options, error, request, reply)
  })
  return app
}

const isForUs = ({ answersTo }: HttpOptions, { raw }: FastifyRequest): boolean => !answersTo || answersTo(hostOf(raw))

const headersOf = (
  { secureCookies, development = false, clock }: HttpOptions,
  request: FastifyRequest,
): Record<string, string> => ({
  ...securityHeaders({ secure: secureCookies, development }),
  'x-server-time': clock.now().toString({ fractionalSecondDigits: 3 }),
  // What the log calls this request: a report of a failed call names it.
  'x-request-id': request.id,
})

/** An error's own words and place only: a database's error also carries the values of the row, and its connection. */
const errorForLog = (error: FastifyError) => ({
  type: error.name,
  message: error.message,
  code: error.code,
  stack: error.stack ?? '',
})

/** A form of another site can send text; JSON it cannot. A call without a body may still say that it would have been JSON. */
function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    return parse(request, body as string, done)
  })
}

/** Resolves who is asking and leaves the cookies they will need. */
export async function resolveVisit(options: HttpOptions, request: FastifyRequest, reply: FastifyReply): Promise<Visit> {
  const session = await readSession(options.db, options.secrets, request.cookies[cookieName(options)])
  const user = session.userId ? await options.findUser(session.userId) : null
  leaveCookies(options, session, request, reply)
  request.visit = {
    session,
    user,
    device: request.cookies[deviceCookie(options)] ?? null,
    userAgent: request.headers['user-agent'],
    address: visitorAddress(request),
    inProcess: false,
  }
  return request.visit
}

function leaveCookies(options: HttpOptions, session: Session, request: FastifyRequest, reply: FastifyReply): void {
  const shared = { path: '/', sameSite: 'lax', secure: options.secureCookies, maxAge: sessionDays * 86_400 } as const
  if (session.fresh)
    reply.setCookie(cookieName(options), cookieOf(options.secrets, session), { ...shared, httpOnly: true })
  if (request.cookies['csrftoken'] !== session.csrfToken) reply.setCookie('csrftoken', session.csrfToken, shared)
}

/** Outlives the session: it only says that its browser has signed in here before. */
function leaveDevice(options: HttpOptions, device: string, reply: FastifyReply): void {
  reply.setCookie(deviceCookie(options), device, {
    path: '/',
    sameSite: 'lax',
    secure: options.secureCookies,
    httpOnly: true,
    maxAge: 365 * 86_400,
  })
}

/** For answers that are the same for everybody: a cache must not hand one visitor's cookie to the next. */
const anonymous = (options: HttpOptions, request: FastifyRequest): Visit => ({
  session: freshSession(options.secrets),
  user: null,
  device: null,
  address: visitorAddress(request),
  inProcess: false,
})

// The prefix keeps a sibling domain from planting a session of its own.
const cookieName = (options: HttpOptions): string => (options.secureCookies ? '__Host-fantail' : 'fantail')

const deviceCookie = (options: HttpOptions): string => `${cookieName(options)}_device`

/** Serves the routes as JSON over HTTP. */
export function serveRoutes(app: FastifyInstance, options: HttpOptions, routes: Route[]): void {
  for (const { endpoint, answer } of routes) {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      ...(endpoint.maxBytes && { bodyLimit: endpoint.maxBytes }),
      async handler(request, reply) {
        if (endpoint.cache) reply.header('cache-control', endpoint.cache)
        const visit = endpoint.cache ? anonymous(options, request) : await resolveVisit(options, request, reply)
        if (needsCsrf(endpoint)) {
          const fault = csrfFault(request, visit.session, options.publicUrl)
          if (fault) throw notFromHere(fault)
        }
        const before = { ...visit }
        const { status, body } = await answer(options.db, rawCall(request, visit))
        if (endpoint.clearsBrowser) reply.headers(clearBrowser(options.publicUrl))
        // Signing in and out goes on under a new token.
        if (visit.session !== before.session) leaveCookies(options, visit.session, request, reply)
        if (visit.device && visit.device !== before.device) leaveDevice(options, visit.device, reply)
        return reply.status(status).send(body)
      },
    })
  }
}

/** The API for a page that is being rendered: the same routes, no HTTP in between. */
export function inProcessApi(db: Db, routes: Route[], visit: Visit): Api {
  // By name: the rendered portal is a bundle with copies of the contracts.
  const byName = new Map(routes.map((route) => [nameOf(route.endpoint), route]))
  return {
    async call(endpoint, input) {
      const target = byName.get(nameOf(endpoint))
      if (!target) throw new Error(`${endpoint.path} has no route`)
      const raw = {
        visit: { ...visit, inProcess: true },
        params: undefined,
        query: undefined,
        body: undefined,
        idempotencyKey: null,
        requestId: null,
        ...input,
      } as RawCall
      try {
        const { status, body } = await target.answer(db, raw)
        return { status, data: JSON.parse(JSON.stringify(body)) }
      } catch (error) {
        if (error instanceof Refusal) throw new ApiError(error.status, error.body)
        throw error
      }
    },
  }
}

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`

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

function answerError(
  options: HttpOptions,
  error: FastifyError | Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.header('cache-control', 'no-store')
  if (error instanceof Refusal) return reply.status(error.status).headers(error.headers).send(error.body)
  const status = error.statusCode ?? 500
  // Malformed JSON, a body too large, a wrong content type: the client's doing, and said in a sentence.
  if (status < 500) return reply.status(status).send({ __all__: [sentenceFor(status)] })
  request.log.error({ err: error, route: request.routeOptions.url }, 'a request failed')
  options.onFailure?.(error, { requestId: request.id, route: request.routeOptions.url ?? null })
  return reply.status(500).send({ code: formMessages.server })
}

function sentenceFor(status: number): string {
  if (status === 413) return 'That is too much to send at once.'
  if (status === 415) return 'Please send JSON.'
  return 'We could not read that request.'
}
