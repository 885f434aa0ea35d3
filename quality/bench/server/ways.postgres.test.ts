import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BenchCustomer, makeCustomers } from '../world/customers.ts'
import type { BenchProduct } from '../world/product.ts'
import { waitForWorkers } from '../world/wait-for-workers.ts'
import { loadSimStock } from '../world/sim-stock.ts'
import { type BenchWorld, startBenchWorld } from '../world/world.ts'
import { type StatementRecorder, startStatementRecorder } from './statement-recorder.ts'
import { type RecordedRequest, recordCall } from './record-reads.ts'
import { type Read, reads } from './reads.ts'

let world: BenchWorld
let recorder: StatementRecorder
let product: BenchProduct
let customer: BenchCustomer
beforeAll(async () => {
  world = await startBenchWorld(process.env['DATABASE_URL'] ?? '')
  recorder = await startStatementRecorder(world)
  product = await world.start({ pages: true, ...recorder.options })
  const [made] = await makeCustomers(await loadSimStock(world, product, 1), 1)
  customer = made!
  await waitForWorkers(product)
}, 180_000)
afterAll(async () => {
  await recorder?.close()
  await world?.close()
})

/**
 * Sends the same request several times and returns the attempt with the fewest statements in sequence. Any background work that Fantail
 * does in the meantime is recorded too, and can only add statements.
 */
async function recordFewestStatements(read: Read): Promise<RecordedRequest> {
  const heard: RecordedRequest[] = []
  for (let call = 0; call < 12; call++) heard.push(await recordCall(product, recorder.take, read, customer))
  return heard.reduce((least, each) => (each.inARow < least.inARow ? each : least))
}

/**
 * The maximum number of statements that may run one after another, by read. Most reads need just one, or two if the session has to be read
 * before the data. A page sends its statements together.
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
  'the number of database statements that run one after another stays within the limit for: %s',
  async (name, read) => expect((await recordFewestStatements(read)).inARow).toBeLessThanOrEqual(most[name] ?? -1),
)

test('the dashboard page includes the latest usage reported by the network', async () => {
  const read = reads.find(({ name }) => name === 'dashboard page')
  expect((await recordFewestStatements(read!)).body).toContain('"usage-summary"')
})
