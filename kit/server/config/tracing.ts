import * as v from 'valibot'
import {
  type Environment,
  type ReportFault,
  httpUrl,
  numberBetween,
  type SettingsReader,
  readSetting,
} from './setting.ts'
import { isUnencryptedHttp } from './setting-schemas.ts'

/**
 * Where traces are sent and how they are sampled, from OpenTelemetry's standard environment variables. The OpenTelemetry exporter reads its
 * own variables for headers and timeouts.
 */
export type TracingConfig = {
  url: string
  serviceName: string
  /** Sampling ratio, from 0 to 1, for traces that start in this process. */
  share: number
  /** Whether a trace that began in another service keeps the sampling decision made there. */
  followsParentSampling: boolean
  /** Milliseconds between exported batches of traces. */
  everyMs: number
}

const samplers = ['always_on', 'always_off', 'traceidratio'] as const
const samplerSchema = v.pipe(
  v.string(),
  v.transform((name) => name.replace('parentbased_', '')),
  v.picklist(samplers, `must be one of ${samplers.join(', ')}, optionally with the prefix parentbased_.`),
)
const samplingRatioSchema = numberBetween(0, 1, 'must be a number from 0 to 1.')
const delaySchema = numberBetween(10, 600_000, 'must be milliseconds from 10 to 600000.')

export function readTracingConfig(env: Environment, fault: ReportFault): TracingConfig | null {
  const [endpoint, own] = [env['OTEL_EXPORTER_OTLP_ENDPOINT'], env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']]
  const name = own ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT'
  const address = own || endpoint
  if (!address || env['OTEL_SDK_DISABLED'] === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none') return null
  const read = { env, fault }
  readSetting(read, name, httpUrl, null)
  const hasKeys = env['OTEL_EXPORTER_OTLP_HEADERS'] || env['OTEL_EXPORTER_OTLP_TRACES_HEADERS']
  if (hasKeys && isUnencryptedHttp(address)) fault(`${name} must start with https:// when its headers carry keys.`)
  const protocol = env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || env['OTEL_EXPORTER_OTLP_PROTOCOL']
  if (protocol && protocol !== 'http/json')
    fault(
      'OTEL_EXPORTER_OTLP_PROTOCOL must be http/json or not set: traces are sent only in that format, to the HTTP port.',
    )
  return {
    url: own || `${address.replace(/\/$/, '')}/v1/traces`,
    serviceName: env['OTEL_SERVICE_NAME'] || 'fantail',
    ...readSampling(read),
    everyMs: readSetting(read, 'OTEL_BSP_SCHEDULE_DELAY', delaySchema, 5_000),
  }
}

function readSampling(read: SettingsReader): Pick<TracingConfig, 'share' | 'followsParentSampling'> {
  const followsParentSampling = (read.env['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on').startsWith('parentbased_')
  const sampler = readSetting(read, 'OTEL_TRACES_SAMPLER', samplerSchema, 'always_on')
  if (sampler !== 'traceidratio') return { followsParentSampling, share: sampler === 'always_off' ? 0 : 1 }
  return { followsParentSampling, share: readSetting(read, 'OTEL_TRACES_SAMPLER_ARG', samplingRatioSchema, 1) }
}
