import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { launchChromium } from '#testing/chromium.ts'
import { startWorld, type World } from '#testing/world.ts'

/** The screens that flows are tried on: every one on a phone and a desktop, the dashboard on all. */
export const sizes = { phone: { width: 360, height: 740 }, tablet: { width: 768, height: 1024 }, desktop: { width: 1280, height: 860 } } as const
export type Size = keyof typeof sizes

export type Portal = {
  world(): World
  /** A new visitor's page; what goes wrong on it fails the test that opened it. */
  open(size: Size, options?: Parameters<Browser['newContext']>[0]): Promise<Page>
}

/** The whole product in a browser: one world and one Chromium for a test file; `env` is asked for what else the product is to know. */
export function usePortal({ env = () => ({}) }: { env?: () => Record<string, string> } = {}): Portal {
  let world: World | undefined
  let browser: Browser | undefined
  const contexts: BrowserContext[] = []
  const faults: string[] = []

  beforeAll(async () => {
    ;[world, browser] = await Promise.all([startWorld({ pages: 'built', env: env() }), launchChromium()])
  }, 120_000)
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
    expect(faults.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await world?.close()
  })

  function running(): World {
    if (!world) throw new Error('the world has not started')
    return world
  }

  return {
    world: running,
    async open(size, options = {}) {
      if (!browser) throw new Error('the browser has not started')
      const context = await browser.newContext({ viewport: sizes[size], baseURL: running().url, reducedMotion: 'reduce', ...options })
      context.setDefaultTimeout(20_000)
      contexts.push(context)
      const page = await context.newPage()
      page.on('pageerror', (error) => faults.push(`error on ${page.url()}: ${error.message}`))
      page.on('console', (message) => {
        if (message.type() === 'error' && !isRefusalOfACall(message.text(), message.location().url)) faults.push(`console on ${page.url()}: ${message.text()}`)
      })
      page.on('response', (response) => {
        if (response.status() >= 500) faults.push(`${response.status()} from ${response.url()}`)
      })
      return page
    },
  }
}

/** A browser logs every answer of 4xx and every call that a test cuts off; with the API both are part of many a flow. */
function isRefusalOfACall(text: string, url: string): boolean {
  return /status of 4\d\d|net::ERR_FAILED/.test(text) && new URL(url, 'http://localhost').pathname.startsWith('/api/')
}

/** No page may be wider than its screen. */
export async function expectNoSideways(page: Page): Promise<void> {
  const [scroll, client] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth] as const)
  expect(scroll, `width of ${page.url()}`).toBeLessThanOrEqual(client)
}
