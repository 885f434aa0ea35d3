import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { makeCustomer } from '#quality/support/customer.ts'
import { getButton, expectDashboard, getLink, logIn, reads } from './account.ts'
import { usePortal } from './use-portal.ts'
import { expectHeading } from './wizard.ts'

/*
 * A different host under the same parent domain can set cookies with the same names as ours, and the browser sends them to our host too. If
 * cookies have the same path, Chromium sends them in the order in which they were first set.
 */

const portal = usePortal({ env: () => ({ DESK_PORT: '0' }) })

const underParent = (name: string, url: string | null): string =>
  `http://${name}.fantail.localhost:${new URL(url ?? '').port}`

const setByAnotherHost = (page: Page, ...names: string[]): Promise<void> =>
  page.context().addCookies(
    names.map((name) => ({
      name,
      value: `${'a'.repeat(43)}.${'0'.repeat(32)}`,
      domain: '.fantail.localhost',
      path: '/',
      expires: Date.now() / 1_000 + 3_600,
    })),
  )

const cookiesNamed = async (page: Page, name: string): Promise<string[]> =>
  (await page.evaluate(() => document.cookie)).split('; ').filter((pair) => pair.startsWith(`${name}=`))

describe.each(['before', 'after'] as const)('cookies that another host has set %s the portal’s own', (when) => {
  test('cookies set by another host do not prevent a customer from logging in, making changes or logging out', async () => {
    const customer = await makeCustomer(portal.world())
    const page = await portal.open('desktop', { baseURL: underParent('portal', portal.world().url) })
    if (when === 'before') await setByAnotherHost(page, 'csrftoken', 'fantail')
    await page.goto('/login/')
    if (when === 'after') await setByAnotherHost(page, 'csrftoken', 'fantail')
    const cookies = await cookiesNamed(page, 'csrftoken')
    expect(cookies).toHaveLength(2)
    expect(cookies[when === 'before' ? 0 : 1]).toMatch(/=a+\.0+$/)

    await logIn(page, { email: customer.email, password: 'not it 1' })
    await reads(page, 'Please enter a correct email address and password.')
    await logIn(page, customer)
    await expectDashboard(page)
    await page.goto('/account/change-password/')
    await getButton(page, 'EMAIL ME A LINK').click()
    await reads(page, 'We’ve emailed you a link to set a new password.')
    await getButton(page, 'Logout').click()
    await expectHeading(page, 'Welcome Back')
  })

  test('cookies set by another host do not prevent staff from signing in or out', async () => {
    const page = await portal.open('desktop', { baseURL: underParent('desk', portal.world().deskUrl) })
    if (when === 'before') await setByAnotherHost(page, 'desk_csrf')
    await page.goto('/sign-in/')
    if (when === 'after') await setByAnotherHost(page, 'desk_csrf')
    expect(await cookiesNamed(page, 'desk_csrf')).toHaveLength(2)
    await page.getByRole('button', { name: /Hine Walker/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    await page.locator('summary', { hasText: 'Hine Walker' }).click()
    await getButton(page, 'Sign out').click()
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  })
})

test('a form still works on a page whose session has been replaced in a different tab', async () => {
  const customer = await makeCustomer(portal.world())
  const page = await portal.open('desktop')
  await page.goto('/login/')
  await getLink(page, 'Forgot Password').click()
  await expectHeading(page, 'Forgot Password')
  const tab = await page.context().newPage()
  await tab.goto('/login/')
  await logIn(tab, customer)
  await expectDashboard(tab)
  await getButton(tab, 'Logout').click()
  await expectHeading(tab, 'Welcome Back')

  const answers: number[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('/password_reset_request/')) answers.push(response.status())
  })
  await page.getByLabel('Email', { exact: true }).fill(customer.email)
  await getButton(page, 'SEND LINK').click()
  await reads(page, 'If that address has an account, an email with a link to set a new password is on its way.')
  expect(answers).toEqual([403, 200])
})
