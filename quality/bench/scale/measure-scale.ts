import { compareReads, type Pace } from '../load/compare-reads.ts'
import type { LoadFigures } from '../load-figures.ts'
import { buildHeaders, type Read, type Reader, reads } from '../server/reads.ts'
import type { BenchProduct } from '../world/product.ts'
import { createTemplateCustomers } from '../world/template-customers.ts'
import { type BenchWorld, startBenchWorld } from '../world/world.ts'
import { openBenchConnection } from './bench-connection.ts'
import { copyCustomers, type CopyResult } from './copy-customers.ts'
import { createReaderSessions } from './reader-sessions.ts'

export type Sized = { services: number; filled: CopyResult; megabytes: number | null; memory: number | null }

export type ScaleResult = {
  sizes: Sized[]
  reads: { name: string; figures: LoadFigures[] }[]
}

const scaledReads = reads.filter(({ name }) => !['login page', 'dashboard page, br'].includes(name))

/** All copied 30-day plans started within the last 22 days, so none of their deadlines is overdue. */
const days = 22
const zone = 'Pacific/Auckland'
const readerCount = 200

type RunningWorld = {
  world: BenchWorld
  product: BenchProduct
  readers: Reader[]
  sized: Sized
  end(): Promise<void>
}

export async function measureScale(first: BenchWorld, sizes: readonly number[], pace: Pace): Promise<ScaleResult> {
  const runningWorlds: RunningWorld[] = []
  try {
    for (const [at, services] of sizes.entries()) {
      const world = at === 0 ? first : await startBenchWorld(first.server)
      runningWorlds.push(await fill(world, services, world !== first))
    }
    const results: ScaleResult['reads'] = []
    for (const read of scaledReads)
      results.push({ name: read.name, figures: await compareSizes(first, runningWorlds, { read, pace }) })
    for (const { product, sized } of runningWorlds) sized.memory = product.megabytes()
    return { sizes: runningWorlds.map(({ sized }) => sized), reads: results }
  } finally {
    for (const { end } of runningWorlds) await end()
  }
}

async function fill(world: BenchWorld, services: number, isOwn: boolean): Promise<RunningWorld> {
  const templateProduct = await world.start()
  const { renewing, ending } = await createTemplateCustomers(world, templateProduct, { renewed: true }).finally(
    templateProduct.stop,
  )
  const emails = [renewing.email, ending.email]
  const connection = await openBenchConnection(world.place)
  const copyResult = await copyCustomers(connection, emails, { count: services - emails.length, days, zone })
  const readers = await createReaderSessions(connection, world.secretKey, readerCount)
  const [size] = await connection.ask<{ mb: string }>('select pg_database_size(current_database()) / 1e6 as mb')
  await connection.close()
  const product = await world.start({ pages: true })
  return {
    world,
    product,
    readers,
    sized: { services, filled: copyResult, megabytes: size ? Math.round(Number(size.mb)) : null, memory: null },
    end: async () => {
      await product.stop()
      if (isOwn) await world.close()
    },
  }
}

async function compareSizes(
  { load }: BenchWorld,
  running: readonly RunningWorld[],
  { read, pace }: { read: Read; pace: Pace },
): Promise<LoadFigures[]> {
  const subjects = running.map(({ product, readers, sized }) => ({
    name: String(sized.services),
    port: product.port,
    pid: product.pid,
    calls: readers.map((reader) => ({ path: read.path(reader), headers: buildHeaders(read, reader) })),
  }))
  const figures = await compareReads(load, subjects, pace)
  return subjects.map(({ name }) => figures[name]!)
}
