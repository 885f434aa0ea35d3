import { expect, test } from 'vitest'
import { readTracingConfig } from './tracing.ts'

const read = (env: Record<string, string | undefined>) => {
  const faults: string[] = []
  return { config: readTracingConfig(env, (line) => void faults.push(line)), faults }
}
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://10.0.0.9:4318/' }

test.each([
  {},
  { OTEL_SERVICE_NAME: 'fantail' },
  { ...endpoint, OTEL_SDK_DISABLED: 'true' },
  { ...endpoint, OTEL_TRACES_EXPORTER: 'none' },
])('sends no traces with the settings %o', (env) => expect(read(env)).toEqual({ config: null, faults: [] }))

test('setting only the traces endpoint turns tracing on, and further settings change its defaults', () => {
  const config = {
    url: 'http://10.0.0.9:4318/v1/traces',
    serviceName: 'fantail',
    share: 1,
    followsParentSampling: true,
    everyMs: 5_000,
  }
  expect(read(endpoint)).toEqual({ config, faults: [] })
  const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.nz/in', OTEL_SERVICE_NAME: 'portal' }
  expect(read({ ...endpoint, ...own }).config).toMatchObject({
    url: 'https://traces.example.nz/in',
    serviceName: 'portal',
  })
})

test.each([
  ['always_off', '', { share: 0, followsParentSampling: false }],
  ['parentbased_traceidratio', '0.1', { share: 0.1, followsParentSampling: true }],
])('samples traces as configured by %s and %s', (sampler, arg, expected) => {
  const env = { ...endpoint, OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: arg }
  expect(read(env)).toMatchObject({ config: expected, faults: [] })
})

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address.'],
  [{ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, expect.stringContaining('must be http/json')],
  [{ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'key=1' }, expect.stringContaining('must start with https://')],
  [
    { ...endpoint, OTEL_TRACES_SAMPLER: 'jaeger_remote' },
    expect.stringContaining('OTEL_TRACES_SAMPLER must be one of'),
  ],
  [
    { ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' },
    'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.',
  ],
])('rejects the tracing settings %o', (env, fault) => expect(read(env).faults).toEqual([fault]))
