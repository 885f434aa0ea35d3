import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import type { TracingConfig } from '#kit/server/config/tracing.ts'
import type { QueryTold } from '#kit/server/db.ts'
import type { Log } from '#kit/server/log.ts'
import { createProvider, stopInTime } from './trace-export.ts'
import { traceRequests } from './trace-requests.ts'
import type { Task, Watch } from './watch.ts'

export type Tracing = Watch & {
  /** A statement that has ended: a span of whatever asked for it. */
  hearQuery(query: QueryTold): void
  /** What each line of the log is given: the trace that it is of. */
  logFields(): { trace_id?: string }
  traceIdOf(request: FastifyRequest): string | undefined
  /** Until then nobody is told that traces do not arrive. */
  tellLog(log: Log): void
  /** Whose `traceparent` counts: by the address at the other end of the socket. */
  trust(isTrusted: (address: string) => boolean): void
  stop(): Promise<void>
}

/** Upkeep comes round every second and mostly finds nothing: only a turn that took this long, or failed, has a span. */
const notableTurnMs = 250
const longestStatement = 1_000

/** Tells of what is over already, within what asked for it. */
type Note = (name: string, ms: number, options: { kind?: SpanKind; attributes: Record<string, string> }) => void

/** Traces of one process. Nobody waits for them: what cannot be handed over is dropped. */
export function startTracing(config: TracingConfig, version: string): Tracing {
  const active = new AsyncLocalStorage<Context>()
  const contexts = new WeakMap<FastifyRequest, Context>()
  let log: Log | null = null
  let isTrusted: (address: string) => boolean = () => false
  const provider = createProvider(config, version, () => log)
  const tracer = provider.getTracer('fantail')
  const idOf = (context: Context | undefined): string | undefined => context && trace.getSpanContext(context)?.traceId
  const note: Note = (name, ms, options) => {
    const now = Date.now()
    tracer.startSpan(name, { ...options, startTime: now - ms }, active.getStore() ?? ROOT_CONTEXT).end(now)
  }

  return {
    requests: (app) => traceRequests(app, { tracer, active, contexts, isTrusted: (address) => isTrusted(address) }),
    around: (task, run) => (task.kind === 'job' ? traceJob(tracer, active, task, run) : noteUpkeep(note, task, run)),
    hear({ service, operation, outcome, isFailure, ms }) {
      const attributes = { 'peer.service': service, outcome, failed: String(isFailure) }
      note(`${service} ${operation}`, ms, { kind: SpanKind.CLIENT, attributes })
    },
    hearQuery({ statement, ms }) {
      // What nobody asked for is the worker looking round.
      if (!active.getStore()) return
      const text = statement.slice(0, longestStatement)
      const [verb = 'query'] = text.trimStart().split(/\s/, 1)
      const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text }
      note(verb.toLowerCase(), ms, { kind: SpanKind.CLIENT, attributes })
    },
    logFields() {
      const id = idOf(active.getStore())
      return id ? { trace_id: id } : {}
    },
    traceIdOf: (request) => idOf(contexts.get(request)),
    tellLog: (to) => void (log = to),
    trust: (told) => void (isTrusted = told),
    stop: () => stopInTime(provider),
  }
}

async function traceJob(
  tracer: Tracer,
  active: AsyncLocalStorage<Context>,
  { name }: Task,
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

async function noteUpkeep(note: Note, { kind, name }: Task, run: () => Promise<void>): Promise<void> {
  const began = performance.now()
  let failed = true
  try {
    await run()
    failed = false
  } finally {
    const ms = performance.now() - began
    if (failed || ms >= notableTurnMs) note(`${kind} ${name}`, ms, { attributes: { failed: String(failed) } })
  }
}
