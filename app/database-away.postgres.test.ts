import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '#kit/server/free-port.ts'
import { makeDatabase } from '#quality/support/database.ts'
import { type DatabaseProxy, startDatabaseProxy } from '#quality/support/database-proxy.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { pollUntil } from '#quality/support/poll-until.ts'

async function setReadOnly(url: string, isReadOnly: boolean): Promise<void> {
  const database = new URL(url).pathname.slice(1)
  const client = new pg.Client({ connectionString: process.env['DATABASE_URL'] })
  await client.connect()
  await client.query(`alter database ${database} set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`)
  await client.end()
}

describe('starting without a usable database', () => {
  function start(databaseUrl: string) {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['app/main.ts', '--api-only'], {
      cwd: join(import.meta.dirname, '..'),
      env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, PORT: '0' },
      encoding: 'utf8',
      timeout: 60_000,
    })
    return { status, stdout, lines: stderr.split('\n').filter(Boolean) }
  }

  test('starting without a database prints one line and exits with status 1', async () => {
    const nowhere = `postgres://fantail:a-secret@127.0.0.1:${await findFreePort()}/fantail`
    expect(start(nowhere)).toEqual({
      status: 1,
      stdout: '',
      lines: [expect.stringMatching(/^The database cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:\d+\.$/)],
    })
  })

  test('starting on a read-only database prints one line and exits with status 1', async () => {
    const standby = await makeDatabase(process.env['DATABASE_URL'] ?? '', { empty: true })
    await setReadOnly(standby.url, true)
    try {
      expect(start(standby.url)).toEqual({
        status: 1,
        stdout: '',
        lines: ['The database is read-only: it is a standby, or was set to read-only.'],
      })
    } finally {
      await standby.drop()
    }
  })
})

describe('losing the database while the application is running', () => {
  let world: KillTestWorld
  let line: DatabaseProxy
  let databaseUrl = ''
  beforeAll(async () => {
    world = await startKillTestWorld({
      env: { LOG_LEVEL: 'warn' },
      via: async (url) => {
        databaseUrl = url
        line = await startDatabaseProxy(url)
        return line.url
      },
    })
  })
  afterAll(async () => {
    await world?.close()
    await line?.cut()
  })

  const at = (path: string, headers = {}) => fetch(new URL(path, world.product.url), { headers })
  const isReady = async () => (await at('/readyz')).status === 200
  const buys = async () => {
    const ana = await advanceWizardTo(world, 'PAYMENT')
    expect((await ana.pay()).status).toBe(200)
    await ana.arriveAt('SUCCESSFUL')
  }
  const warnings = (): string[] => world.product.complaints().filter((each) => each.includes('"level"'))

  test('while the database is unavailable, API and page requests get 503 and one line is logged; afterwards, purchases work', async () => {
    await pollUntil(isReady)
    // The visitor needs a session, because a request without one reads nothing from the database.
    const visitor = world.visitor()
    await visitor.get('/api/account/')
    await line.cut()
    await pollUntil(async () => !(await isReady()))
    const answer = await visitor.get('/api/account/')
    expect(answer).toMatchObject({ status: 503, body: { code: expect.any(String) } })
    expect(answer.headers.get('retry-after')).toBe('5')
    // A login request without a session is rejected. Its first database statement writes the audit event for that rejection.
    const refused = await fetch(new URL('/api/account/login/', world.product.url), { method: 'POST' })
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await refused.json()).toEqual(answer.body)
    const page = await visitor.get('/documents/1/FT1.pdf', { accept: 'text/html' })
    expect(page).toMatchObject({ status: 503, body: expect.stringContaining('We’ll be back in a moment') })
    expect(page.headers.get('retry-after')).toBe('5')
    expect(await (await at('/readyz')).json()).toEqual({ status: 'unavailable', missing: ['database'] })
    expect((await at('/healthz')).status).toBe(200)
    /*
     * Sweeps, upkeep, workers and visitors all query the database. If each failure were logged, five seconds would be
     * enough to flood the log.
     */
    for (const end = performance.now() + 5_000; performance.now() < end; await pause(100))
      await visitor.get('/api/account/')
    await line.mend()
    await pollUntil(isReady)
    await buys()
    await world.product.stop()
    expect(warnings()).toEqual([expect.stringContaining('the database is away')])
    expect(world.product.complaints().join('\n')).not.toMatch(/dev:|secret/)
    await world.product.start()
  })

  test('while the database is read-only, as after a failover, requests get 503 until it accepts writes again', async () => {
    await pollUntil(isReady)
    const [before, ana] = [warnings().length, await advanceWizardTo(world, 'PAYMENT')]
    await setReadOnly(databaseUrl, true)
    await world.breakConnections()
    await pollUntil(async () => (await ana.pay()).status === 503)
    expect(await (await at('/readyz')).json()).toEqual({ status: 'unavailable', missing: ['database'] })
    await pause(3_000)
    await setReadOnly(databaseUrl, false)
    await world.breakConnections()
    await pollUntil(isReady)
    expect((await ana.pay()).status).toBe(200)
    await ana.arriveAt('SUCCESSFUL')
    await world.product.stop()
    expect(warnings().length - before).toBeLessThan(5)
  })
})
