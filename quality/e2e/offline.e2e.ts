import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { makeCustomer } from '#quality/support/customer.ts'
import { getButton, logIn, openPageAsCustomer } from './account.ts'
import { getServicePath, says } from './dashboard.ts'
import { inspectPage } from './inspect-page.ts'
import { expectFaults, usePortal } from './use-portal.ts'

const portal = usePortal()
const allowed = { serviceWorkers: 'allow' } as const

const readings = (page: Page) => page.evaluate(() => localStorage.getItem('last-readings'))
const isReady = (page: Page) =>
  page.waitForFunction(
    () => localStorage.getItem('last-readings') !== null && navigator.serviceWorker.controller !== null,
  )

async function openReady() {
  const customer = await makeCustomer(portal.world(), { services: 1 })
  const page = await openPageAsCustomer(portal, 'phone', customer, allowed)
  await page.goto(getServicePath(customer))
  await says(page, 'Updated')
  await isReady(page)
  expectFaults(page, /ERR_INTERNET_DISCONNECTED/)
  return { customer, page }
}

test('without a connection, the portal shows the latest usage and when it was read, until the connection is back', async () => {
  const { customer, page } = await openReady()
  const ending = customer.services[0]!.msisdn.slice(-3)
  await page.context().setOffline(true)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'You’re offline' }).waitFor()
  await page.getByRole('heading', { name: `Number ending in ${ending}` }).waitFor()
  await page.getByText(/ GB of .* GB left/).waitFor()
  await page.getByText(/Updated \w+ \d+ \w+, \d+:\d\d [ap]m/).waitFor()
  await says(page, 'Need a person?')
  expect(await page.title()).toMatch(/^You’re offline/)
  await page.goto('/account/contact-details/')
  await page.getByRole('heading', { level: 1, name: 'You’re offline' }).waitFor()
  await page.context().setOffline(false)
  await page.getByRole('heading', { level: 1, name: 'Contact Details' }).waitFor()
})

test('the offline page recovers even if the browser does not send an online event', async () => {
  const { page } = await openReady()
  await page.addInitScript(() => addEventListener('online', (event) => event.stopImmediatePropagation()))
  await page.context().setOffline(true)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'You’re offline' }).waitFor()
  await page.context().setOffline(false)
  await page.getByRole('heading', { level: 1, name: 'You’re offline' }).waitFor({ state: 'detached' })
  await says(page, 'Updated')
  expect(await page.title()).not.toMatch(/^You’re offline/)
})

test('the offline page passes the layout and accessibility checks at every size, in the light and dark themes', async () => {
  const { page } = await openReady()
  const [file] = await filesKept(page)
  expect(file).toMatch(/\/static\/offline\/[\da-f]{8}-offline\.html$/)
  // Open the offline page directly, without going offline, because the browser reports a connection while axe is running.
  await page.goto(file ?? '')
  await page.getByRole('heading', { name: /^Number ending in/ }).waitFor()
  await inspectPage(page)
})

const filesKept = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const opened = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
    const requests = (await Promise.all(opened.map((cache) => cache.keys()))).flat()
    return requests.map(({ url }) => new URL(url).pathname)
  })

test('logging out deletes the stored usage, so the next person to use the device cannot see it', async () => {
  const { page } = await openReady()
  const before = await readings(page)
  await getButton(page, 'Menu').click()
  await getButton(page, 'Logout').click()
  await page.waitForURL('**/login/')
  await page.waitForFunction(() => localStorage.getItem('last-readings') === null)
  const other = await makeCustomer(portal.world(), { services: 1 })
  await page.goto('/login/')
  await logIn(page, other)
  await page.waitForFunction(() => localStorage.getItem('last-readings') !== null)
  expect(await readings(page)).not.toContain(JSON.parse(before ?? '').owner)
})

test('once a session has ended, the stored usage is deleted on the next visit', async () => {
  const { page } = await openReady()
  await page.context().clearCookies()
  await page.goto('/login/')
  await expect.poll(() => readings(page)).toBeNull()
})

test('the service worker does not cache pages, portal scripts or API responses', async () => {
  const { page } = await openReady()
  const kept = await filesKept(page)
  expect(kept.map((path) => path.replace(/[\da-f]{8}/, 'HASH')).toSorted()).toEqual(
    expect.arrayContaining([
      '/static/offline/HASH-offline-page.css',
      '/static/offline/HASH-offline-page.js',
      '/static/offline/HASH-offline.html',
    ]),
  )
  expect(kept.filter((path) => !/^\/static\/(?:offline|brand)\//.test(path))).toEqual([])
  const answer = await page.reload()
  expect(answer?.headers()['cache-control']).toBe('no-store')
})
