import type { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'

type RequestTraceOptions = {
  tracer: Tracer
  active: AsyncLocalStorage<Context>
  contexts: WeakMap<FastifyRequest, Context>
  isTrusted(address: string): boolean
}

export function traceRequests(
  app: FastifyInstance,
  { tracer, active, contexts, isTrusted }: RequestTraceOptions,
): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions } = request
    if (routeOptions.config?.isQuiet) return done()
    const parentContext = isTrusted(request.socket.remoteAddress ?? '') ? readParentContext(request) : ROOT_CONTEXT
    const route = routeOptions.url ?? 'unknown'
    const attributes = { 'http.request.method': method, 'http.route': route, 'fantail.request_id': request.id }
    const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parentContext)
    const context = trace.setSpan(parentContext, span)
    contexts.set(request, context)
    active.run(context, done)
  })
  // Node loses the async context while it reads a request's body from the socket, so this hook restores it.
  app.addHook('preHandler', (request, _reply, done) => {
    const context = contexts.get(request)
    if (context) active.run(context, done)
    else done()
  })
  app.addHook('onResponse', async (request, { statusCode }) => {
    const context = contexts.get(request)
    const span = context && trace.getSpan(context)
    span?.setAttribute('http.response.status_code', statusCode)
    if (statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  })
}

/** Reads the caller's span from a trusted proxy's `traceparent` header: https://www.w3.org/TR/trace-context/ */
function readParentContext({ headers: { traceparent = '' } }: FastifyRequest): Context {
  const [, traceId = '', spanId = '', flags = '0'] =
    /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(String(traceparent)) ?? []
  const parentSpanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return isSpanContextValid(parentSpanContext) ? trace.setSpanContext(ROOT_CONTEXT, parentSpanContext) : ROOT_CONTEXT
}
