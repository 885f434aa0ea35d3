import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BenchCustomer, makeCustomers } from '../world/customers.ts'
import type { BenchProduct } from '../world/product.ts'
import { waitForWorkers } from '../world/wait-for-workers.ts'
import { loadSimStock } from '../world/sim-stock.ts'
import { type BenchWorld, startBenchWorld } from '../world/world.ts'
import { type StatementRecorder, startStatementRecorder } from './statement-recorder.ts'
import { type RecordedCall, recordCall } from './record-reads.ts'
import { type Read, reads } from './reads.ts'

let world: BenchWorld
let ear: StatementRecorder
let product: BenchProduct
let customer: BenchCustomer
beforeAll(async () => {
  world = await startBenchWorld(process.env['DATABASE_URL'] ?? '')
  ear = await startStatementRecorder(world)
  product = await world.start({ pages: true, ...ear.options })
  const [made] = await makeCustomers(await loadSimStock(world, product, 1), 1)
  customer = made!
  await waitForWorkers(product)
}, 180_000)
afterAll(async () => {
  await ear?.close()
  await world?.close()
})

/**
 * Makes several calls and returns the one with the fewest dependent statements. The product's background work is recorded too and can only
 * add statements.
 */
async function quietest(read: Read): Promise<RecordedCall> {
  const heard: RecordedCall[] = []
  for (let call = 0; call < 12; call++) heard.push(await recordCall(product, ear.take, read, customer))
  return heard.reduce((least, each) => (each.inARow < least.inARow ? each : least))
}

/**
 * Maximum number of statements in sequence, by read. A read has one, or two if the session must be read before the data. A page sends its
 * statements together.
 */
const most: Record<string, number> = {
  account: 1,
  services: 1,
  'alerts of a service': 1,
  invoices: 1,
  'one invoice': 2,
  products: 0,
  'login page': 0,
  'dashboard page': 1,
}

test.each(reads.filter(({ accepts }) => !accepts).map((read) => [read.name, read] as const))(
  'the number of consecutive database statements stays within the limit listed for: %s',
  async (name, read) => expect((await quietest(read)).inARow).toBeLessThanOrEqual(most[name] ?? -1),
)

test('the dashboard page includes the last usage that the network reported', async () => {
  const read = reads.find(({ name }) => name === 'dashboard page')
  expect((await quietest(read!)).body).toContain('"usage-summary"')
})
