import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '#quality/support/chromium.ts'
import { medianOf } from '../load-figures.ts'
import { type BenchCustomer, makeCustomers } from '../world/customers.ts'
import type { BenchProduct } from '../world/product.ts'
import { loadSimStock } from '../world/sim-stock.ts'
import type { BenchWorld } from '../world/world.ts'
import { type TimedClick, walk } from './walk.ts'

/** Milliseconds for these visitors, the median and the highest. `calls` is the number that the screen waited for, `mostMs` the limit. */
export type ClickFigures = { name: string; calls: number; middle: number; most: number; mostMs: number }

/** Milliseconds allowed for a press that needs nothing from the server, and for one that does. */
const maxMs = { alone: 100, asking: 200 }

/** Measures the wait from a press to the next screen, on a desktop. Each visitor has a browser whose cache has nothing of the portal. */
export async function measureClicks(world: BenchWorld, visitors: number): Promise<ClickFigures[]> {
  const product = await world.start({ pages: true })
  const browser = await launchChromium()
  try {
    // The first visitor meets a product that has compiled nothing, and is not counted.
    const shelf = await loadSimStock(world, product, 2 * (visitors + 1))
    const [first, ...others] = await makeCustomers(shelf, visitors + 1)
    const visit = async (customer: BenchCustomer) =>
      withNewPage(browser, product, async (page) => walk(page, { sim: await shelf.newSim(), customer }))
    if (first) await visit(first)
    const walks: TimedClick[][] = []
    for (const customer of others) walks.push(await visit(customer))
    return (walks[0] ?? []).map(({ name }, at) =>
      clickFiguresOf(
        name,
        walks.flatMap((clicks) => clicks[at] ?? []),
      ),
    )
  } finally {
    await browser.close()
    await product.stop()
  }
}

async function withNewPage<T>(browser: Browser, { url }: BenchProduct, act: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } })
  try {
    return await act(await context.newPage())
  } finally {
    await context.close()
  }
}

function clickFiguresOf(name: string, clicks: readonly TimedClick[]): ClickFigures {
  const times = clicks.map(({ ms }) => ms)
  const calls = Math.max(...clicks.map((click) => click.calls))
  return {
    name,
    calls,
    middle: medianOf(times),
    most: Math.max(...times),
    mostMs: calls > 0 ? maxMs.asking : maxMs.alone,
  }
}
