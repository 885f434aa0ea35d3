import { anHttpAddress, type Fault } from './shape.ts'
import { isInClear } from './shapes.ts'

/** Where traces go, by the variables that every program with OpenTelemetry takes. Headers and time-outs are read by the exporter itself. */
export type TracingConfig = {
  /** The whole address that spans are posted to. */
  url: string
  serviceName: string
  /** Of the traces that begin here, the share that is kept: 0 to 1. */
  share: number
  /** A caller's word on whether a trace is kept counts for ours. */
  asCaller: boolean
  /** Milliseconds between two batches. */
  everyMs: number
}

const samplers = ['always_on', 'always_off', 'traceidratio']

/** Null where no endpoint is named. What is wrong goes to `fault`, a line each. */
export function tracingConfig(env: Record<string, string | undefined>, fault: Fault): TracingConfig | null {
  const [endpoint, own] = [env['OTEL_EXPORTER_OTLP_ENDPOINT'], env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']]
  const name = own ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT'
  const address = own || endpoint
  if (!address || env['OTEL_SDK_DISABLED'] === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none') return null
  if (!anHttpAddress.is(address)) fault(`${name} must be ${anHttpAddress.shape}.`)
  const hasKeys = env['OTEL_EXPORTER_OTLP_HEADERS'] || env['OTEL_EXPORTER_OTLP_TRACES_HEADERS']
  if (hasKeys && isInClear(address)) fault(`${name} must start with https:// when its headers carry keys.`)
  const protocol = env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || env['OTEL_EXPORTER_OTLP_PROTOCOL']
  if (protocol && protocol !== 'http/json')
    fault('OTEL_EXPORTER_OTLP_PROTOCOL must be http/json, or not set: traces are sent as that, to the port for HTTP.')
  return {
    url: own || `${address.replace(/\/$/, '')}/v1/traces`,
    serviceName: env['OTEL_SERVICE_NAME'] || 'fantail',
    ...sampling(env, fault),
    everyMs: batchDelay(env['OTEL_BSP_SCHEDULE_DELAY'], fault),
  }
}

function batchDelay(asked: string | undefined, fault: Fault): number {
  const ms = Number(asked || '5000')
  if (!(ms >= 10 && ms <= 600_000)) fault('OTEL_BSP_SCHEDULE_DELAY must be milliseconds from 10 to 600000.')
  return ms
}

function sampling(env: Record<string, string | undefined>, fault: Fault): Pick<TracingConfig, 'share' | 'asCaller'> {
  const asked = env['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on'
  const asCaller = asked.startsWith('parentbased_')
  const sampler = asked.replace('parentbased_', '')
  if (!samplers.includes(sampler))
    fault(`OTEL_TRACES_SAMPLER must be one of ${samplers.join(', ')}, also with parentbased_ before it.`)
  const share = Number(env['OTEL_TRACES_SAMPLER_ARG'] || '1')
  if (sampler !== 'traceidratio') return { asCaller, share: sampler === 'always_off' ? 0 : 1 }
  if (!(share >= 0 && share <= 1)) fault('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.')
  return { asCaller, share }
}
