import type { Page, Request } from 'playwright-core'
import { reportPath } from '#features/error-reports/error-reports.contract.ts'
import { deskReportPath } from '#desk/features/health/errors.contract.ts'
import { until } from '#quality/support/until.ts'
import { pardon } from '../portal.ts'

const underWay = new WeakMap<Page, Set<Request>>()
const heldBack = new WeakSet<Request>()

/** Keeps account of a page's calls from now on, so that it can be waited for. */
export function watchCalls(page: Page): void {
  if (underWay.has(page)) return
  const open = new Set<Request>()
  underWay.set(page, open)
  page.on('request', (request) => {
    // The page does not wait for what becomes of a report.
    if (![reportPath, deskReportPath].some((path) => request.url().endsWith(path))) open.add(request)
  })
  page.on('requestfinished', (request) => void open.delete(request))
  page.on('requestfailed', (request) => void open.delete(request))
}

/**
 * Until the portal's script is at work, no call is under way but those held back, and what came of them is drawn.
 * `bare`: without a script to wait for.
 */
export async function untilQuiet(page: Page, { bare = false } = {}): Promise<void> {
  const open = underWay.get(page)
  if (!open) throw new Error('the calls of this page are not watched')
  const isQuiet = () => [...open].every((request) => heldBack.has(request))
  if (!bare) await page.waitForFunction(isAwake)
  do {
    await until(async () => isQuiet())
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  } while (!isQuiet())
}

/** React leaves its mark on what it has taken over; the footer is the last of it, and the desk, which has none, ends with its page. */
function isAwake(): boolean {
  const last = document.querySelector('footer') ?? document.querySelector('main')
  return last !== null && Object.keys(last).some((key) => key.startsWith('__reactProps'))
}

/** These calls are never answered. */
export async function hold(page: Page, calls: string): Promise<void> {
  await page.route(calls, (route) => void heldBack.add(route.request()))
}

/** These calls get no connection, as without a network. */
export async function cut(page: Page, calls: string): Promise<void> {
  await page.route(calls, (route) => route.abort())
}

/** These calls are answered so, whatever the server would say. */
export async function answer(page: Page, calls: string, status: number, body: unknown = {}): Promise<void> {
  await page.route(calls, async (route) => {
    pardon(page, route.request().url())
    await route.fulfill({ status, json: body })
  })
}

/** What the server answers to these calls, changed on the way. */
export async function change<T>(page: Page, calls: string, edit: (body: T) => unknown): Promise<void> {
  await page.route(calls, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: edit((await response.json()) as T) })
  })
}

/** Follows an address inside the portal, as a link does it. */
export const go = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
