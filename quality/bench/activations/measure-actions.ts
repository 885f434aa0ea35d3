import { type LoadFigures, summariseRounds, computeMedian } from '../load-figures.ts'
import { waitForWorkers } from '../world/wait-for-workers.ts'
import { startChild } from '../world/child-process.ts'
import { type BenchCustomer, makeCustomers } from '../world/customers.ts'
import { readCpuMs } from '../world/cpu-time.ts'
import type { BenchProduct } from '../world/product.ts'
import { type SimStock, loadSimStock } from '../world/sim-stock.ts'
import type { BenchWorld } from '../world/world.ts'
import { type ActionName, actionNames } from './actions.ts'
import type { VisitorsResult, VisitorsRequest } from './visitors-process.ts'

export type ActionResult = {
  name: ActionName
  visitors: number
  /**
   * `whole` covers the entire action. `last` covers only the time after the last button is clicked; for an activation, this is from the
   * payment to completion.
   */
  whole: LoadFigures
  last: LoadFigures
  /** The median duration of each write request in milliseconds, by path. */
  steps: Record<string, number>
  /** The processor time, in milliseconds, that Fantail uses per action. */
  processor: number | null
}

export type VisitorLoad = { visitors: readonly number[]; seconds: number }

/**
 * A lower bound for the expected actions per second. It determines how many actions a round has, so that the round takes about as long as
 * requested.
 */
const expectedActionsPerSecond: Record<ActionName, number> = {
  'activation with sign-up': 8,
  'activation signed in': 10,
  renewal: 10,
  login: 15,
}
/** The maximum number of actions per customer in a run, chosen to stay below Fantail's hourly limits. */
const maxActionsPerCustomer: Record<ActionName, number> = {
  'activation with sign-up': Infinity,
  'activation signed in': 25,
  renewal: 15,
  login: 60,
}

export async function measureActions(world: BenchWorld, crowds: VisitorLoad): Promise<ActionResult[]> {
  const product = await world.start()
  const crowd = startChild<VisitorsRequest, VisitorsResult>('activations/visitors-process.ts')
  const times = Math.max(...crowds.visitors)
  const counts = actionNames.map((name) =>
    Math.max(2 * times, Math.ceil(expectedActionsPerSecond[name] * crowds.seconds)),
  )
  const customerCount = computeCustomerCount(counts, crowds.visitors.length, times)
  const results: ActionResult[] = []
  try {
    const packs = counts[0]! + counts[1]!
    const shelf = await loadSimStock(world, product, customerCount + packs * crowds.visitors.length)
    const customers = await readAccounts(await makeCustomers(shelf, customerCount))
    for (const visitors of crowds.visitors)
      for (const [at, name] of actionNames.entries()) {
        await waitForWorkers(product)
        const wish = { visitors, act: name, count: counts[at]!, customers: customers.map(({ regular }) => regular) }
        results.push(await measureAction(crowd, { world, product, shelf }, wish))
      }
  } finally {
    await crowd.end()
    await product.stop()
  }
  return results
}

const computeCustomerCount = (counts: readonly number[], crowds: number, visitors: number): number =>
  Math.max(
    visitors,
    ...actionNames.map((name, at) => Math.ceil(((counts[at] ?? 0) * crowds) / maxActionsPerCustomer[name])),
  )

const readAccounts = async (customers: readonly BenchCustomer[]) =>
  Promise.all(
    customers.map(async ({ visitor, email, uuid }) => {
      const service = (await visitor.get('/api/services/')).body[uuid]
      return { regular: { email, uuid, shortId: service.plan_short_id as string, cookies: visitor.cookies() } }
    }),
  )

type Place = { world: BenchWorld; product: BenchProduct; shelf: SimStock }

async function measureAction(
  crowd: { ask(wish: VisitorsRequest): Promise<VisitorsResult> },
  { world, product, shelf }: Place,
  wish: Pick<VisitorsRequest, 'visitors' | 'act' | 'count' | 'customers'>,
): Promise<ActionResult> {
  const packs = wish.act.startsWith('activation')
    ? await Promise.all(Array.from({ length: wish.count }, () => shelf.newSim()))
    : []
  const { url } = product
  const startProcessorMs = readCpuMs(product.pid)
  const answer = await crowd.ask({ ...wish, url, publicKey: world.outside.CARD_PUBLIC_KEY, packs })
  const { times, last, seconds, steps } = answer
  const after = readCpuMs(product.pid)
  return {
    name: wish.act,
    visitors: wish.visitors,
    whole: summariseRounds([{ times, seconds }]),
    last: summariseRounds([{ times: last, seconds }]),
    processor: startProcessorMs === null || after === null ? null : (after - startProcessorMs) / times.length,
    steps: Object.fromEntries(Object.entries(steps).map(([path, ms]) => [path, computeMedian(ms)])),
  }
}
