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
import { answerInTime, longestAnswerMs } from './answer-time.ts'
import { trustOf } from './client-ip.ts'
import { type Clock, toldText } from './clock.ts'
import type { Db } from './db.ts'
import { endEarlyAnswersCleanly } from './early-answers.ts'
import { securityHeaders } from './headers.ts'
import { hostOf } from './host.ts'
import { answerLateCalls } from './late-calls.ts'
import { misdirected, Refusal } from './refusal.ts'
import { auditRejectedCall } from './rejected-calls.ts'
import type { LatelyKnown } from './overload/lately-known.ts'
import { limitPipelining } from './overload/pipelining.ts'
import { measureResponseTimes, responseMs } from './response-time.ts'
import type { Secrets } from './secrets.ts'
import type { FindSession } from './session.ts'
import { tellOfUntrustedProxy } from './untrusted-proxy.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Asked so often that an answer which is good says nothing. */
    isQuiet?: boolean
    /** The sentence that refuses a body above the route's bound. */
    tooLarge?: string
  }
}

/** One that needs nothing but itself. */
type Page = { html: string; policy: string }

export type HttpOptions = {
  db: Db
  clock: Clock
  secrets: Secrets
  publicUrl: string
  secureCookies: boolean
  trustedProxies: string[]
  /** Whether a proxy that is not among them is worth a warning. */
  tellsOfProxies?: boolean
  /** Whether a `Host` is one of ours; without it any is answered. */
  answersTo?(host: string | undefined): boolean
  logLevel: string
  /** What every line of the log is given beside its own. */
  logFields?(): object
  /** The trace that a request is of. */
  traceIdOf?(request: FastifyRequest): string | undefined
  findSession: FindSession
  /** How long a call may take to arrive. */
  requestMs?: number
  /** How long a call may wait for its answer, in milliseconds; without it as long as nobody is to wait for more. */
  answerMs?: number
  /** What pages may use of the browser that others may not, as its policy writes it. */
  permissions?: readonly string[]
  /** Pages may load scripts and styles of the development server. */
  development?: boolean
  /** Told of every error; true where it says that the database is away, which is not the call's fault and passes. */
  isAway?(error: unknown): boolean
  /** What a browser shows then that has asked for a page. */
  pageWhileAway?: Page
  /** And what it shows while there is no room. */
  pageWhileBusy?: Page
  /** Refuses what is more than can be answered. */
  excess?: { hookInto(app: FastifyInstance): void }
  /** Remembers browsers that are signed in. */
  known?: LatelyKnown
  /** Told of every answer of 500, once it is in the log. */
  onFailure?(error: Error, where: { requestId: string; route: string | null }): void
}

/** The longest body that is read, but where a route says otherwise: no form needs more than an encrypted card and some words. */
const usualBytes = 16 * 1024

/** From its first byte to its last: a call that is not there by then is answered with 408. */
const longestRequestMs = 30_000

/** Longer than load balancers keep an idle connection (usually 60 s), so that none sends a request on a connection that is just closing. */
const keepAliveMs = 72_000

/** Node checks its limits only twice a minute and has one of its own for headers: by default a request may take 90 seconds. */
const createServer = (answer: RequestListener, requestMs: number): Server =>
  createHttpServer(
    {
      requestTimeout: requestMs,
      headersTimeout: Math.min(requestMs, longestRequestMs),
      connectionsCheckingInterval: Math.min(1_000, requestMs / 4),
      keepAliveTimeout: keepAliveMs,
    },
    limitPipelining(answer),
  )

/** The HTTP server with everything that holds for every answer: log, headers, errors. */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const headersOf = headersFor(options)
  const app = Fastify({
    bodyLimit: usualBytes,
    serverFactory: (answer) => createServer(answer, options.requestMs ?? longestRequestMs),
    // A connection that was made before the end is answered like any other: a proxy would not send its POST to another process.
    return503OnClosing: false,
    trustProxy: options.trustedProxies.length > 0 ? trustOf(options.trustedProxies) : false,
    genReqId: () => crypto.randomUUID(),
    // The log has the route's pattern, never the URL: paths carry voucher codes and tokens.
    logger: {
      level: options.logLevel,
      ...(options.logFields && { mixin: () => options.logFields?.() ?? {} }),
      serializers: {
        req: (request) => ({ method: request.method, route: request.routeOptions?.url }),
        err: errorForLog,
      },
    },
    logController: new LogController({ disableRequestLogging: true }),
    // No part of a path is too long for the router, which would answer in its own words: Node takes no longer ones.
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 65_536 },
    // A path with a `%` that encodes nothing comes to no hook.
    frameworkErrors(error, request, reply) {
      reply.headers(headersOf(request))
      return answerError(options, isForUs(options, request) ? error : misdirected(), request, reply)
    },
  })
  answerLateCalls(app.server)
  await app.register(cookie)
  readJsonOnly(app)
  if (options.tellsOfProxies) tellOfUntrustedProxy(app, options.trustedProxies)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersOf(request))
    // Whatever may be kept says so itself.
    reply.header('cache-control', 'no-store')
    done(isForUs(options, request) ? undefined : misdirected())
  })
  options.excess?.hookInto(app)
  measureResponseTimes(app)
  endEarlyAnswersCleanly(app)
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
    return answerError(options, await auditedError(options, error, request, reply), request, reply)
  })
  return app
}

/** The least time, in milliseconds, that an audit event of a late refusal has to be written. */
const minAuditMs = 500

/**
 * Writes a refusal into the audit trail, and returns the error to answer with: the refusal itself, or what says that the database is away
 * or too slow, since the refusal would then go unrecorded. A fault of the audit trail itself never changes the answer.
 */
async function auditedError(
  options: HttpOptions,
  error: FastifyError | Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyError | Refusal> {
  const route = request.routeOptions.url ?? 'unknown'
  const logFailure = (failure: unknown): void => {
    if (options.isAway?.(failure)) return
    request.log.error({ err: failure, route }, 'a refusal could not be written into the audit trail')
  }
  try {
    await answerInTime(() => auditRejectedCall(options, error, request.visit, route), {
      longestMs: Math.max(minAuditMs, (options.answerMs ?? longestAnswerMs) - reply.elapsedTime),
      failed: logFailure,
    })
    return error
  } catch (failure) {
    if (failure instanceof Refusal || options.isAway?.(failure)) return failure as FastifyError | Refusal
    logFailure(failure)
    return error
  }
}

const isForUs = ({ answersTo }: HttpOptions, { raw }: FastifyRequest): boolean => !answersTo || answersTo(hostOf(raw))

/** The headers of every answer. */
function headersFor(options: HttpOptions): (request: FastifyRequest) => Record<string, string> {
  const { secureCookies: secure, development = false, permissions } = options
  const same = securityHeaders({ secure, development, permissions })
  return (request) => ({
    ...same,
    'x-server-time': toldText(options.clock),
    // What the log calls this request: a report of a failed call names it.
    'x-request-id': request.id,
  })
}

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

function answerError(
  options: HttpOptions,
  error: FastifyError | Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.header('cache-control', 'no-store')
  if (error instanceof Refusal) {
    reply.status(error.status).headers(error.headers)
    return error.status === 503 ? sayLater(options.pageWhileBusy, error.body, request, reply) : reply.send(error.body)
  }
  const status = error.statusCode ?? 500
  // Malformed JSON, a body too large, a wrong content type: the client's doing, and said in a sentence.
  if (status < 500)
    return reply.status(status).send({ __all__: [sentenceFor(status, request.routeOptions.config.tooLarge)] })
  if (options.isAway?.(error)) {
    reply.status(503).header('retry-after', retryAfter)
    return sayLater(options.pageWhileAway, { code: formMessages.server }, request, reply)
  }
  request.log.error({ err: error, route: request.routeOptions.url }, 'a request failed')
  options.onFailure?.(error, { requestId: request.id, route: request.routeOptions.url ?? null })
  return reply.status(500).send({ code: formMessages.server })
}

/** Seconds after which a database that is being restarted is back, as a rule. */
const retryAfter = '5'

function sayLater(page: Page | undefined, body: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const asksForPage = request.method === 'GET' && request.headers.accept?.includes('text/html')
  if (!page || !asksForPage) return reply.send(body)
  return reply.header('content-security-policy', page.policy).type('text/html; charset=utf-8').send(page.html)
}

function sentenceFor(status: number, tooLarge = 'That is too much to send at once.'): string {
  if (status === 413) return tooLarge
  if (status === 415) return 'Please send JSON.'
  return 'We could not read that request.'
}
