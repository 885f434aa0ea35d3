import type { Page, Request } from 'playwright-core'
import { reportPath } from '#features/error-reports/error-reports.contract.ts'
import { deskErrorReportPath } from '#desk/features/health/desk-error-report-path.contract.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { expectFaults } from '../use-portal.ts'

const pendingRequests = new WeakMap<Page, Set<Request>>()
const heldRequests = new WeakSet<Request>()

export function trackRequests(page: Page): void {
  if (pendingRequests.has(page)) return
  const open = new Set<Request>()
  pendingRequests.set(page, open)
  page.on('request', (request) => {
    // Ignore error reports, because the page does not wait for their responses.
    if (![reportPath, deskErrorReportPath].some((path) => request.url().endsWith(path))) open.add(request)
  })
  page.on('requestfinished', (request) => void open.delete(request))
  page.on('requestfailed', (request) => void open.delete(request))
}

/**
 * Waits until the portal's script is running, no requests are in progress except those being held, and all results are on screen. With
 * `bare`, the page has no script to wait for.
 */
export async function waitUntilIdle(page: Page, { bare = false } = {}): Promise<void> {
  const open = pendingRequests.get(page)
  if (!open) throw new Error('the calls of this page are not watched')
  const hasOnlyHeldRequests = () => [...open].every((request) => heldRequests.has(request))
  if (!bare) await page.waitForFunction(isHydrated)
  do {
    await pollUntil(async () => hasOnlyHeldRequests())
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  } while (!hasOnlyHeldRequests())
}

/**
 * Returns whether React has hydrated the whole page. React marks the elements that it controls, and the footer comes last. The desk has no
 * footer, so its `main` element is checked instead.
 */
function isHydrated(): boolean {
  const last = document.querySelector('footer') ?? document.querySelector('main')
  return last !== null && Object.keys(last).some((key) => key.startsWith('__reactProps'))
}

export async function hold(page: Page, calls: string): Promise<void> {
  await page.route(calls, (route) => void heldRequests.add(route.request()))
}

export async function cut(page: Page, calls: string): Promise<void> {
  await page.route(calls, (route) => route.abort())
}

export async function mockResponse(page: Page, calls: string, status: number, body: unknown = {}): Promise<void> {
  await page.route(calls, async (route) => {
    expectFaults(page, route.request().url())
    await route.fulfill({ status, json: body })
  })
}

export async function editResponse<T>(page: Page, calls: string, edit: (body: T) => unknown): Promise<void> {
  await page.route(calls, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: edit((await response.json()) as T) })
  })
}

export const go = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
