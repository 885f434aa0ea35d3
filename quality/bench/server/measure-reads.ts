import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { compareReads, type Pace, type ReadSummary } from '../load/compare-reads.ts'
import { makeCustomers, type BenchCustomer } from '../world/customers.ts'
import type { BenchProduct } from '../world/product.ts'
import { waitForWorkers } from '../world/wait-for-workers.ts'
import { loadSimStock } from '../world/sim-stock.ts'
import type { BenchWorld, Place } from '../world/world.ts'
import { startStatementRecorder } from './statement-recorder.ts'
import { type BaselineName, startBaselines } from './baselines.ts'
import { type RecordedRead, recordRead } from './record-reads.ts'
import { buildHeaders, reads } from './reads.ts'

export type ReadResult = {
  name: string
  statements: number
  /**
   * The number of round trips to the database, and how many of those have to run one after another (`inARow`); null where round trips
   * cannot be observed.
   */
  roundTrips: number | null
  inARow: number | null
  bytes: number
  product: ReadSummary
  floors: Partial<Record<BaselineName, ReadSummary>>
}

/**
 * The number of customers, one per connection. None of them makes two reads at the same time, because Fantail limits each visitor's share
 * of the database.
 */
const customerCount = 16

export async function measureReads(world: BenchWorld, pace: Pace): Promise<ReadResult[]> {
  const { customers, heard } = await recordReads(world)
  const databaseCopies = { same: copyDatabase(world, 'same'), fewest: copyDatabase(world, 'fewest') }
  const product = await world.start({ pages: true })
  const baselineServers = await startBaselines({ places: databaseCopies, origin: product.url }, heard, customers)
  const results: ReadResult[] = []
  try {
    await warmUpReads(world, product, heard, customers)
    for (const each of heard) {
      const own = { name: 'product', port: product.port, pid: product.pid, calls: buildCalls(each, customers) }
      results.push(await measureRead(world, each, { pace, subjects: [own, ...baselineServers.of(each)] }))
    }
  } finally {
    await baselineServers.end()
    await product.stop()
  }
  return results
}

async function recordReads(world: BenchWorld): Promise<{ customers: BenchCustomer[]; heard: RecordedRead[] }> {
  const ear = await startStatementRecorder(world)
  const product = await world.start({ pages: true, ...ear.options })
  try {
    const shelf = await loadSimStock(world, product, customerCount)
    const customers = await makeCustomers(shelf, customerCount)
    await waitForWorkers(product)
    const heard: RecordedRead[] = []
    for (const read of reads) heard.push(await recordRead(product, ear.take, read, customers))
    return { customers, heard }
  } finally {
    await product.stop()
    await ear.close()
  }
}

const buildCalls = ({ read }: RecordedRead, customers: readonly BenchCustomer[]) =>
  customers.map((customer) => ({ path: read.path(customer), headers: buildHeaders(read, customer) }))

type Comparison = { pace: Pace; subjects: Parameters<typeof compareReads>[1] }

async function measureRead(
  { load, where }: BenchWorld,
  { read, statements, roundTrips, inARow, of }: RecordedRead,
  { pace, subjects }: Comparison,
): Promise<ReadResult> {
  const { product, ...floors } = await compareReads(load, subjects, pace)
  if (!product) throw new Error('the product was not measured')
  const hasRoundTripCounts = where === 'postgres'
  return {
    name: read.name,
    statements,
    roundTrips: hasRoundTripCounts ? roundTrips : null,
    inARow: hasRoundTripCounts ? inARow : null,
    bytes: Buffer.byteLength(of[0]?.body ?? ''),
    product,
    floors,
  }
}

/** Makes some reads before the first measurement, because a process that has just started is slower until its code has been compiled. */
async function warmUpReads(
  { load }: BenchWorld,
  { port }: BenchProduct,
  heard: readonly RecordedRead[],
  customers: readonly BenchCustomer[],
): Promise<void> {
  for (const each of heard) await load.ask({ port, calls: buildCalls(each, customers), connections: 8, ms: 300 })
}

/**
 * Copies the embedded database for use by another process, because only one process at a time can open it. The original must not be open.
 */
function copyDatabase({ place, home }: BenchWorld, name: string): Place {
  if ('url' in place) return place
  const folder = join(home, name)
  cpSync(place.folder, folder, { recursive: true })
  return { folder }
}
