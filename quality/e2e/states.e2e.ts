import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { detailsMessages } from '#features/account/contact-details.contract.ts'
import type { Invoice } from '#features/invoices/invoices.contract.ts'
import { dashboardService, usageSummary, servicesByUuid } from '#quality/support/dashboard.tsx'
import { makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { waitForPath, getButton, enter, getField, getLink, openPageAsCustomer, reads } from './account.ts'
import { list, getServicePath, says, usageRequestPattern } from './dashboard.ts'
import { expectNoOverflow, expectFaults, type Size, usePortal } from './use-portal.ts'
import { mockResponse, editResponse, go } from './screens/page-calls.ts'
import { longFirstName, longLastName } from './screens/people.ts'
import { expectHeading } from './wizard.ts'
import { resizePage } from './resize-page.ts'

const portal = usePortal()
const world = () => portal.world()

const narrow = { width: 320, height: 640 }
const services = '**/api/services/'

async function inside(
  customer: Parameters<typeof openPageAsCustomer>[2],
  size: Size | 'narrow' = 'desktop',
): Promise<Page> {
  const page = await openPageAsCustomer(portal, size === 'narrow' ? 'phone' : size, customer)
  if (size === 'narrow') await resizePage(page, narrow)
  await page.goto('/account/change-password/')
  await expectHeading(page, 'Change Password')
  return page
}

const numbers = Array.from({ length: 30 }, (_, index) => `021 555 01${String(index).padStart(2, '0')}`)
const thirty = servicesByUuid(...numbers.map((phone_number, index) => dashboardService(`s${index}`, { phone_number })))

async function withThirty(page: Page): Promise<void> {
  await mockResponse(page, services, 200, thirty)
  await mockResponse(page, usageRequestPattern, 200, usageSummary())
}

test('thirty services fit a narrow phone without horizontal scrolling, and the last one can be opened', async () => {
  const page = await inside(await makeCustomer(world()), 'narrow')
  await withThirty(page)
  await go(page, '/')
  await says(list(page), ...numbers, 'Activate New Sim', 'ACCOUNT SETTINGS')
  await expectNoOverflow(page)
  await getLink(list(page), /021 555 0129/).click()
  await expectHeading(page, numbers[29]!)
  await waitForPath(page, '/services/s29/')
  await expectNoOverflow(page)
})

test('on a desktop, a list of thirty services scrolls separately from the page and keeps the open service in view', async () => {
  const page = await inside(await makeCustomer(world()))
  await withThirty(page)
  await go(page, '/services/s29/')
  await expectHeading(page, numbers[29]!)
  const open = list(page).locator('[aria-current=page]')
  expect(await open.textContent()).toContain(numbers[29])
  await expect.poll(() => isInSight(page, '[aria-current=page]')).toBe(true)
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  expect(await isInSight(page, 'nav [href="/account/contact-details/"]')).toBe(true)
  await expectNoOverflow(page)
  await getLink(list(page), /021 555 0103/).click()
  await waitForPath(page, '/services/s3/')
  await expect.poll(() => isInSight(page, '[aria-current=page]')).toBe(true)
})

const isInSight = (page: Page, selector: string): Promise<boolean> =>
  page
    .locator(`main ${selector}`)
    .first()
    .evaluate((element) => {
      const { top, bottom, left } = element.getBoundingClientRect()
      return [top + 2, bottom - 2].every((y) => element.contains(document.elementFromPoint(left + 20, y)))
    })

test.each(['narrow', 'desktop'] as const)(
  'the longest names fit into the account page, the dashboard and an invoice: %s',
  async (size) => {
    const customer = await makeSubscriber(world(), { first_name: longFirstName, last_name: longLastName })
    const page = await inside(customer, size)
    const full_name = `${longFirstName} ${longLastName}`

    await page.goto('/account/contact-details/')
    expect([await getField(page, 'First name').inputValue(), await getField(page, 'Last name').inputValue()]).toEqual([
      longFirstName,
      longLastName,
    ])
    await expectNoOverflow(page)

    await page.goto('/')
    await says(list(page, longFirstName), `Welcome, ${longFirstName}`)
    await expectNoOverflow(page)

    await editResponse<Invoice>(page, '**/api/account/invoices/*/*/', (invoice) => ({ ...invoice, full_name }))
    await page.goto(`${getServicePath(customer)}invoices/`)
    await getLink(page, size === 'narrow' ? 'VIEW' : 'VIEW INVOICE').click()
    await says(page, full_name)
    await expectNoOverflow(page)
  },
)

test('a long product title without spaces fits a narrow screen', async () => {
  const page = await inside(await makeCustomer(world()), 'narrow')
  const title = 'Whakawhanaungatanga'.repeat(5).slice(0, 80)
  const service = dashboardService('long')
  const [schedule] = Object.values(service.schedules)
  if (!schedule) throw new Error('a service without a plan')
  const titled = {
    ...schedule,
    product: { ...schedule.product, title },
    next_plan: { title, length: 90, starts_on: service.expiry_date },
  }
  const summary = usageSummary()
  const entitlement = { ...summary.plan.entitlements?.[0], name: title }
  await mockResponse(page, services, 200, servicesByUuid({ ...service, schedules: { [schedule.short_id]: titled } }))
  await mockResponse(page, usageRequestPattern, 200, {
    ...summary,
    plan: { ...summary.plan, entitlements: [...(summary.plan.entitlements ?? []), entitlement] },
    addons: [
      {
        unique_id: 'a',
        id: '1',
        name: title,
        price: '9999999999.99',
        roaming: true,
        expiry_date: summary.expiry_date,
        entitlements: [entitlement],
      },
    ],
  })
  for (const path of ['/', '/services/long/', '/services/renew/']) {
    await go(page, path)
    await says(page, title)
    await expectNoOverflow(page)
  }
})

test('if the list of services fails to load, Try Again reloads it and moves the focus to the page’s content', async () => {
  const customer = await makeSubscriber(world())
  const page = await inside(customer)
  await mockResponse(page, services, 500)
  await go(page, '/services/renew/')
  await expectHeading(page, 'Renew Prepay Plan')
  await reads(page, 'Your services can’t be loaded right now.')
  await page.unroute(services)
  await getButton(page, 'Try Again').focus()
  await page.keyboard.press('Enter')
  await getLink(page, /5 GB Prepay Plan/).waitFor()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
})

test('without a connection, typed input is kept, and pages load by themselves once the connection is back', async () => {
  const customer = await makeSubscriber(world())
  const page = await inside(customer)
  expectFaults(page, /ERR_INTERNET_DISCONNECTED/)
  const setOffline = (offline: boolean) => page.context().setOffline(offline)

  await page.goto('/account/contact-details/')
  await enter(page, 'First name', 'Anahera')
  await setOffline(true)
  await getButton(page, 'SAVE').click()
  await reads(page, 'Sorry, there was an unexpected error. Please refresh and try again.')
  expect(await getField(page, 'First name').inputValue()).toBe('Anahera')

  await getLink(page, 'Payment Method').click()
  await reads(page, 'You seem to be offline.')
  await setOffline(false)
  await expectHeading(page, 'Payment Method')
  await waitForPath(page, '/account/payment-method/')

  await getLink(page, 'Contact Details').click()
  await expectHeading(page, 'Contact Details')
  await expect.poll(() => getField(page, 'First name').inputValue()).toBe('Anahera')
  await getButton(page, 'SAVE').click()
  await reads(page, detailsMessages.saved)
  expect(await customer.visitor.get('/api/account/').then(({ body }) => body.user.first_name)).toBe('Anahera')
})
