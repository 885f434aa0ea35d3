import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCustomers, type BenchCustomer } from '../world/customers.ts'
import type { BenchProduct } from '../world/product.ts'
import { settle } from '../world/settle.ts'
import { stockShelf } from '../world/shelf.ts'
import { type BenchWorld, startBenchWorld } from '../world/world.ts'
import { type Ear, openEar } from './ear.ts'
import { listenTo } from './listen.ts'
import { reads } from './reads.ts'

let world: BenchWorld
let ear: Ear
let product: BenchProduct
let customers: BenchCustomer[]
beforeAll(async () => {
  world = await startBenchWorld(process.env['DATABASE_URL'] ?? '')
  ear = await openEar(world)
  product = await world.start({ pages: true, ...ear.options })
  const shelf = await stockShelf(world, product, 3)
  customers = await makeCustomers(shelf, 3)
  await settle(product)
}, 180_000)
afterAll(async () => {
  await ear?.close()
  await world?.close()
})

/** Who is asking is one way there and back; all that is answered is another. */
const most: Record<string, number> = {
  account: 2,
  services: 2,
  // Whose it is, which limits, and what was reached come one after the other.
  'alerts of a service': 4,
  invoices: 2,
  'one invoice': 2,
  products: 0,
  'login page': 0,
  'dashboard page': 2,
}

test.each(reads.filter(({ accepts }) => !accepts).map((read) => [read.name, read] as const))(
  'the ways to the database and back that wait for each other are as few as they were: %s',
  async (name, read) => {
    const { inARow } = await listenTo(product, ear.take, read, customers)
    expect(inARow).toBeLessThanOrEqual(most[name] ?? -1)
  },
)

test('the dashboard has what the network said last of a number’s use in them', async () => {
  const [read] = reads.filter(({ name, accepts }) => name === 'dashboard page' && !accepts)
  const { of } = await listenTo(product, ear.take, read!, customers)
  for (const { body } of of) expect(body).toContain('"usage-summary"')
})
