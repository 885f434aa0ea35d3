import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { userAgents } from '#quality/support/browser-names.ts'
import { getCookieName } from '#quality/support/visitor.ts'
import { newEmail } from '#quality/support/world.ts'
import {
  waitForPath,
  getButton,
  expectDashboard,
  getField,
  getLink,
  logIn,
  openPageAsCustomer,
  reads,
} from './account.ts'
import { expectNoOverflow, type Size, usePortal } from './use-portal.ts'
import { expectHeading } from './wizard.ts'

const portal = usePortal()

async function enterWith(customer: Customer, size: Size, userAgent: string): Promise<Page> {
  const page = await portal.open(size, { userAgent })
  await page.goto('/login/')
  await logIn(page, customer)
  await expectDashboard(page)
  return page
}

const rowsOn = (page: Page) =>
  page.getByRole('heading', { name: 'Where you’re logged in' }).locator('..').getByRole('listitem')
const rowOf = (page: Page, name: string) => rowsOn(page).filter({ hasText: name })
const devicesOn = (page: Page): Promise<string[]> => rowsOn(page).locator('p:first-child').allTextContents()

test('a customer sees where they are signed in, signs out one device, and then signs out all others', async () => {
  const customer = await makeCustomer(portal.world())
  await customer.visitor.post('/api/account/logout/')
  const desk = await enterWith(customer, 'desktop', userAgents.firefoxOnWindows)
  const phone = await enterWith(customer, 'phone', userAgents.safariOnIphone)
  const tablet = await enterWith(customer, 'tablet', userAgents.samsungOnAndroid)

  await phone.goto('/account/contact-details/')
  await getLink(phone.getByRole('navigation', { name: 'Account' }), 'Security').click()
  await expectHeading(phone, 'Security')
  await expectNoOverflow(phone)
  await expect
    .poll(() => devicesOn(phone))
    .toEqual(['Safari on iPhoneThis device', 'Samsung Internet on Android', 'Firefox on Windows'])
  await rowOf(phone, 'Samsung Internet on Android').getByRole('button', { name: 'Log out' }).click()
  await reads(phone, 'Samsung Internet on Android is logged out.')
  expect(await devicesOn(phone)).toEqual(['Safari on iPhoneThis device', 'Firefox on Windows'])
  await reads(phone, 'A device was logged out.')
  await tablet.reload()
  await waitForPath(tablet, '/login/')

  await desk.goto('/account/security/')
  await reads(desk, 'Logged in to your account.')
  await logIn(tablet, customer)
  await expectDashboard(tablet)
  await getButton(desk, 'Log out everywhere else').click()
  await reads(desk, 'You’re logged out everywhere else.')
  await reads(desk, 'You’re not logged in anywhere else.')
  expect(await devicesOn(desk)).toEqual(['Firefox on WindowsThis device'])
  await getLink(phone.getByRole('navigation', { name: 'Account' }), 'Contact Details').click()
  await getField(phone, 'Last name').fill('Te Awa')
  await getButton(phone, 'SAVE').click()
  await expectHeading(phone, 'Welcome Back')
  await tablet.goto('/account/payment-method/')
  await waitForPath(tablet, '/login/?next=%2Faccount%2Fpayment-method%2F')
  await desk.reload()
  await expectHeading(desk, 'Security')
})

test('the security page appears without JavaScript, and its sign-out button can be used by keyboard', async () => {
  const customer = await makeCustomer(portal.world())
  const bare = await portal.open('phone', { javaScriptEnabled: false })
  const { url } = portal.world()
  const session = { name: getCookieName(url, 'fantail'), value: customer.visitor.cookie('fantail') ?? '', url }
  await bare.context().addCookies([session])
  await bare.goto('/account/security/')
  await expectHeading(bare, 'Security')
  await reads(bare, 'You’re not logged in anywhere else.')
  await reads(bare, 'Logged in to your account.')

  const desk = await enterWith(customer, 'desktop', userAgents.chromeOnWindows)
  await desk.goto('/account/security/')
  const signOut = getButton(desk, 'Log out')
  await signOut.focus()
  await desk.keyboard.press('Enter')
  await reads(desk, 'Unknown browser is logged out.')
  expect(await desk.evaluate(() => document.activeElement?.textContent)).toBe('Where you’re logged in')
  await bare.goto('/account/security/')
  await waitForPath(bare, '/login/?next=%2Faccount%2Fsecurity%2F')
  expect(await getField(bare, 'Email').isVisible()).toBe(true)
})

const twoDaysOn = ({ id }: Customer) =>
  portal
    .world()
    .db.updateTable('sessions')
    .set({ authenticated_at: new Date(Date.now() - 2 * 86_400_000) })
    .where('user_id', '=', id)
    .execute()

test('from two days after login, changing the phone or email address requires the password, and typed input is kept', async () => {
  const customer = await makeCustomer(portal.world(), { services: 2 })
  const second = formatNational(customer.services[1]?.msisdn ?? '')
  const page = await openPageAsCustomer(portal, 'phone', customer)
  await page.goto('/account/contact-details/')
  await twoDaysOn(customer)
  await getField(page, 'Last name').fill('Te Awa')
  await page.getByRole('combobox', { name: 'Phone' }).selectOption({ label: second })
  await getButton(page, 'SAVE').click()
  await reads(page, 'Please enter your current password.')
  await expectNoOverflow(page)
  expect(await getField(page, 'Last name').inputValue()).toBe('Te Awa')
  await getField(page, 'Current password').fill('korimako 9')
  await getButton(page, 'SAVE').click()
  await reads(page, 'That is not your current password.')
  await getField(page, 'Current password').fill(customer.password)
  await getButton(page, 'SAVE').click()
  await expectHeading(page, 'Confirm Your Phone Number')
  await reads(page, second)

  await twoDaysOn(customer)
  const wanted = newEmail()
  await page.goto('/account/contact-details/change-email/')
  await getField(page, 'New email address').fill(wanted)
  await getButton(page, 'CONTINUE').click()
  await reads(page, 'Please enter your current password.')
  expect(await getField(page, 'New email address').inputValue()).toBe(wanted)
  await getField(page, 'Current password').fill(customer.password)
  await getButton(page, 'CONTINUE').click()
  await page.getByRole('heading', { level: 2, name: 'Enter your One-Time PIN' }).waitFor()
})

test('logging out deletes the customer’s data in every tab, but the account still recognises the browser', async () => {
  const customer = await makeCustomer(portal.world())
  const page = await enterWith(customer, 'desktop', userAgents.chromeOnWindows)
  const other = await page.context().newPage()
  await other.goto('/account/contact-details/')
  await getField(other, 'Last name').fill('Te Awa')
  const store = () =>
    other.evaluate(async () => {
      localStorage.setItem('kept', 'here')
      await (await caches.open('kept')).put('/kept', new Response('here'))
    })
  const kept = () => other.evaluate(async () => ({ local: { ...localStorage }, caches: await caches.keys() }))
  const deviceCookie = async () =>
    (await page.context().cookies()).find(({ name }) => name.endsWith('fantail_device'))?.value
  await store()
  expect(await kept()).toEqual({ local: { kept: 'here' }, caches: ['kept'] })
  const device = await deviceCookie()
  expect(device).toBeTruthy()

  await getButton(page, 'Logout').click()
  await expectHeading(page, 'Welcome Back')
  expect(await kept()).toEqual({ local: {}, caches: [] })
  expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key !== 'customer-session'))).toEqual([])
  expect(await deviceCookie()).toBe(device)
  await page.goBack()
  await expectHeading(page, 'Welcome Back')
  await logIn(page, customer)
  await expectDashboard(page)
  await other.close()
})
