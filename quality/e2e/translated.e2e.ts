import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { pages as deskPages } from '#desk/app/pages.ts'
import { pages } from '#app/pages.ts'
import type { Pages } from '#kit/web/page.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { newEmail } from '#quality/support/world.ts'
import { getButton, expectDashboard, getLink, logIn, openPageAsCustomer, reads } from './account.ts'
import { find, collectCaseTimes, openCustomerFromTask, sitAt } from './desk-helpers.ts'
import { shop } from './purchase-steps.ts'
import { expectFaults, usePortal } from './use-portal.ts'
import { translate, waitUntilTranslated } from './translator.ts'
import { expectHeading, walkToCheckout, wizard } from './wizard.ts'
import { resizePage } from './resize-page.ts'

// These tests rely on `usePortal`, which fails a test if a script throws an error on its page.

const portal = usePortal({ env: () => ({ DESK_PORT: '0' }) })
const world = () => portal.world()
const diary = collectCaseTimes()

const addressesOf = (table: Pages, values: Record<string, string>, examples: string[]): string[] => [
  ...table
    .map(({ path }) => path)
    .filter((path) => typeof path === 'string')
    .map((path) => path.replaceAll(/:(\w+)/g, (all, name: string) => values[name] ?? all))
    .filter((path) => !path.includes(':')),
  ...examples,
]

async function expectNoFailure(page: Page): Promise<void> {
  expect(await page.getByRole('heading', { name: 'Something Went Wrong' }).count(), `failure of ${page.url()}`).toBe(0)
}

async function expectEachWorks(page: Page, addresses: string[]): Promise<void> {
  for (const address of addresses) {
    await page.goto(address)
    await waitUntilTranslated(page)
    await resizePage(page, { width: 1280, height: 860 })
    await resizePage(page, { width: 360, height: 740 })
    await expectNoFailure(page)
  }
}

test('every page works for a customer whose browser translates it', async () => {
  const customer = await makeCustomer(world(), { services: 2, card: true })
  const [service] = customer.services
  const values = {
    uuid: service?.id ?? '',
    orderCode: service?.orderCode ?? '',
    code: 'ABCDEFGHJKLM',
  }
  const page = await openPageAsCustomer(portal, 'phone', customer)
  await translate(page)
  const renewal = `/services/renew/${service?.shortId}/`
  await expectEachWorks(page, addressesOf(pages, values, [renewal, `${renewal}plan/`, `${renewal}voucher/`]))
})

test('every page works for an anonymous visitor whose browser translates it', async () => {
  const page = await portal.open('phone')
  await translate(page)
  const values = { uid64: 'a', token: 'b', code: 'ABCDEFGHJKLM' }
  expectFaults(page, /status of 404/)
  const addresses = addressesOf(pages, values, ['/no-such-page/'])
  await expectEachWorks(
    page,
    addresses.filter((address) => !/^\/(services|account)\//.test(address)),
  )
})

test.each([/Tom Reid/, /Jo Tan/])(
  'every page of the desk works in a browser that translates it, for %s',
  async (name) => {
    const { page } = await sitAt(portal, diary, name, 'phone')
    await translate(page)
    await expectEachWorks(
      page,
      addressesOf(deskPages, {}, ['/money/', '/money/disputes/', '/stock/', '/stock/batches/']),
    )
  },
)

test('logging in, security settings, card payments and buying an add-on work in a browser that translates pages', async () => {
  const customer = await makeCustomer(world(), { services: 1, card: true })
  const [service] = customer.services
  if (!service) throw new Error('a service was asked for')
  const page = await portal.open('desktop')
  await translate(page)
  await page.goto('/login/')
  await waitUntilTranslated(page)
  await logIn(page, { email: customer.email, password: 'not it 1' })
  await reads(page, 'Please enter a correct email address and password.')
  await logIn(page, customer)
  await expectDashboard(page)

  await page.goto('/account/security/')
  await getButton(page, 'Log out everywhere else').click()
  await reads(page, 'You’re logged out everywhere else.')
  await getLink(page.getByRole('navigation', { name: 'Account' }), 'Payment Method').click()
  await getButton(page, 'UPDATE CARD').click()
  await wizard.card(page)
  await getLink(page.getByRole('navigation', { name: 'Account' }), 'Change Password').click()
  await getButton(page, 'EMAIL ME A LINK').click()
  await reads(page, 'We’ve emailed you a link to set a new password.')

  await shop.renewal(page, service)
  await shop.choosePlan(page, /^15 GB/)
  await shop.startNow(page)
  await getButton(page, 'USE ANOTHER CARD').click()
  await getButton(page, 'USE SAVED CARD').click()
  await shop.anotherCard(page)
  await shop.renew(page)
  await expectHeading(page, 'Renewal Successful!')

  await shop.addOn(page, service, /^Extra 2 GB/)
  await shop.confirmAndPay(page)
  await expectHeading(page, 'Add-On Purchase Successful!')
  await expectNoFailure(page)
})

test('activating a SIM works in a browser that translates pages', async () => {
  const page = await portal.open('phone')
  await translate(page)
  await page.goto('/activate/')
  await waitUntilTranslated(page)
  const number = page.getByRole('textbox', { name: 'Phone Number on the SIM pack' })
  await number.fill('12')
  await number.blur()
  await reads(page, /^Invalid Phone Number/)
  await walkToCheckout(page, await world().newSim(), newEmail())
  await wizard.card(page)
  await wizard.activate(page)
  await wizard.success(page)
  await expectNoFailure(page)
})

test('staff can find a customer and open an order in a browser that translates pages', async () => {
  const customer = await makeCustomer(world(), { services: 1, card: true })
  const desk = await sitAt(portal, diary, /Hine Walker/)
  const { page } = desk
  await translate(page)
  await page.reload()
  await waitUntilTranslated(page)
  await find(desk, customer.email)
  await openCustomerFromTask(desk, 'A call', `${customer.first_name} ${customer.last_name}`)
  await page
    .getByRole('link', { name: customer.services[0]?.orderCode ?? '' })
    .first()
    .click()
  await expectHeading(page, customer.services[0]?.orderCode ?? '')
  await page.getByRole('navigation').getByRole('link', { name: 'Today' }).first().click()
  await expectHeading(page, 'Today')
  await expectNoFailure(page)
})
