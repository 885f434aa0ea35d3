import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '#quality/support/chromium.ts'
import { computeMedian } from '../load-figures.ts'
import { type BenchCustomer, makeCustomers } from '../world/customers.ts'
import type { BenchProduct } from '../world/product.ts'
import { loadSimStock } from '../world/sim-stock.ts'
import type { BenchWorld } from '../world/world.ts'
import { type TimedClick, clickThrough } from './click-through.ts'

/**
 * The median (`middle`) and maximum (`most`) over all visitors, in milliseconds. `calls` is how many API requests were sent before the
 * screen appeared, and `mostMs` is the limit.
 */
export type ClickFigures = { name: string; calls: number; middle: number; most: number; mostMs: number }

/** The maximum duration, in milliseconds, of a click that does not call the server (`alone`) and of a click that does (`asking`). */
const maxMs = { alone: 100, asking: 200 }

/** Measures the time from a click to the next screen, on a desktop. Each visitor starts with an empty browser cache. */
export async function measureClicks(world: BenchWorld, visitors: number): Promise<ClickFigures[]> {
  const product = await world.start({ pages: true })
  const browser = await launchChromium()
  try {
    // Leave out the first visitor, because Fantail's code has not been compiled yet at that point.
    const shelf = await loadSimStock(world, product, 2 * (visitors + 1))
    const [first, ...others] = await makeCustomers(shelf, visitors + 1)
    const visit = async (customer: BenchCustomer) =>
      runInNewPage(browser, product, async (page) => clickThrough(page, { sim: await shelf.newSim(), customer }))
    if (first) await visit(first)
    const walks: TimedClick[][] = []
    for (const customer of others) walks.push(await visit(customer))
    return (walks[0] ?? []).map(({ name }, at) =>
      computeClickFigures(
        name,
        walks.flatMap((clicks) => clicks[at] ?? []),
      ),
    )
  } finally {
    await browser.close()
    await product.stop()
  }
}

async function runInNewPage<T>(browser: Browser, { url }: BenchProduct, act: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } })
  try {
    return await act(await context.newPage())
  } finally {
    await context.close()
  }
}

function computeClickFigures(name: string, clicks: readonly TimedClick[]): ClickFigures {
  const times = clicks.map(({ ms }) => ms)
  const calls = Math.max(...clicks.map((click) => click.calls))
  return {
    name,
    calls,
    middle: computeMedian(times),
    most: Math.max(...times),
    mostMs: calls > 0 ? maxMs.asking : maxMs.alone,
  }
}
