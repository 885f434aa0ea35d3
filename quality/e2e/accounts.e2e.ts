import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { logInAs, makeCustomer } from '#quality/support/customer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { requestResetLink } from '#quality/support/reset-link.ts'
import {
  touchPhone,
  waitForPath,
  getButton,
  expectDashboard,
  enter,
  getField,
  getLink,
  logIn,
  waitForMailedLink,
  openPageAsCustomer,
  reads,
} from './account.ts'
import { usePortal } from './use-portal.ts'
import { expectHeading } from './wizard.ts'

const portal = usePortal()
const world = () => portal.world()

async function accountPage(page: Page, name: string): Promise<void> {
  await getLink(page.getByRole('navigation', { name: 'Account' }), name).click()
  await expectHeading(page, name)
}

/**
 * Makes the page believe that its tab is hidden or visible, as a browser does when the user switches tabs. A headless browser never does so
 * by itself.
 */
const look = (tab: Page, state: 'hidden' | 'visible'): Promise<void> =>
  tab.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

const wanted = '/account/payment-method/?x=1'

test(
  'a customer signs in, reaches the page they asked for, and leaves nothing behind after logging out',
  { tags: ['journey'] },
  async () => {
    const customer = await makeCustomer(world())
    const page = await portal.open('desktop')
    await page.goto(wanted)
    await waitForPath(page, `/login/?next=${encodeURIComponent(wanted)}`)
    await expectHeading(page, 'Welcome Back')

    await logIn(page, { email: customer.email, password: 'not it 1' })
    await reads(page, 'Please enter a correct email address and password.')
    expect(await getField(page, 'Email').inputValue()).toBe(customer.email)
    await logIn(page, customer)
    await expectHeading(page, 'Payment Method')
    await waitForPath(page, wanted)

    const tab = await page.context().newPage()
    await tab.goto('/login/')
    await expectDashboard(tab)
    await waitForPath(tab, '/')
    await look(tab, 'hidden')

    await accountPage(page, 'Contact Details')
    expect(await getField(page, 'Email').inputValue()).toBe(customer.email)
    await getButton(page, 'Logout').click()
    await expectHeading(page, 'Welcome Back')
    await page.goBack()
    await expectHeading(page, 'Welcome Back')
    expect(await page.content()).not.toContain(customer.email)

    await look(tab, 'visible')
    await expectHeading(tab, 'Welcome Back')
    expect(await tab.locator('body').innerText()).not.toContain(customer.first_name)
    await waitForPath(tab, '/login/')
  },
)

test(
  'a customer who has forgotten their password sets a new one through an emailed link',
  { tags: ['journey'] },
  async () => {
    const customer = await makeCustomer(world())
    const page = await portal.open('phone')
    await page.goto('/login/')
    await getLink(page, 'Forgot Password').click()
    await expectHeading(page, 'Forgot Password')
    await getField(page, 'Email').fill(customer.email)
    await getButton(page, 'SEND LINK').click()
    await reads(page, 'If that address has an account, an email with a link to set a new password is on its way.')

    const url = await waitForMailedLink(world(), customer.email, '/password-reset/')
    await page.goto(url)
    await expectHeading(page, 'Set a New Password')
    const set = async (secret: string, again = secret) => {
      await getField(page, 'New password').fill(secret)
      await getField(page, 'Confirm new password').fill(again)
      await getButton(page, 'SET PASSWORD').click()
    }
    await enter(page, 'New password', 'tui 1')
    await reads(page, 'Password must be at least 6 characters.')
    await enter(page, 'New password', '12345678')
    await reads(page, 'Your password must have at least one letter.')
    await set('kiwi rewi 9')
    await reads(page, 'Your password can’t contain your name or email address.')
    await set('princess')
    await reads(page, 'This password is too easy to guess. Please choose another one.')
    await enter(page, 'New password', 'kereru 22')
    await enter(page, 'Confirm new password', 'kereru 23')
    await reads(page, "The two password fields don't match.")
    expect(await getButton(page, 'SET PASSWORD').isDisabled()).toBe(true)
    await set('kereru 22')
    await expectDashboard(page)
    await waitForPath(page, '/')

    const other = await portal.open('phone')
    await other.goto(url)
    await getField(other, 'New password').fill('weka 333')
    await getField(other, 'Confirm new password').fill('weka 333')
    await getButton(other, 'SET PASSWORD').click()
    await reads(other, 'This link is no longer valid. It may have been used already, or have expired.')
    await getLink(other, 'Ask for a new link').click()
    await expectHeading(other, 'Forgot Password')

    await getLink(other, 'Back to Login').click()
    await logIn(other, customer)
    await reads(other, 'Please enter a correct email address and password.')
    await logIn(other, { email: customer.email, password: 'kereru 22' })
    await expectDashboard(other)
  },
)

test('a password reset link still works after being opened in a logged-in browser, and leads to the page first requested', async () => {
  const customer = await makeCustomer(world())
  const page = await portal.open('phone')
  await page.goto('/account/payment-method/')
  await getLink(page, 'Forgot Password').click()
  await expectHeading(page, 'Forgot Password')
  await getField(page, 'Email').fill(customer.email)
  await getButton(page, 'SEND LINK').click()
  await reads(page, 'If that address has an account, an email with a link to set a new password is on its way.')
  const url = await waitForMailedLink(world(), customer.email, '/password-reset/')

  const inside = await openPageAsCustomer(portal, 'phone', customer)
  await inside.goto(url)
  await reads(inside, 'Log out to use this link.')
  await waitForPath(inside, '/?reset-link')

  await page.goto(url)
  await getField(page, 'New password').fill('kereru 22')
  await getField(page, 'Confirm new password').fill('kereru 22')
  await getButton(page, 'SET PASSWORD').click()
  await expectHeading(page, 'Payment Method')
  expect(new URL(page.url()).pathname).toBe('/account/payment-method/')
})

test('a logged-in customer who has forgotten their password requests a reset link on the Change Password page', async () => {
  const customer = await makeCustomer(world())
  const page = await openPageAsCustomer(portal, 'phone', customer)
  await page.goto('/account/change-password/')
  await getButton(page, 'EMAIL ME A LINK').click()
  await reads(page, 'We’ve emailed you a link to set a new password.')
  expect(await waitForMailedLink(world(), customer.email, '/password-reset/')).toContain('/password-reset/')
})

test('a password reset link with extra characters at its end shows an error instead of the form', async () => {
  const { email } = await makeCustomer(world())
  const { url } = await requestResetLink(world(), email)
  const page = await portal.open('phone', touchPhone)
  for (const junk of ['>', ').', '%E2%80%8B', '…']) {
    await page.goto(`${url}${junk}`)
    await reads(
      page,
      'This link has extra characters at its end, so it can’t work. Please open it again from our email.',
    )
    expect([junk, await page.getByLabel(/password/i).count()]).toEqual([junk, 0])
  }
  await getLink(page, 'Ask for a new link').tap()
  await expectHeading(page, 'Forgot Password')
  await page.goto(url)
  await getField(page, 'New password').waitFor()
})

const privatePages = [
  '/',
  '/services/5cbe0b1d-22f8-4b8e-9a57-0d9c4a4be001/',
  '/account/',
  '/account/contact-details/',
  '/account/payment-method/',
  '/account/change-password/',
  '/account/security/',
  '/account/privacy/',
  '/account/privacy/messages/',
  '/account/purchases/',
]

test('a customer with an unconfirmed email address must confirm it, and then reaches the dashboard', async () => {
  const customer = await makeCustomer(world(), { verified: false })
  const page = await openPageAsCustomer(portal, 'desktop', customer)
  for (const path of privatePages) {
    await page.goto(path)
    await waitForPath(page, path === '/' ? '/verify/' : `/verify/?next=${encodeURIComponent(path)}`)
  }
  await expectHeading(page, 'Confirm Your Email Address')
  await reads(page, customer.email)
  await getButton(page, 'RESEND').click()
  await reads(page, 'Email resent. Please check your inbox.')

  await page.goto(await waitForMailedLink(world(), customer.email, '/verify/'))
  await reads(page, 'Thank you, your email address is confirmed.')
  await getLink(page, 'Go to my dashboard').click()
  await expectDashboard(page)
  await page.goto('/account/')
  await expectHeading(page, 'Contact Details')
  expect(await getField(page, 'Email').inputValue()).toBe(customer.email)
})

test('after confirming their email address, a customer reaches the page that they first requested', async () => {
  const customer = await makeCustomer(world(), { verified: false })
  const page = await portal.open('phone', touchPhone)
  await page.goto(wanted)
  await logIn(page, customer)
  await waitForPath(page, `/verify/?next=${encodeURIComponent(wanted)}`)
  await getButton(page, 'RESEND').tap()
  await reads(page, 'Email resent. Please check your inbox.')
  await page.reload()
  await expectHeading(page, 'Confirm Your Email Address')
  const tab = await page.context().newPage()
  await tab.goto(await waitForMailedLink(world(), customer.email, '/verify/'))
  await reads(tab, 'Thank you, your email address is confirmed.')
  // The waiting page learns about the confirmation from its next request.
  await getButton(page, 'RESEND').tap()
  await expectHeading(page, 'Payment Method')
  await waitForPath(page, wanted)
})

test('the link that confirms an email address works on a different device, with the password chosen at sign-up', async () => {
  const customer = await makeCustomer(world(), { verified: false })
  const page = await openPageAsCustomer(portal, 'phone', customer)
  await page.goto('/verify/')
  await getButton(page, 'RESEND').click()
  const url = await waitForMailedLink(world(), customer.email, '/verify/')

  const other = await portal.open('phone')
  await other.goto(url)
  await getField(other, 'Password chosen for this number').fill(customer.password)
  await getButton(other, 'CONFIRM').click()
  await reads(other, 'Thank you, your email address is confirmed.')
  expect(other.url()).not.toContain('token')
  await getLink(other, 'LOG IN').click()
  await expectHeading(other, 'Welcome Back')
  await other.goto(url)
  await reads(other, 'This link is no longer valid. It may have been used already, or have expired.')

  // The page that is waiting for the confirmation learns about it from its next API request.
  await getButton(page, 'RESEND').click()
  await expectDashboard(page)
})

test('a person whose email address was used for somebody else’s account sees that account’s phone number and can report it', async () => {
  const {
    email,
    services: [service],
  } = await makeCustomer(world(), { verified: false, services: 1 })
  const page = await portal.open('phone')
  await page.goto(await waitForMailedLink(world(), email, '/verify/'))
  await reads(page, formatNational(service?.msisdn ?? ''))
  await getButton(page, 'This wasn’t me').click()
  await reads(page, 'We won’t email you about that account again.')
  expect(page.url()).not.toContain('token')
})

test('changing the password ends every other session', async () => {
  const customer = await makeCustomer(world())
  const page = await openPageAsCustomer(portal, 'desktop', customer)
  const other = await openPageAsCustomer(portal, 'phone', { visitor: await logInAs(world(), customer) })
  // Use the Change Password page, because it requests none of the data that the next page shows.
  await other.goto('/account/change-password/')
  await expectHeading(other, 'Change Password')

  await page.goto('/account/change-password/')
  const change = async (old: string, secret: string) => {
    await getField(page, 'Current password').fill(old)
    await getField(page, 'New password').fill(secret)
    await getField(page, 'Confirm new password').fill(secret)
    await getButton(page, 'CHANGE PASSWORD').click()
  }
  await getButton(page, 'CHANGE PASSWORD').click()
  await reads(page, 'Please confirm your current password.')
  await enter(page, 'New password', 'tui 1')
  await reads(page, 'Your password must be at least 6 characters.')
  await enter(page, 'New password', '12345678')
  await reads(page, 'Your password must have at least one letter.')
  await enter(page, 'New password', 'kereru 22')
  await enter(page, 'Confirm new password', 'kereru 23')
  await reads(page, "The two password fields didn't match.")
  await change(customer.password, 'kiwi rewi 9')
  await reads(page, 'Your password can’t contain your name or email address.')
  await change(customer.password, 'princess')
  await reads(page, 'This password is too easy to guess. Please choose another one.')
  await change('not it 1', 'kereru 22')
  await reads(page, 'That is not your current password.')
  await change(customer.password, 'kereru 22')
  await reads(page, 'Thank you, we’ve changed your password.')
  expect(await getField(page, 'New password').inputValue()).toBe('')

  await getLink(other.getByRole('navigation', { name: 'Account' }), 'Contact Details').click()
  await expectHeading(other, 'Welcome Back')
  await waitForPath(other, `/login/?next=${encodeURIComponent('/account/contact-details/')}`)
  await logIn(other, { email: customer.email, password: 'kereru 22' })
  await expectHeading(other, 'Contact Details')

  await page.reload()
  await expectHeading(page, 'Change Password')
})

/**
 * Types into a form before its script has loaded, presses Enter, and then lets the script load. Returns the values left in the fields and
 * the requests that were sent.
 */
async function typeEarly(
  page: Page,
  path: string,
  typed: Record<string, string>,
  submit: string,
): Promise<{ kept: Record<string, string>; sent: string[] }> {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${request.url()}`)
  })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/static/build/**/*.js', async (route) => {
    await released
    await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  for (const [label, text] of Object.entries(typed)) await getField(page, label).fill(text)
  await page.keyboard.press('Enter')
  expect(await getButton(page, submit).isDisabled()).toBe(true)
  release()
  await pollUntil(async () => getButton(page, submit).isEnabled())
  const kept: Record<string, string> = {}
  for (const label of Object.keys(typed)) kept[label] = await getField(page, label).inputValue()
  return { kept, sent: [...sent] }
}

test('text typed before the script has loaded is kept, and is not sent until the button is pressed', async () => {
  const customer = await makeCustomer(world())
  const page = await portal.open('phone')
  const credentials = { Email: customer.email, Password: customer.password }
  expect(await typeEarly(page, '/login/', credentials, 'LOG IN')).toEqual({ kept: credentials, sent: [] })
  await getButton(page, 'LOG IN').click()
  await expectDashboard(page)

  const next = await openPageAsCustomer(portal, 'phone', customer)
  const secrets = {
    'Current password': customer.password,
    'New password': 'kereru 22',
    'Confirm new password': 'kereru 22',
  }
  expect(await typeEarly(next, '/account/change-password/', secrets, 'CHANGE PASSWORD')).toEqual({
    kept: secrets,
    sent: [],
  })
  await getButton(next, 'CHANGE PASSWORD').click()
  await reads(next, 'Thank you, we’ve changed your password.')
})
