import { type BenchCustomer, makeCustomers } from './customers.ts'
import type { BenchProduct } from './product.ts'
import { renewAllPlans } from './renew-plans.ts'
import { waitForWorkers } from './wait-for-workers.ts'
import { loadSimStock } from './sim-stock.ts'
import type { BenchWorld } from './world.ts'

/** The two customers that the benchmark copies. Both have a plan and a saved card; only `renewing` has auto-renewal turned on. */
export type TemplateCustomers = { renewing: BenchCustomer; ending: BenchCustomer }

/** Creates the two template customers. With `renewed`, each of them has already renewed the plan once. */
export async function createTemplateCustomers(
  world: BenchWorld,
  product: BenchProduct,
  { renewed = false } = {},
): Promise<TemplateCustomers> {
  const [renewing, ending] = await makeCustomers(await loadSimStock(world, product, 2), 2)
  if (!renewing || !ending) throw new Error('nobody came')
  if (renewed) await renewAllPlans([renewing, ending])
  await enableAutoRenewal(renewing)
  await waitForWorkers(product)
  return { renewing, ending }
}

async function enableAutoRenewal({ visitor, uuid }: BenchCustomer): Promise<void> {
  const service = (await visitor.get('/api/services/')).body[uuid]
  const { status, body } = await visitor.send('PUT', `/api/services/auto_renew/${uuid}/${service.plan_short_id}/`, {
    headers: { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' },
  })
  if (status !== 200) throw new Error(`auto-renewal answered ${status}: ${JSON.stringify(body)}`)
}
