import { compareReads, type Pace } from '../load/rounds.ts'
import type { Figures } from '../figures.ts'
import { headersOf, type Read, type Reader, reads } from '../server/reads.ts'
import type { BenchProduct } from '../world/product.ts'
import { makeTemplates } from '../world/templates.ts'
import { type BenchWorld, startBenchWorld } from '../world/world.ts'
import { openAsking } from './ask.ts'
import { multiply, type Multiplied } from './multiply.ts'
import { signInSome } from './readers.ts'

export type Sized = { services: number; filled: Multiplied; megabytes: number | null; memory: number | null }

export type ScaleResult = {
  sizes: Sized[]
  reads: { name: string; figures: Figures[] }[]
}

const scaledReads = reads.filter(({ name }) => !['login page', 'dashboard page, br'].includes(name))

/** Plans of 30 days began within this many days, so nothing that is due has been missed. */
const days = 22
const zone = 'Pacific/Auckland'
const sample = 200

type Running = { world: BenchWorld; product: BenchProduct; readers: Reader[]; sized: Sized; end(): Promise<void> }

export async function measureScale(first: BenchWorld, sizes: readonly number[], pace: Pace): Promise<ScaleResult> {
  const running: Running[] = []
  try {
    for (const [at, services] of sizes.entries()) {
      const world = at === 0 ? first : await startBenchWorld(first.server)
      running.push(await fill(world, services, world !== first))
    }
    const results: ScaleResult['reads'] = []
    for (const read of scaledReads)
      results.push({ name: read.name, figures: await compare(first, running, { read, pace }) })
    for (const { product, sized } of running) sized.memory = product.megabytes()
    return { sizes: running.map(({ sized }) => sized), reads: results }
  } finally {
    for (const { end } of running) await end()
  }
}

async function fill(world: BenchWorld, services: number, isOwn: boolean): Promise<Running> {
  const before = await world.start()
  const { renewing, ending } = await makeTemplates(world, before, { renewed: true }).finally(before.stop)
  const emails = [renewing.email, ending.email]
  const asking = await openAsking(world.place)
  const filled = await multiply(asking, emails, { count: services - emails.length, days, zone })
  const readers = await signInSome(asking, world.secretKey, sample)
  const [size] = await asking.ask<{ mb: string }>('select pg_database_size(current_database()) / 1e6 as mb')
  await asking.close()
  const product = await world.start({ pages: true })
  return {
    world,
    product,
    readers,
    sized: { services, filled, megabytes: size ? Math.round(Number(size.mb)) : null, memory: null },
    end: async () => {
      await product.stop()
      if (isOwn) await world.close()
    },
  }
}

async function compare(
  { load }: BenchWorld,
  running: readonly Running[],
  { read, pace }: { read: Read; pace: Pace },
): Promise<Figures[]> {
  const subjects = running.map(({ product, readers, sized }) => ({
    name: String(sized.services),
    port: product.port,
    pid: product.pid,
    calls: readers.map((reader) => ({ path: read.path(reader), headers: headersOf(read, reader) })),
  }))
  const figures = await compareReads(load, subjects, pace)
  return subjects.map(({ name }) => figures[name]!)
}
