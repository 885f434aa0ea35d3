import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { TracingConfig } from '#kit/server/config/tracing.ts'
import type { Log } from '#kit/server/log.ts'

const exportTimeoutMs = 5_000
const maxStopMs = 2_000
const maxQueuedSpans = 2_048

export function createTracerProvider(
  { url, serviceName, share, followsParentSampling, everyMs }: TracingConfig,
  version: string,
  log: () => Log | null,
): TracerProvider {
  const root = new TraceIdRatioBasedSampler(share)
  const exporter = logExportFailures(new OTLPTraceExporter({ url, timeoutMillis: exportTimeoutMs }), log)
  return new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    sampler: followsParentSampling ? new ParentBasedSampler({ root }) : root,
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: everyMs, maxQueueSize: maxQueuedSpans })],
  })
}

function logExportFailures(exporter: SpanExporter, log: () => Log | null): SpanExporter {
  let lost: number | null = null
  return {
    export(spans, done) {
      exporter.export(spans, ({ code, error }) => {
        if (code !== 0) {
          if (lost === null) log()?.warn({ reason: error?.message ?? 'unknown' }, 'traces cannot be delivered')
          lost = (lost ?? 0) + spans.length
        } else if (lost !== null) {
          log()?.info({ lost }, 'traces are delivered again')
          lost = null
        }
        // The failed export has been logged here, so the tracing library is told that it succeeded and does not log it again.
        done({ code: 0 })
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}

export async function shutDownTracerProvider(provider: TracerProvider): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, maxStopMs)
  await Promise.race([provider.shutdown().catch(() => {}), late]).finally(() => clearTimeout(timer))
}
