import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { launchChromium } from '#quality/support/chromium.ts'
import { faultsWhenQuiet } from '#quality/support/reconciliation.ts'
import { startWorld, type World } from '#quality/support/world.ts'

/** The screens that flows are tried on: every one on a phone and a desktop, the dashboard on all. */
export const sizes = {
  phone: { width: 360, height: 740 },
  tablet: { width: 768, height: 1024 },
  desktop: { width: 1280, height: 860 },
} as const
export type Size = keyof typeof sizes

export type Portal = {
  world(): World
  /** A new visitor's page; what goes wrong on it fails the test that opened it. */
  open(size: Size, options?: ContextOptions): Promise<Page>
  /** The same page each time, as good as new: a browser that begins anew takes longer than most of what is looked at in it. */
  reopen(): Promise<Page>
}

export type ContextOptions = Parameters<Browser['newContext']>[0]

/** What a page brings about on purpose: addresses whose failure is no fault, and what its console may say. */
const pardons = new WeakMap<Page, (string | RegExp)[]>()

/** A browser tells of every failed answer, and some of them a test asks for: it names their addresses, or what the console says of them. */
export function pardon(page: Page, ...causes: (string | RegExp)[]): void {
  pardons.set(page, [...(pardons.get(page) ?? []), ...causes])
}

const isPardoned = ({ page, text, url }: Fault): boolean =>
  (pardons.get(page) ?? []).some((cause) => (typeof cause === 'string' ? cause === url : cause.test(text)))

/** `MARKET=AU` has what is run look at Australia. */
const marketAsked: Record<string, string> = process.env['MARKET'] ? { MARKET: process.env['MARKET'] } : {}

type Fault = { page: Page; text: string; url: string }

/**
 * No document is open for long here: to optimise its scripts, to hand V8's own work to further threads, or to start a process for each
 * of a visitor's pages takes longer.
 */
const forShortVisits = ['--js-flags=--no-maglev,--no-opt,--single-threaded', '--renderer-process-limit=1']

/** One for all files of a process, which ends with it: to start another takes longer than many a test. */
let chromium: Promise<Browser> | undefined

/** The whole product in a browser: one world for a test file; `env` is asked for what else the product is to know. */
export function usePortal({ env = () => ({}) }: { env?: () => Record<string, string> } = {}): Portal {
  let world: World | undefined
  let browser: Browser | undefined
  const contexts: BrowserContext[] = []
  let kept: Promise<Page> | undefined
  const faults: Fault[] = []

  beforeAll(async () => {
    chromium ??= launchChromium(forShortVisits)
    ;[world, browser] = await Promise.all([startWorld({ pages: 'built', env: { ...marketAsked, ...env() } }), chromium])
  }, 120_000)
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
    const found = faults.splice(0).filter((fault) => !isPardoned(fault))
    expect(found.map(({ text }) => text)).toEqual([])
  })
  afterAll(async () => {
    await (await kept)?.context().close()
    const faults = world && (await faultsAfterKills(world))
    await world?.close()
    expect(faults ?? []).toEqual([])
  })

  function running(): World {
    if (!world) throw new Error('the world has not started')
    return world
  }

  async function newContext(options: ContextOptions): Promise<BrowserContext> {
    if (!browser) throw new Error('the browser has not started')
    const context = await browser.newContext({
      baseURL: running().url,
      reducedMotion: 'reduce',
      ignoreHTTPSErrors: true,
      // What goes through one is seen by none of the routes that tests lay; a test of it allows it.
      serviceWorkers: 'block',
      ...options,
    })
    context.setDefaultTimeout(60_000)
    return context
  }

  async function newPage(context: BrowserContext): Promise<Page> {
    const page = await context.newPage()
    watchFaults(page, (fault) => faults.push(fault))
    return page
  }

  return {
    world: running,
    async open(size, options = {}) {
      const context = await newContext({ viewport: sizes[size], ...options })
      contexts.push(context)
      return newPage(context)
    },
    async reopen() {
      if (kept) await tidy(await kept)
      kept ??= newContext({}).then(newPage)
      return kept
    },
  }
}

/** What the books of a fleet get wrong whose processes were killed all the while. */
async function faultsAfterKills(world: World): Promise<string[]> {
  if (!world.fleet?.calm) return []
  await world.fleet.calm()
  return faultsWhenQuiet(world)
}

/** Whatever goes wrong on a page: an error of its script, an error in its console, an answer of the server's own fault. */
function watchFaults(page: Page, onFault: (fault: Fault) => void): void {
  const note = (text: string, url = '') => onFault({ page, text, url })
  page.on('pageerror', (error) => note(`error on ${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    const { url } = message.location()
    if (message.type() === 'error' && !isRefusalOfACall(message.text(), url))
      note(`console on ${page.url()}: ${message.text()}`, url)
  })
  page.on('response', (response) => {
    if (response.status() >= 500) note(`${response.status()} from ${response.url()}`, response.url())
  })
}

/** Nothing of what was done on a page is left on it, and its visitor is not signed in. */
async function tidy(page: Page): Promise<void> {
  // Calls that were held back end with their page; without their route they would go to the server.
  await page.goto('/api/account/')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().clearCookies()
  await page.evaluate(() => sessionStorage.clear())
  await page.emulateMedia({ colorScheme: null, media: null })
  pardons.delete(page)
}

/** A browser logs every answer of 4xx and every call that a test cuts off; with the API both are part of many a flow. */
function isRefusalOfACall(text: string, url: string): boolean {
  return /status of 4\d\d|net::ERR_FAILED/.test(text) && new URL(url, 'http://localhost').pathname.startsWith('/api/')
}

/** No page may be wider than its screen. */
export async function expectNoSideways(page: Page): Promise<void> {
  const [scroll, client] = await page.evaluate(
    () => [document.documentElement.scrollWidth, document.documentElement.clientWidth] as const,
  )
  expect(scroll, `width of ${page.url()}`).toBeLessThanOrEqual(client)
}
