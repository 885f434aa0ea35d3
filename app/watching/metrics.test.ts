import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createClock, realNow } from '#kit/server/clock.ts'
import { createHttpApp } from '#kit/server/http.ts'
import { createSecrets } from '#kit/server/secrets.ts'
import { parseMetric } from '#quality/support/prometheus.ts'
import { createMetrics, type MetricsOptions } from './metrics.ts'

const megabytes = 1024 * 1024

test.each([
  ['the rest of a refused upload is discarded', 413, 32 * megabytes, 0],
  ['a slow client sends its form', 200, 4_096, 100],
] as const)(
  'the latency metric and the log leave out the time in which %s',
  async (_what, status, length, sentAtFirst) => {
    const { port, received, answered, seconds } = await measuredApp()
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    const headers = `host: localhost\r\ncontent-type: application/json\r\ncontent-length: ${length}`
    const body = JSON.stringify('x'.repeat(length - 2))
    const began = performance.now()
    socket.write(`POST /form/ HTTP/1.1\r\n${headers}\r\n\r\n${body.slice(0, sentAtFirst)}`)
    await (status === 413 ? once(socket, 'data') : received)
    const sentRest = performance.now()
    socket.write(body.slice(sentAtFirst))

    const { at, line } = await answered
    const productMs = status === 413 ? sentRest - began : at - sentRest
    expect(line).toMatchObject({ status, ms: expect.toSatisfy((ms: number) => ms <= Math.ceil(productMs)) })
    expect((await seconds()) * 1_000).toBeLessThanOrEqual(productMs)
  },
)

test('the metrics include the days until each certificate expires', async () => {
  const certificates = [
    { setting: 'NETWORK_TLS_CERT', endsAt: realNow().add({ hours: 36 }) },
    { setting: 'SMS_TLS_CA', endsAt: realNow().subtract({ hours: 24 }) },
  ]
  const { body } = await createMetrics({ ...options, certificates }).text()
  const daysLeft = (setting: string) => parseMetric(body, 'fantail_certificate_days_left', { setting })
  expect(daysLeft('NETWORK_TLS_CERT')).toBeCloseTo(1.5, 2)
  expect(daysLeft('SMS_TLS_CA')).toBeCloseTo(-1, 2)
})

const options: MetricsOptions = {
  build: {},
  figures: { text: async () => '', async stop() {} },
  pool: () => null,
  clocksAhead: () => ({}),
  certificates: [],
  excess: () => ({
    refused: 0,
    atWork: { first: 0, known: 0, anyone: 0, costly: 0 },
    waiting: { costly: 0, hash: 0 },
  }),
  sinceTurn: () => null,
}

async function measuredApp() {
  const metrics = createMetrics(options)
  const app = await createHttpApp({
    db: null as never,
    clock: createClock(),
    secrets: createSecrets('secret'),
    publicUrl: 'http://localhost',
    secureCookies: false,
    trustedProxies: [],
    logLevel: 'silent',
    findSession: async () => undefined,
  })
  onTestFinished(() => app.close())
  const received = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<{ at: number; line: unknown }>()
  let line: unknown
  app.addHook('onRequest', async ({ log }) => {
    vi.spyOn(log, 'info').mockImplementation((answer: unknown) => void (line = answer))
    received.resolve()
  })
  metrics.requests(app)
  app.addHook('onResponse', async () => answered.resolve({ at: performance.now(), line }))
  app.post('/form/', () => 'done')
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const seconds = async (): Promise<number> =>
    parseMetric((await metrics.text()).body, 'fantail_http_request_duration_seconds_sum', { route: '/form/' }) ?? NaN
  return { port: Number(port), received: received.promise, answered: answered.promise, seconds }
}
