import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { loginAs, makeCustomer } from '#testing/customer.ts'
import { until } from '#testing/until.ts'
import { arriveAt, button, field, frontDoor, link, logIn, mailedLink, openAs, password, reads } from './account.ts'
import { inspect } from './inspect.ts'
import { usePortal } from './portal.ts'
import { heading } from './wizard.ts'

const portal = usePortal()
const world = () => portal.world()

const wanted = '/account/payment-method/?x=1'

test('a customer signs in, is taken where they wanted to go, and leaves nothing behind', async () => {
  const customer = await makeCustomer(world())
  const page = await portal.open('desktop')
  await page.goto(wanted)
  await arriveAt(page, `/login/?next=${encodeURIComponent(wanted)}`)
  await heading(page, 'Welcome Back')
  await inspect(page)

  await logIn(page, { email: customer.email, password: 'not it 1' })
  await reads(page, 'Please enter a correct email address and password.')
  expect(await field(page, 'Email').inputValue()).toBe(customer.email)
  await logIn(page, customer)
  await heading(page, 'Payment Method')
  await arriveAt(page, wanted)

  const tab = await page.context().newPage()
  await tab.goto('/login/')
  await heading(tab, 'Contact Details')
  expect(await field(tab, 'Email').inputValue()).toBe(customer.email)

  await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Contact Details' }).click()
  await heading(page, 'Contact Details')
  await button(page, 'Logout').click()
  await heading(page, 'Welcome Back')
  await page.goBack()
  await heading(page, 'Welcome Back')
  expect(await page.content()).not.toContain(customer.email)

  await tab.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Payment Method' }).click()
  await tab.reload()
  await heading(tab, 'Welcome Back')
  await arriveAt(tab, '/login/?next=%2Faccount%2Fpayment-method%2F')
  await logIn(tab, customer)
  await heading(tab, 'Payment Method')
})

test('who has forgotten their password sets another with the link of a mail', async () => {
  const customer = await makeCustomer(world())
  const page = await portal.open('phone')
  await page.goto('/login/')
  await link(page, 'Forgot Password').click()
  await heading(page, 'Forgot Password')
  await inspect(page)
  await field(page, 'Email').fill(customer.email)
  await button(page, 'SEND LINK').click()
  await reads(page, 'If that address has an account, an email with a link to set a new password is on its way.')

  const url = await mailedLink(world(), customer.email, '/password-reset/')
  await page.goto(url)
  await heading(page, 'Set a New Password')
  await inspect(page)
  const set = async (secret: string, again = secret) => {
    await password(page, 'New password').fill(secret)
    await password(page, 'Confirm new password').fill(again)
    await button(page, 'SET PASSWORD').click()
  }
  await set('tui 1')
  await reads(page, 'Password must be at least 6 characters.')
  await set('12345678')
  await reads(page, 'Your password must have at least one letter.')
  await set('kiwi rewi 9')
  await reads(page, 'Your password can’t contain your name or email address.')
  await set('princess')
  await reads(page, 'This password is too easy to guess. Please choose another one.')
  await set('kereru 22', 'kereru 23')
  await reads(page, "The two password fields don't match.")
  await set('kereru 22')
  await heading(page, 'Contact Details')
  await arriveAt(page, frontDoor)

  const other = await portal.open('phone')
  await other.goto(url)
  await password(other, 'New password').fill('weka 333')
  await password(other, 'Confirm new password').fill('weka 333')
  await button(other, 'SET PASSWORD').click()
  await reads(other, 'This link is no longer valid. It may have been used already, or have expired.')
  await link(other, 'Ask for a new link').click()
  await heading(other, 'Forgot Password')

  await link(other, 'Back to Login').click()
  await logIn(other, customer)
  await reads(other, 'Please enter a correct email address and password.')
  await logIn(other, { email: customer.email, password: 'kereru 22' })
  await heading(other, 'Contact Details')
})

const privatePages = ['/', '/account/', '/account/contact-details/', '/account/payment-method/', '/account/change-password/']

test('who has not confirmed their address is led to do so, and then let in', async () => {
  const customer = await makeCustomer(world(), { verified: false })
  const page = await openAs(portal, 'desktop', customer)
  for (const path of privatePages) {
    await page.goto(path)
    await arriveAt(page, '/verify/')
  }
  await heading(page, 'Confirm Your Email Address')
  await reads(page, customer.email)
  await inspect(page)
  await button(page, 'RESEND').click()
  await reads(page, 'Email resent. Please check your inbox.')

  await page.goto(await mailedLink(world(), customer.email, '/verify/'))
  await reads(page, 'Thank you, your email address is confirmed.')
  await inspect(page)
  await link(page, 'Go to my dashboard').click()
  await heading(page, 'Contact Details')
  expect(await field(page, 'Email').inputValue()).toBe(customer.email)
})

test('the link confirms on another device too, where nobody is signed in', async () => {
  const customer = await makeCustomer(world(), { verified: false })
  const page = await openAs(portal, 'phone', customer)
  await page.goto('/verify/')
  await button(page, 'RESEND').click()
  const url = await mailedLink(world(), customer.email, '/verify/')

  const other = await portal.open('phone')
  await other.goto(url)
  await reads(other, 'Thank you, your email address is confirmed.')
  await link(other, 'LOG IN').click()
  await heading(other, 'Welcome Back')
  await other.goto(url)
  await reads(other, 'This link is no longer valid. It may have been used already, or have expired.')

  // The page that waits learns of it with its next call.
  await button(page, 'RESEND').click()
  await heading(page, 'Contact Details')
})

test('a changed password ends every other session', async () => {
  const customer = await makeCustomer(world())
  const page = await openAs(portal, 'desktop', customer)
  const other = await openAs(portal, 'phone', { visitor: await loginAs(world(), customer) })
  await other.goto('/account/payment-method/')
  await heading(other, 'Payment Method')

  await page.goto('/account/change-password/')
  await inspect(page)
  const change = async (old: string, secret: string, again = secret) => {
    await password(page, 'Current password').fill(old)
    await password(page, 'New password').fill(secret)
    await password(page, 'Confirm new password').fill(again)
    await button(page, 'CHANGE PASSWORD').click()
  }
  await change('', 'kereru 22')
  await reads(page, 'Please confirm your current password.')
  await change(customer.password, 'tui 1')
  await reads(page, 'Your password must be at least 6 characters.')
  await change(customer.password, '12345678')
  await reads(page, 'Your password must have at least one letter.')
  await change(customer.password, 'kiwi rewi 9')
  await reads(page, 'Your password can’t contain your name or email address.')
  await change(customer.password, 'princess')
  await reads(page, 'This password is too easy to guess. Please choose another one.')
  await change(customer.password, 'kereru 22', 'kereru 23')
  await reads(page, "The two password fields didn't match.")
  await change('not it 1', 'kereru 22')
  await reads(page, 'That is not your current password.')
  await change(customer.password, 'kereru 22')
  await reads(page, 'Thank you, we’ve changed your password.')
  expect(await password(page, 'New password').inputValue()).toBe('')
  await inspect(page)

  await other.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Contact Details' }).click()
  await heading(other, 'Welcome Back')
  await arriveAt(other, `/login/?next=${encodeURIComponent('/account/contact-details/')}`)
  await logIn(other, { email: customer.email, password: 'kereru 22' })
  await heading(other, 'Contact Details')

  await page.reload()
  await heading(page, 'Change Password')
})

/** Types before the script has arrived, and presses Enter; then lets the script come. */
async function typeEarly(page: Page, path: string, typed: [label: string, text: string][], submit: string): Promise<void> {
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
  for (const [label, text] of typed) await password(page, label).fill(text)
  await password(page, typed.at(-1)?.[0] ?? '').press('Enter')
  expect(await button(page, submit).isDisabled()).toBe(true)
  release()
  await until(async () => button(page, submit).isEnabled())
  for (const [label, text] of typed) expect(await password(page, label).inputValue()).toBe(text)
  expect(sent).toEqual([])
  expect(new URL(page.url()).pathname).toBe(path)
}

test('what is typed before the script has arrived is kept, and sent only when the button is pressed', async () => {
  const customer = await makeCustomer(world())
  const page = await portal.open('phone')
  await typeEarly(page, '/login/', [['Email', customer.email], ['Password', customer.password]], 'LOG IN')
  await button(page, 'LOG IN').click()
  await heading(page, 'Contact Details')

  const next = await openAs(portal, 'phone', customer)
  const secrets = ['Current password', 'New password', 'Confirm new password'].map((label) => [label, label === 'Current password' ? customer.password : 'kereru 22'] as [string, string])
  await typeEarly(next, '/account/change-password/', secrets, 'CHANGE PASSWORD')
  await button(next, 'CHANGE PASSWORD').click()
  await reads(next, 'Thank you, we’ve changed your password.')
})
