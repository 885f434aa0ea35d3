/* @module-tag slow */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { findFreePort } from '#kit/server/free-port.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { createProductProcess } from '#quality/support/product-process.ts'
import { pollUntil } from '#quality/support/poll-until.ts'

const home = createDataFolder()
const product = createProductProcess({
  PORT: String(await findFreePort()),
  DATA_DIR: home,
  LOG_LEVEL: 'info',
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await findFreePort()}`,
  OTEL_BSP_SCHEDULE_DELAY: '20',
})
afterAll(async () => {
  await product.stop()
  rmSync(home, { recursive: true, force: true })
})

const linesWith = (message: string): Record<string, unknown>[] =>
  product
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes(`"msg":"${message}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>)

test('if the trace collector is unreachable, no requests fail, and only one log line reports the problem', async () => {
  await product.start()
  const caller = randomBytes(16).toString('hex')
  const ask = () =>
    fetch(`${product.url}/api/products/`, { headers: { traceparent: `00-${caller}-${'1'.repeat(16)}-01` } })
  const answers = await Promise.all(Array.from({ length: 20 }, ask))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  await pollUntil(async () => linesWith('traces cannot be delivered').length > 0)
  for (let count = 0; count < 5; count++) await ask()

  const answered = linesWith('answered').filter(({ route }) => route === '/api/products/')
  const traces = new Set(answered.map((line) => line['trace_id']))
  expect([answered.length >= 20, traces.size]).toEqual([true, answered.length])
  for (const trace of traces) expect(trace).toMatch(/^[\da-f]{32}$/)
  expect(traces).not.toContain(caller)
  expect(linesWith('traces cannot be delivered')).toHaveLength(1)
})
