import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { launchChromium } from '#quality/support/chromium.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { startWorld, type World } from '#quality/support/world.ts'

export const sizes = {
  phone: { width: 360, height: 740 },
  tablet: { width: 768, height: 1024 },
  desktop: { width: 1280, height: 860 },
} as const
export type Size = keyof typeof sizes

export type Portal = {
  world(): World
  /** Opens a page for a new visitor. If an error occurs on the page, the test that opened it fails. */
  open(size: Size, options?: ContextOptions): Promise<Page>
  /** Resets and returns the same page each time, because starting a new browser context takes longer than most checks. */
  reopen(): Promise<Page>
}

export type ContextOptions = Parameters<Browser['newContext']>[0]

const expectedFaults = new WeakMap<Page, (string | RegExp)[]>()

export function expectFaults(page: Page, ...causes: (string | RegExp)[]): void {
  expectedFaults.set(page, [...(expectedFaults.get(page) ?? []), ...causes])
}

const isExpectedFault = ({ page, text, url }: Fault): boolean =>
  (expectedFaults.get(page) ?? []).some((cause) => (typeof cause === 'string' ? cause === url : cause.test(text)))

/** With the environment variable `MARKET=AU`, the tests run for Australia. */
const marketEnvironment: Record<string, string> = process.env['MARKET'] ? { MARKET: process.env['MARKET'] } : {}

type Fault = { page: Page; text: string; url: string }

/**
 * Flags that make short-lived pages faster. Optimising their scripts, running V8 in several threads and starting a process per page would
 * all take longer than they save.
 */
const chromiumFlags = ['--js-flags=--no-maglev,--no-opt,--single-threaded', '--renderer-process-limit=1']

/** All test files in a process share this browser, because starting another one takes longer than many tests. */
let chromium: Promise<Browser> | undefined

export function usePortal({ env = () => ({}) }: { env?: () => Record<string, string> } = {}): Portal {
  let world: World | undefined
  let browser: Browser | undefined
  const contexts: BrowserContext[] = []
  let kept: Promise<Page> | undefined
  const faults: Fault[] = []

  beforeAll(async () => {
    chromium ??= launchChromium(chromiumFlags)
    ;[world, browser] = await Promise.all([
      startWorld({ pages: 'built', env: { ...marketEnvironment, ...env() } }),
      chromium,
    ])
  })
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
    const found = faults.splice(0).filter((fault) => !isExpectedFault(fault))
    expect(found.map(({ text }) => text)).toEqual([])
  })
  afterAll(async () => {
    await (await kept)?.context().close()
    const faults = world && (await findFaultsAfterKills(world))
    await world?.close()
    expect(faults ?? []).toEqual([])
  })

  function requireWorld(): World {
    if (!world) throw new Error('the world has not started')
    return world
  }

  async function newContext(options: ContextOptions): Promise<BrowserContext> {
    if (!browser) throw new Error('the browser has not started')
    const context = await browser.newContext({
      baseURL: requireWorld().url,
      reducedMotion: 'reduce',
      ignoreHTTPSErrors: true,
      // Block service workers, because they would bypass the routes that tests set up. Tests of the service worker itself allow it.
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
    world: requireWorld,
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

async function findFaultsAfterKills(world: World): Promise<string[]> {
  if (!world.fleet?.calm) return []
  await world.fleet.calm()
  return findFaultsWhenIdle(world)
}

function watchFaults(page: Page, onFault: (fault: Fault) => void): void {
  const note = (text: string, url = '') => onFault({ page, text, url })
  page.on('pageerror', (error) => note(`error on ${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    const { url } = message.location()
    if (message.type() === 'error' && !isFailedApiRequest(message.text(), url))
      note(`console on ${page.url()}: ${message.text()}`, url)
  })
  page.on('response', (response) => {
    if (response.status() >= 500) note(`${response.status()} from ${response.url()}`, response.url())
  })
}

async function tidy(page: Page): Promise<void> {
  // Leave the page before removing its routes. Otherwise, requests that are still being held back would reach the server.
  await page.goto('/api/account/')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().clearCookies()
  await page.evaluate(() => sessionStorage.clear())
  await page.emulateMedia({ colorScheme: null, media: null })
  expectedFaults.delete(page)
}

/**
 * Returns whether a console error is about an API request that was rejected or cut off. Chromium logs every 4xx response and every request
 * that a test aborts, and both are part of many flows.
 */
function isFailedApiRequest(text: string, url: string): boolean {
  return /status of 4\d\d|net::ERR_FAILED/.test(text) && new URL(url, 'http://localhost').pathname.startsWith('/api/')
}

export async function expectNoOverflow(page: Page): Promise<void> {
  const [scroll, client] = await page.evaluate(
    () => [document.documentElement.scrollWidth, document.documentElement.clientWidth] as const,
  )
  expect(scroll, `width of ${page.url()}`).toBeLessThanOrEqual(client)
}
