import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BenchCustomer, makeCustomers } from '../world/customers.ts'
import type { BenchProduct } from '../world/product.ts'
import { settle } from '../world/settle.ts'
import { stockShelf } from '../world/shelf.ts'
import { type BenchWorld, startBenchWorld } from '../world/world.ts'
import { type Ear, openEar } from './ear.ts'
import { type Heard, hearCall } from './listen.ts'
import { type Read, reads } from './reads.ts'

let world: BenchWorld
let ear: Ear
let product: BenchProduct
let customer: BenchCustomer
beforeAll(async () => {
  world = await startBenchWorld(process.env['DATABASE_URL'] ?? '')
  ear = await openEar(world)
  product = await world.start({ pages: true, ...ear.options })
  const [made] = await makeCustomers(await stockShelf(world, product, 1), 1)
  customer = made!
  await settle(product)
}, 180_000)
afterAll(async () => {
  await ear?.close()
  await world?.close()
})

/** Takes the call with the fewest waits out of several. Other work of the product is heard as well, and can only add waits. */
async function quietest(read: Read): Promise<Heard> {
  const heard: Heard[] = []
  for (let call = 0; call < 12; call++) heard.push(await hearCall(product, ear.take, read, customer))
  return heard.reduce((least, each) => (each.inARow < least.inARow ? each : least))
}

/**
 * Maximum number of statements that wait for each other: one, or the visitor's session and then the data. A page sends its statements
 * together.
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
  'statements that wait for each other stay within the limit listed for: %s',
  async (name, read) => expect((await quietest(read)).inARow).toBeLessThanOrEqual(most[name] ?? -1),
)

test('the dashboard page includes the last usage that the network reported', async () => {
  const read = reads.find(({ name }) => name === 'dashboard page')
  expect((await quietest(read!)).body).toContain('"usage-summary"')
})
