import { summariseRounds, type Round } from '../load-figures.ts'
import type { Load } from '../load/run-load.ts'
import { openBenchConnection, type BenchConnection } from '../scale/bench-connection.ts'
import { copyCustomers } from '../scale/copy-customers.ts'
import { createReaderSessions } from '../scale/reader-sessions.ts'
import { createTemplateCustomers } from '../world/template-customers.ts'
import type { BenchProduct } from '../world/product.ts'
import type { BenchWorld } from '../world/world.ts'
import { activateLines } from './activate-lines.ts'
import { runDueWork, type Wave } from './run-due-work.ts'

export type Night = {
  workers: number
  /**
   * `calmP99` is the 99th percentile of the response time before the waves, in milliseconds, at `readsPerSecond` reads a second. `waves`
   * contains the same figure for each wave.
   */
  readsPerSecond: number
  calmP99: number
  waves: (Wave & { p99: number })[]
}

const zone = 'Pacific/Auckland'
const readsPerSecond = 50
const idleMeasurementMs = 5_000
const readRoundMs = 500

/**
 * Measures each kind of nightly work separately: `count` reminders, renewal notices, charges, and ending plans that are each followed by a
 * next plan.
 */
export async function measureNightlyWork(
  world: BenchWorld,
  { count, workers }: { count: number; workers: number },
): Promise<Night> {
  await activateLines(
    world,
    Array.from({ length: 2 * count }, (_, at) => at + 1),
  )
  const templateProduct = await world.start()
  const { renewing, ending } = await createTemplateCustomers(world, templateProduct).finally(templateProduct.stop)
  const connection = await openBenchConnection(world.place)
  const runningProducts: BenchProduct[] = []
  try {
    await copyCustomers(connection, [ending.email, renewing.email], { count: 2 * count, days: 1, zone })
    await keepOneDeadlinePerService(connection)
    const product = await world.start({ role: 'web' })
    runningProducts.push(product)
    while (runningProducts.length <= workers) runningProducts.push(await world.startWorker())
    const readers = await createReaderSessions(connection, world.secretKey, 100)
    const calls = readers.map(({ cookie }) => ({ path: '/api/account/', headers: { cookie } }))
    return await live(world, { asking: connection, running: runningProducts, port: product.port, calls })
  } finally {
    await Promise.all(runningProducts.map((each) => each.stop()))
    await connection.close()
  }
}

type Stage = { asking: BenchConnection; running: BenchProduct[]; port: number; calls: Load['calls'] }

async function live(world: BenchWorld, { asking, running, port, calls }: Stage): Promise<Night> {
  const read = (ms: number): Promise<Round> =>
    world.load.ask({ port, calls, connections: 16, ms, perSecond: readsPerSecond })
  const night: Night = {
    workers: running.length - 1,
    readsPerSecond,
    calmP99: summariseRounds([await read(idleMeasurementMs)]).p99,
    waves: [],
  }
  for (const { name, due } of nightlyWorkKinds) {
    const [row] = await asking.ask<{ at: string }>(
      `select to_json(max(due_at) + interval '1 minute') #>> '{}' as at ${due}`,
    )
    if (!row?.at) throw new Error(`there are no ${name}`)
    const repeatedReads = startRepeatedReads(() => read(readRoundMs))
    const wave = await runDueWork(world, { running, asking }, { name, at: row.at }).catch(async (error: unknown) => {
      await repeatedReads.stop()
      throw error
    })
    night.waves.push({ ...wave, p99: summariseRounds(await repeatedReads.stop()).p99 })
  }
  return night
}

function startRepeatedReads(read: () => Promise<Round>): { stop(): Promise<Round[]> } {
  const rounds: Round[] = []
  const abortController = new AbortController()
  const readLoop = (async () => {
    do rounds.push(await read())
    while (!abortController.signal.aborted)
  })()
  // Ignore the error here; `stop` throws it.
  readLoop.catch(() => {})
  return {
    async stop() {
      abortController.abort()
      await readLoop
      return rounds
    },
  }
}

const nightlyWorkKinds = [
  { name: 'reminders that a plan ends', due: `from service_deadlines where kind = 'ends-7'` },
  { name: 'notices of a renewal', due: `from auto_renewals where step = 'notice'` },
  { name: 'charges of the saved card', due: `from auto_renewals where step = 'charge'` },
  { name: 'ends of plans', due: `from service_deadlines where kind = 'expiry'` },
]

async function keepOneDeadlinePerService({ ask }: BenchConnection): Promise<void> {
  await ask(`
    delete from service_deadlines
    where kind in ('ends-3', 'ends-1')
      or kind = 'ends-7' and service_id in (select service_id from auto_renewals where enabled)`)
  // Delete these rows, because usage checks and cycle records are not part of this benchmark.
  await ask('delete from cycle_usage')
  await ask('delete from yearly_summaries')
}
