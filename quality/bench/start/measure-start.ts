import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { findFreePort } from '#kit/server/free-port.ts'
import { makeDatabase } from '#quality/support/database.ts'
import { newVisitor } from '#quality/support/visitor.ts'
import type { Call } from '../load/run-load.ts'
import { startStatementRecorder } from '../server/statement-recorder.ts'
import { type BenchProduct, startProduct } from '../world/product.ts'
import type { BenchWorld } from '../world/world.ts'

/** The start benchmark's results: times in seconds, memory in megabytes, and the statements per second that an idle product sends. */
export type StartResult = {
  build: number
  /** How long the very first starts take, without a database, customers, or compiled code from an earlier start. */
  first: number[]
  second: number[]
  megabytes: { afterFirst: number | null; afterSecond: number | null; afterLoad: number | null }
  idleStatements: number
}

export type StartBenchOptions = { times: number; loadMs: number; idleMs: number }

export async function measureStart(world: BenchWorld, starts: StartBenchOptions): Promise<StartResult> {
  const result: StartResult = {
    build: await measurePortalBuild(world.home),
    first: [],
    second: [],
    megabytes: { afterFirst: null, afterSecond: null, afterLoad: null },
    idleStatements: await countIdleStatements(world, starts.idleMs),
  }
  for (let time = 0; time < starts.times; time++) await measureFirstAndSecondStart(world, starts, result)
  return result
}

async function measureFirstAndSecondStart(
  { load, server, home }: BenchWorld,
  starts: StartBenchOptions,
  result: StartResult,
): Promise<void> {
  const folder = mkdtempSync(join(home, 'start-'))
  const own = server ? await makeDatabase(server, { empty: true }) : null
  const env = {
    PORT: String(await findFreePort()),
    DESK_PORT: '0',
    DATA_DIR: folder,
    ...(own && { DATABASE_URL: own.url }),
  } as Record<'PORT' | 'DATA_DIR', string>
  try {
    const first = await startProduct({ ...env, NODE_DISABLE_COMPILE_CACHE: '1' }, { pages: true })
    result.first.push(first.secondsToReady)
    result.megabytes.afterFirst = first.megabytes()
    await first.stop()
    const secondStart = await startProduct(env, { pages: true })
    try {
      result.second.push(secondStart.secondsToReady)
      result.megabytes.afterSecond = secondStart.megabytes()
      await load.ask({
        port: secondStart.port,
        calls: await buildCalls(secondStart),
        connections: 16,
        ms: starts.loadMs,
      })
      result.megabytes.afterLoad = secondStart.megabytes()
    } finally {
      await secondStart.stop()
    }
  } finally {
    await own?.drop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function buildCalls({ url }: BenchProduct): Promise<Call[]> {
  const { customers } = (await newVisitor(url).get('/demo/api/fixtures/')).body
  const calls: Call[] = [{ path: '/login/' }, { path: '/api/products/' }]
  for (const { email, password } of customers) {
    const visitor = newVisitor(url)
    const { status } = await visitor.post('/api/account/login/', { username: email, password })
    if (status !== 200) throw new Error(`a login of the demo's answered ${status}`)
    const cookie = visitor
      .cookies()
      .map(([name, value]) => `${name}=${value}`)
      .join('; ')
    calls.push({ path: '/api/account/', headers: { cookie } })
  }
  return calls
}

/** Measures how long the portal takes to build. The build goes to a separate folder, so it does not replace the build that Fantail uses. */
async function measurePortalBuild(home: string): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, ['app/build/bundle.ts', 'vite.config.ts', join(home, 'portal')], {
    cwd: join(import.meta.dirname, '../../..'),
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = text(child.stderr)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`the portal could not be built: ${await said}`)
  return (performance.now() - began) / 1_000
}

async function countIdleStatements(world: BenchWorld, ms: number): Promise<number> {
  const ear = await startStatementRecorder(world)
  const product = await world.start(ear.options)
  try {
    await pause(2_000)
    ear.take()
    await pause(ms)
    return ear.take().asked.length / (ms / 1_000)
  } finally {
    await product.stop()
    await ear.close()
  }
}
