import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import cookie from '@fastify/cookie'
import Fastify, {
  LogController,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { formMessages } from '../contract/errors.ts'
import { withResponseTimeout, maxResponseMs } from './response-timeout.ts'
import { createProxyCheck } from './client-ip.ts'
import { type Clock, browserNowText } from './clock.ts'
import type { Db } from './db.ts'
import { endEarlyResponsesCleanly } from './early-responses.ts'
import { buildSecurityHeaders } from './headers.ts'
import { getRequestHost } from './host.ts'
import { enableGracefulClose } from './graceful-close.ts'
import { misdirectedRequest, HttpError } from './http-error.ts'
import { auditRejectedRequest } from './rejected-requests.ts'
import type { RecentVisitors } from './overload/recent-visitors.ts'
import { limitPipelining } from './overload/pipelining.ts'
import { measureResponseTimes, responseMs } from './response-time.ts'
import type { Secrets } from './secrets.ts'
import type { FindSession } from './session.ts'
import { warnAboutUntrustedProxy } from './untrusted-proxy.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    isQuiet?: boolean
    tooLarge?: string
  }
}

type StaticPage = { html: string; policy: string }

export type HttpOptions = {
  db: Db
  clock: Clock
  secrets: Secrets
  publicUrl: string
  secureCookies: boolean
  trustedProxies: string[]
  tellsOfProxies?: boolean
  /** Whether the server responds to a host name. If this function is missing, every host name is accepted. */
  answersTo?(host: string | undefined): boolean
  logLevel: string
  logFields?(): object
  traceIdOf?(request: FastifyRequest): string | undefined
  findSession: FindSession
  requestMs?: number
  answerMs?: number
  permissions?: readonly string[]
  development?: boolean
  /** Returns whether an error was caused by an unavailable database, and logs the outage if it was. */
  noteOutage?(error: unknown): boolean
  pageWhileAway?: StaticPage
  pageWhileBusy?: StaticPage
  excess?: { hookInto(app: FastifyInstance): void }
  known?: RecentVisitors
  onFailure?(error: Error, where: { requestId: string; route: string | null }): void
}

/** Default maximum size of a request body, in bytes. The largest form needs only an encrypted card and some text. */
const defaultMaxBytes = 16 * 1024

/** Maximum number of milliseconds from a request's first byte to its last. A slower request gets a 408. */
const maxRequestMs = 30_000

/**
 * Keep-alive timeout in milliseconds. Load balancers close idle connections sooner (usually after 60 s), so none of them sends a request on
 * a connection that is about to close.
 */
const keepAliveMs = 72_000

/** By default, Node checks timeouts only twice a minute and times headers separately, so a slow request could take 90 seconds. */
const createServer = (answer: RequestListener, requestMs: number): Server =>
  createHttpServer(
    {
      requestTimeout: requestMs,
      headersTimeout: Math.min(requestMs, maxRequestMs),
      connectionsCheckingInterval: Math.min(1_000, requestMs / 4),
      keepAliveTimeout: keepAliveMs,
    },
    limitPipelining(answer),
  )

export async function createHttpApp(options: HttpOptions): Promise<FastifyInstance> {
  const buildHeaders = createHeaderBuilder(options)
  const app = Fastify({
    bodyLimit: defaultMaxBytes,
    serverFactory: (answer) => createServer(answer, options.requestMs ?? maxRequestMs),
    // During shutdown, existing connections still get responses, because a proxy would not resend a POST to a different process.
    return503OnClosing: false,
    trustProxy: options.trustedProxies.length > 0 ? createProxyCheck(options.trustedProxies) : false,
    genReqId: () => crypto.randomUUID(),
    // We log the route's pattern and never the URL, because paths contain voucher codes and tokens.
    logger: {
      level: options.logLevel,
      ...(options.logFields && { mixin: () => options.logFields?.() ?? {} }),
      serializers: {
        req: (request) => ({ method: request.method, route: request.routeOptions?.url }),
        err: errorForLog,
      },
    },
    logController: new LogController({ disableRequestLogging: true }),
    /* No path parameter exceeds this limit, because Node rejects such long paths. The router would respond in its own error format. */
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 65_536 },
    // A request whose path has an invalid `%` sequence does not reach any hook, so the headers are set here.
    frameworkErrors(error, request, reply) {
      reply.headers(buildHeaders(request))
      return sendError(options, isOwnHost(options, request) ? error : misdirectedRequest(), request, reply)
    },
  })
  enableGracefulClose(app.server)
  await app.register(cookie)
  acceptOnlyJson(app)
  if (options.tellsOfProxies) warnAboutUntrustedProxy(app, options.trustedProxies)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(buildHeaders(request))
    reply.header('cache-control', 'no-store')
    done(isOwnHost(options, request) ? undefined : misdirectedRequest())
  })
  options.excess?.hookInto(app)
  measureResponseTimes(app)
  endEarlyResponsesCleanly(app)
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    if (request.isExcess || (routeOptions.config.isQuiet && reply.statusCode < 400)) return
    const [traceId, ms] = [options.traceIdOf?.(request), Math.round(responseMs(request, reply))]
    request.log.info(
      {
        method,
        route: routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms,
        ...(traceId && { trace_id: traceId }),
      },
      'answered',
    )
  })
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    return sendError(options, await auditRejection(options, error, request, reply), request, reply)
  })
  return app
}

const minAuditTimeoutMs = 500

/**
 * Records a rejection in the audit trail and returns the error to respond with: the rejection itself, or the database's error if the
 * database is unavailable or too slow to record it. Any other audit failure does not change the response.
 */
async function auditRejection(
  options: HttpOptions,
  error: FastifyError | HttpError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyError | HttpError> {
  const route = request.routeOptions.url ?? 'unknown'
  const logFailure = (failure: unknown): void => {
    if (options.noteOutage?.(failure)) return
    request.log.error({ err: failure, route }, 'a refusal could not be written into the audit trail')
  }
  try {
    await withResponseTimeout(() => auditRejectedRequest(options, error, request.visit, route), {
      longestMs: Math.max(minAuditTimeoutMs, (options.answerMs ?? maxResponseMs) - reply.elapsedTime),
      failed: logFailure,
    })
    return error
  } catch (failure) {
    if (failure instanceof HttpError || options.noteOutage?.(failure)) return failure as FastifyError | HttpError
    logFailure(failure)
    return error
  }
}

const isOwnHost = ({ answersTo }: HttpOptions, { raw }: FastifyRequest): boolean =>
  !answersTo || answersTo(getRequestHost(raw))

function createHeaderBuilder(options: HttpOptions): (request: FastifyRequest) => Record<string, string> {
  const { secureCookies: secure, development = false, permissions } = options
  const commonHeaders = buildSecurityHeaders({ secure, development, permissions })
  return (request) => ({
    ...commonHeaders,
    'x-server-time': browserNowText(options.clock),
    'x-request-id': request.id,
  })
}

/** Logs only the error's own message and stack. A database error also contains the row's values and the connection. */
const errorForLog = (error: FastifyError) => ({
  type: error.name,
  message: error.message,
  code: error.code,
  stack: error.stack ?? '',
})

/** Accepts only JSON bodies, because a form on another site can send text but not JSON. A request without a body may still declare JSON. */
function acceptOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    return parse(request, body as string, done)
  })
}

function sendError(
  options: HttpOptions,
  error: FastifyError | HttpError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.header('cache-control', 'no-store')
  if (error instanceof HttpError) {
    reply.status(error.status).headers(error.headers)
    return error.status === 503
      ? sendUnavailable(options.pageWhileBusy, error.body, request, reply)
      : reply.send(error.body)
  }
  const status = error.statusCode ?? 500
  if (status < 500)
    return reply.status(status).send({ __all__: [getClientErrorMessage(status, request.routeOptions.config.tooLarge)] })
  if (options.noteOutage?.(error)) {
    reply.status(503).header('retry-after', retryAfterSeconds)
    return sendUnavailable(options.pageWhileAway, { code: formMessages.server }, request, reply)
  }
  request.log.error({ err: error, route: request.routeOptions.url }, 'a request failed')
  options.onFailure?.(error, { requestId: request.id, route: request.routeOptions.url ?? null })
  return reply.status(500).send({ code: formMessages.server })
}

const retryAfterSeconds = '5'

function sendUnavailable(
  page: StaticPage | undefined,
  body: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const acceptsHtml = request.method === 'GET' && request.headers.accept?.includes('text/html')
  if (!page || !acceptsHtml) return reply.send(body)
  return reply.header('content-security-policy', page.policy).type('text/html; charset=utf-8').send(page.html)
}

function getClientErrorMessage(status: number, tooLarge = 'That request is too large.'): string {
  if (status === 413) return tooLarge
  if (status === 415) return 'Please send JSON.'
  return 'We could not read that request.'
}
