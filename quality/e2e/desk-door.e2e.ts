import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { suspendByEmail } from '#desk/features/staff/server/invitations.ts'
import { inviteStaff } from '#quality/support/staff-member.ts'
import { newEmail } from '#quality/support/world.ts'
import { getButton } from './account.ts'
import { inspectPage } from './inspect-page.ts'
import { usePortal } from './use-portal.ts'

const portal = usePortal({ env: () => ({ DESK_PORT: '0' }) })
const operator = { by: 'operator', name: 'Tom' } as const

async function openDesk(size: 'phone' | 'desktop'): Promise<Page> {
  const page = await portal.open(size, { baseURL: portal.world().deskUrl ?? '' })
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  await cdp.send('WebAuthn.addVirtualAuthenticator', { options })
  return page
}

async function inviteSomebody(): Promise<{ email: string; path: string }> {
  const email = newEmail()
  const token = await inviteStaff(portal.world(), { email, roles: ['support'] })
  return { email, path: `/invited/${token}/` }
}

test('an invited staff member creates a passkey and can sign in with it until they are suspended', async () => {
  const { email, path } = await inviteSomebody()
  const page = await openDesk('desktop')
  await page.goto(path)
  await page.getByRole('heading', { name: 'Welcome to the desk' }).waitFor()
  await page.getByLabel('Name of this passkey').fill('Laptop')
  await getButton(page, 'Create a passkey').click()
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  await page.locator('summary', { hasText: 'Tui Hall' }).click()
  await getButton(page, 'Sign out').click()
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  await page.goto('/find/?q=rewi')
  await page.waitForURL(/\/sign-in\/\?next=/)
  await getButton(page, 'Sign in with your passkey').click()
  await page.waitForURL('**/find/?q=rewi')
  await suspendByEmail(portal.world().deps, email, operator)
  await page.goto('/')
  await page.waitForURL(/\/sign-in\//)
  expect(await page.getByRole('button', { name: 'Sign in with your passkey' }).count()).toBe(1)
})

test('the page that invited staff see passes the layout and accessibility checks', async () => {
  const page = await openDesk('phone')
  const { path, email } = await inviteSomebody()
  await page.goto(path)
  await page.getByRole('heading', { name: 'Welcome to the desk' }).waitFor()
  expect(await page.getByText(email).count()).toBe(1)
  await inspectPage(page)
})

test('the page for an invitation that has been used says so, and does not offer to create a passkey', async () => {
  const { path } = await inviteSomebody()
  const page = await openDesk('phone')
  await page.goto(path)
  await getButton(page, 'Create a passkey').click()
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  await page.goto(path)
  await page.getByText('This invitation has expired or was already used. Ask for a new one.').waitFor()
  expect(await getButton(page, 'Create a passkey').count()).toBe(0)
})

test('the desk’s sign-in page passes the layout checks, and demo staff can sign in with a button', async () => {
  const page = await openDesk('phone')
  await page.goto('/')
  await page.waitForURL(/\/sign-in\//)
  await inspectPage(page)
  await page.getByRole('button', { name: /Hine Walker/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  expect(await page.evaluate(() => document.cookie)).toContain('desk_csrf=')
})
