import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import type { TracingConfig } from '#kit/server/config/tracing.ts'
import type { CompletedQuery } from '#kit/server/db.ts'
import type { Log } from '#kit/server/log.ts'
import { createTracerProvider, shutDownTracerProvider } from './trace-export.ts'
import { traceRequests } from './trace-requests.ts'
import type { ObservedTask, ProcessObserver } from './process-observer.ts'

export type Tracing = ProcessObserver & {
  hearQuery(query: CompletedQuery): void
  logFields(): { trace_id?: string }
  traceIdOf(request: FastifyRequest): string | undefined
  tellLog(log: Log): void
  trust(isTrusted: (address: string) => boolean): void
  stop(): Promise<void>
}

/** Upkeep runs every second and mostly finds nothing to do. It gets a span only if it fails, or takes at least this many milliseconds. */
const minSpanMs = 250
const maxStatementLength = 1_000

type SpanRecorder = (name: string, ms: number, options: { kind?: SpanKind; attributes: Record<string, string> }) => void

/** Starts tracing. Requests and jobs never wait for their spans to be exported, and spans that cannot be exported are dropped. */
export function startTracing(config: TracingConfig, version: string): Tracing {
  const activeContext = new AsyncLocalStorage<Context>()
  const contexts = new WeakMap<FastifyRequest, Context>()
  let log: Log | null = null
  let isTrusted: (address: string) => boolean = () => false
  const provider = createTracerProvider(config, version, () => log)
  const tracer = provider.getTracer('fantail')
  const idOf = (context: Context | undefined): string | undefined => context && trace.getSpanContext(context)?.traceId
  const note: SpanRecorder = (name, ms, options) => {
    const now = Date.now()
    tracer.startSpan(name, { ...options, startTime: now - ms }, activeContext.getStore() ?? ROOT_CONTEXT).end(now)
  }

  return {
    requests: (app) =>
      traceRequests(app, { tracer, active: activeContext, contexts, isTrusted: (address) => isTrusted(address) }),
    around: (task, run) =>
      task.kind === 'job' ? traceJob(tracer, activeContext, task, run) : recordUpkeep(note, task, run),
    hear({ service, operation, outcome, isFailure, ms }) {
      const attributes = { 'peer.service': service, outcome, failed: String(isFailure) }
      note(`${service} ${operation}`, ms, { kind: SpanKind.CLIENT, attributes })
    },
    hearQuery({ statement, ms }) {
      if (!activeContext.getStore()) return
      const text = statement.slice(0, maxStatementLength)
      const [verb = 'query'] = text.trimStart().split(/\s/, 1)
      const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text }
      note(verb.toLowerCase(), ms, { kind: SpanKind.CLIENT, attributes })
    },
    logFields() {
      const id = idOf(activeContext.getStore())
      return id ? { trace_id: id } : {}
    },
    traceIdOf: (request) => idOf(contexts.get(request)),
    tellLog: (to) => void (log = to),
    trust: (told) => void (isTrusted = told),
    stop: () => shutDownTracerProvider(provider),
  }
}

async function traceJob(
  tracer: Tracer,
  active: AsyncLocalStorage<Context>,
  { name }: ObservedTask,
  run: () => Promise<void>,
): Promise<void> {
  const span = tracer.startSpan(`job ${name}`, { kind: SpanKind.CONSUMER }, ROOT_CONTEXT)
  try {
    await active.run(trace.setSpan(ROOT_CONTEXT, span), run)
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}

async function recordUpkeep(note: SpanRecorder, { kind, name }: ObservedTask, run: () => Promise<void>): Promise<void> {
  const startedAt = performance.now()
  let failed = true
  try {
    await run()
    failed = false
  } finally {
    const ms = performance.now() - startedAt
    if (failed || ms >= minSpanMs) note(`${kind} ${name}`, ms, { attributes: { failed: String(failed) } })
  }
}
