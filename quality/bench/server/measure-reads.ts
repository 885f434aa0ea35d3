import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { compareReads, type Pace, type ReadFigures } from '../load/rounds.ts'
import { makeCustomers, type BenchCustomer } from '../world/customers.ts'
import type { BenchProduct } from '../world/product.ts'
import { settle } from '../world/settle.ts'
import { stockShelf } from '../world/shelf.ts'
import type { BenchWorld, Place } from '../world/world.ts'
import { openEar } from './ear.ts'
import { type FloorName, startFloors } from './floors.ts'
import { type HeardRead, listenTo } from './listen.ts'
import { headersOf, reads } from './reads.ts'

export type ReadResult = {
  name: string
  statements: number
  /** Round trips to the database, and how many of them wait for each other; null where they cannot be observed. */
  roundTrips: number | null
  inARow: number | null
  bytes: number
  product: ReadFigures
  floors: Partial<Record<FloorName, ReadFigures>>
}

/**
 * Each customer has a connection of their own, and none reads twice at the same time, because a visitor has only a share of the database.
 */
const customerCount = 16

export async function measureReads(world: BenchWorld, pace: Pace): Promise<ReadResult[]> {
  const { customers, heard } = await listen(world)
  const places = { same: copyOf(world, 'same'), fewest: copyOf(world, 'fewest') }
  const product = await world.start({ pages: true })
  const floors = await startFloors({ places, origin: product.url }, heard, customers)
  const results: ReadResult[] = []
  try {
    await warmUp(world, product, heard, customers)
    for (const each of heard) {
      const own = { name: 'product', port: product.port, pid: product.pid, calls: callsOf(each, customers) }
      results.push(await measure(world, each, { pace, subjects: [own, ...floors.of(each)] }))
    }
  } finally {
    await floors.end()
    await product.stop()
  }
  return results
}

async function listen(world: BenchWorld): Promise<{ customers: BenchCustomer[]; heard: HeardRead[] }> {
  const ear = await openEar(world)
  const product = await world.start({ pages: true, ...ear.options })
  try {
    const shelf = await stockShelf(world, product, customerCount)
    const customers = await makeCustomers(shelf, customerCount)
    await settle(product)
    const heard: HeardRead[] = []
    for (const read of reads) heard.push(await listenTo(product, ear.take, read, customers))
    return { customers, heard }
  } finally {
    await product.stop()
    await ear.close()
  }
}

const callsOf = ({ read }: HeardRead, customers: readonly BenchCustomer[]) =>
  customers.map((customer) => ({ path: read.path(customer), headers: headersOf(read, customer) }))

type Comparison = { pace: Pace; subjects: Parameters<typeof compareReads>[1] }

async function measure(
  { load, where }: BenchWorld,
  { read, statements, roundTrips, inARow, of }: HeardRead,
  { pace, subjects }: Comparison,
): Promise<ReadResult> {
  const { product, ...floors } = await compareReads(load, subjects, pace)
  if (!product) throw new Error('the product was not measured')
  const hasLine = where === 'postgres'
  return {
    name: read.name,
    statements,
    roundTrips: hasLine ? roundTrips : null,
    inARow: hasLine ? inARow : null,
    bytes: Buffer.byteLength(of[0]?.body ?? ''),
    product,
    floors,
  }
}

/** A process that has just started has compiled nothing, so the first measurement would be slower than the rest. */
async function warmUp(
  { load }: BenchWorld,
  { port }: BenchProduct,
  heard: readonly HeardRead[],
  customers: readonly BenchCustomer[],
): Promise<void> {
  for (const each of heard) await load.ask({ port, calls: callsOf(each, customers), connections: 8, ms: 300 })
}

/** Only one process can use the embedded database, so each other process gets a copy. Nobody has the original open. */
function copyOf({ place, home }: BenchWorld, name: string): Place {
  if ('url' in place) return place
  const folder = join(home, name)
  cpSync(place.folder, folder, { recursive: true })
  return { folder }
}
