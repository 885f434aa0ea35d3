import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { listErrors } from '#features/error-reports/server/error-reports.store.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { getButton, getLink, openPageAsCustomer } from './account.ts'
import { getPhoneNumber, getServicePath, says } from './dashboard.ts'
import { expectFaults, usePortal } from './use-portal.ts'
import { expectHeading } from './wizard.ts'

const portal = usePortal()
const world = () => portal.world()

/**
 * Returns the script files that a page preloads but the login page does not. The names come from the page as served, because the sources
 * may be newer than the build.
 */
async function filesOf(visitor: Visitor, path: string): Promise<string[]> {
  const namesIn = async (who: Visitor, at: string): Promise<string[]> =>
    [...String((await who.get(at)).body).matchAll(/ href="(\/static\/build\/[^"]+\.js)"/g)].map(([, name = '']) => name)
  const common = new Set(await namesIn(world().visitor(), '/login/'))
  return (await namesIn(visitor, path)).filter((name) => !common.has(name))
}

const errorOn = (page: string) =>
  pollUntil(async () => (await listErrors(world().db, 50)).find((error) => error.page === page))

async function tryAgain(page: Page, title: string): Promise<void> {
  await expectHeading(page, 'Something Went Wrong')
  await says(page, "Unfortunately, something didn't go as planned.", 'Please try again later.')
  await page.unrouteAll({ behavior: 'wait' })
  await getButton(page, 'Try Again').click()
  await expectHeading(page, title)
}

test('if a page’s code cannot be loaded, the error page appears, and one report is sent with the page’s path pattern', async () => {
  const customer = await makeCustomer(world(), { services: 1 })
  const page = await openPageAsCustomer(portal, 'phone', customer)
  expectFaults(page, /net::ERR_FAILED/)
  const files = await filesOf(customer.visitor, getServicePath(customer))
  expect(files).not.toEqual([])
  await page.route(
    ({ pathname }) => files.includes(pathname),
    (route) => route.abort(),
  )
  await page.goto(getServicePath(customer))
  await expectHeading(page, 'Something Went Wrong')
  const error = await errorOn('/services/:uuid/')
  expect(error).toMatchObject({
    kind: 'error',
    name: 'TypeError',
    message: 'Failed to fetch dynamically imported module: <link>',
    build: expect.stringMatching(/^entry-client-.+\.js$/),
    count: 1,
  })
  expect(JSON.stringify(await listErrors(world().db, 50))).not.toContain(customer.services[0]?.id)
  await tryAgain(page, getPhoneNumber(customer))
})

test('if a page fails to render, the error page appears, and a report is sent without any personal data', async () => {
  // A page's own script file comes after the files that it imports.
  const file = (await filesOf(world().visitor(), '/forgot-password/')).at(-1) ?? ''
  const page = await portal.open('desktop')
  expectFaults(page, /nothing for/)
  await page.route(`**${file}`, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: 'export default () => { throw new RangeError(`nothing for ana@example.nz, 021 555 0142`) }',
    }),
  )
  await page.goto('/login/')
  await expectHeading(page, 'Welcome Back')
  await getLink(page, 'Forgot Password').click()
  const error = await errorOn('/forgot-password/')
  expect(error).toMatchObject({
    kind: 'render',
    name: 'RangeError',
    message: 'nothing for <email> <number>',
    top_frame: expect.stringContaining(`${file}:1:`),
    count: 1,
  })
  await page.goBack()
  await expectHeading(page, 'Welcome Back')
  await page.goForward()
  await tryAgain(page, 'Forgot Password')
})

test('when an API request fails in the browser, the report includes the request id from the server’s response', async () => {
  const page = await portal.open('desktop')
  const requestId = crypto.randomUUID()
  const url = `${world().url}/api/account/login/`
  expectFaults(page, url, /status of 500/)
  await page.route(url, (route) =>
    route.fulfill({ status: 500, headers: { 'x-request-id': requestId }, json: { code: 'x' } }),
  )
  const sent = page.waitForRequest('**/api/errors/')
  await page.goto('/login/')
  await page.getByLabel('Email').fill('ana@example.nz')
  await page.getByLabel('Password', { exact: true }).fill('korimako1')
  await getButton(page, 'LOG IN').click()
  expect((await sent).postDataJSON()).toMatchObject({ kind: 'call', page: '/login/', request_id: requestId })
  await says(page, 'Something went wrong. Please try refreshing the page.')
  expect(await errorOn('/login/')).toMatchObject({
    kind: 'call',
    message: 'POST /api/account/login/ answered 500',
    top_frame: null,
  })
})
