import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '#kit/server/free-port.ts'
import { makeDatabase, type TestDatabase } from '#quality/support/database.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { startRecordingProxy, type RecordingProxy } from '../wire/recording-proxy.ts'
import { type BenchProduct, startProduct } from '../world/product.ts'

/** Fantail runs in demo mode, so the statements for the demo's clock are counted as well. */
let product: BenchProduct
let own: TestDatabase
let wire: RecordingProxy
let client: pg.Client
const folder = mkdtempSync(join(tmpdir(), 'fantail-idle-'))
beforeAll(async () => {
  own = await makeDatabase(process.env['DATABASE_URL'] ?? '', { empty: true })
  wire = await startRecordingProxy(own.url)
  client = new pg.Client({ connectionString: own.url })
  await client.connect()
  product = await startProduct({
    PORT: String(await findFreePort()),
    DATA_DIR: folder,
    DATABASE_URL: wire.url,
    DEMO_CUSTOMERS: 'none',
    LOG_LEVEL: 'warn',
  })
}, 180_000)
afterAll(async () => {
  await product?.stop()
  await client?.end()
  await wire?.close()
  await own?.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** How many seconds to count statements for. Jobs that run once a minute add only a few statements to the total. */
const seconds = 20

/** Returns the number of statements per second. */
async function listen(): Promise<number> {
  wire.take()
  await pause(seconds * 1_000)
  return wire.take().asked.length / seconds
}

test(
  'a process that has nothing to do sends fewer than four statements a second to its database',
  { timeout: 90_000 },
  async () => {
    // Wait until the work after startup is done and the process polls at its slowest rate.
    await pollUntil(
      async () => {
        wire.take()
        await pause(3_000)
        return wire.take().asked.length <= 9
      },
      { withinMs: 60_000 },
    )
    const asked = await listen()
    expect(asked).toBeGreaterThan(1)
    expect(asked).toBeLessThan(4)
  },
)

test('within 1.5 seconds, an idle process starts a new job and notices that the demo clock has moved', async () => {
  const found = async (statement: string): Promise<{ ms: number } | undefined> =>
    (await client.query<{ ms: number }>(statement)).rows[0]
  const moved = performance.now()
  await client.query('update clock set offset_ms = offset_ms + 60000')
  // Insert a message without a body. A worker leases it for a minute and finds nothing to send.
  await client.query(`
    insert into messages (id, event_key, message_id, channel, recipient, subject, created_at, retry_at)
    values (gen_random_uuid(), 'test:idle', '<idle@example.nz>', 'email', 'nobody@example.nz', '', now(), now())`)
  await pollUntil(async () => found('select 1 as ms from demo_clock_followers where offset_ms >= 60000'))
  // The limit is one second, plus a margin for a busy machine.
  expect(performance.now() - moved).toBeLessThan(1_500)
  const job = await pollUntil(async () =>
    found(`
      select (extract(epoch from retry_at - interval '60 seconds' - created_at) * 1000)::float8 as ms from messages
      where event_key = 'test:idle' and retry_at > now() + interval '30 seconds'`),
  )
  expect(job?.ms).toBeLessThan(1_500)
})
