import type { Page } from 'playwright-core'
import { getButton, reads } from '../account.ts'
import { mockResponse } from './page-calls.ts'
import { accessAlert, drawn, requestedLimits } from './desk-audit.ts'
import { deskScreen, failedDeskScreen } from './desk-screen.ts'
import { deskWithManyTasks, findableCustomer, supportInvitation, reportedErrors } from './desk-world.ts'
import type { Screen } from './screen.ts'

const type = (text: string) => async (page: Page) => {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Number, name, e-mail, order' }).fill(text)
}
const drawer = (press: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name: press }).first().click()
  await page.getByRole('dialog').waitFor()
}

export const dayScreens: Screen[] = [
  deskScreen('today, nothing yet', { at: '/' }),
  deskScreen('sign-in', { at: '/sign-in/', as: null }),
  deskScreen('sign-in, failed', {
    at: '/sign-in/',
    as: null,
    prepare: (page) => mockResponse(page, '**/sign-in/begin/', 500),
    async act(page) {
      await getButton(page, 'Sign in with your passkey').click()
      await page.getByRole('alert').first().waitFor()
    },
  }),
  deskScreen('invitation', {
    at: '/invited/T/',
    as: null,
    make: supportInvitation,
    path: (token) => `/invited/${token}/`,
  }),
  deskScreen('invitation that has ended', {
    at: '/invited/T/',
    as: null,
    path: () => '/invited/none/',
    act: (page) => reads(page, 'This invitation has expired or was already used.'),
  }),
  deskScreen('today', { at: '/', make: deskWithManyTasks }),
  deskScreen('today, several selected', {
    at: '/',
    make: deskWithManyTasks,
    act: (page) => page.getByRole('checkbox', { name: 'Select all unassigned' }).check(),
  }),
  deskScreen('today of a lead, who decides', { at: '/', as: 'lead', make: deskWithManyTasks }),
  deskScreen('today of an admin', { at: '/', as: 'admin', make: deskWithManyTasks }),
  deskScreen('today of a lead, alarmed', { at: '/', as: 'lead', make: accessAlert }),
  failedDeskScreen('today, failed', '**/api/desk/{today,tasks,approvals}/', { at: '/' }),
  deskScreen('find', { at: '/find/' }),
  deskScreen('find, found', { at: '/find/', make: findableCustomer, path: () => '/find/?q=tamihana' }),
  deskScreen('find, nothing', { at: '/find/', path: () => '/find/?q=zzyzx' }),
  failedDeskScreen('find, failed', '**/api/desk/search/**', { at: '/find/', path: () => '/find/?q=tamihana' }),
  deskScreen('palette', { at: '/find/', act: (page) => page.keyboard.press('Control+k') }),
  deskScreen('palette, found', {
    at: '/',
    make: findableCustomer,
    async act(page, { services }) {
      await type(services[0]!.msisdn.slice(-4))(page)
      await page.getByRole('listbox', { name: 'Found' }).getByRole('option').first().waitFor()
    },
  }),
  deskScreen('palette, nothing', {
    at: '/find/',
    async act(page) {
      await type('zzyzx')(page)
      await reads(page, 'No results.')
    },
  }),
  deskScreen('palette, failed', {
    at: '/find/',
    prepare: (page) => mockResponse(page, '**/api/desk/search/**', 500),
    async act(page) {
      await type('tamihana')(page)
      await page.getByRole('alert').waitFor()
    },
  }),
  deskScreen('health', { at: '/health/', make: reportedErrors }),
  deskScreen('health, to say so', { at: '/health/', make: reportedErrors, act: drawer('Publish a notice') }),
  deskScreen('health, to prolong', { at: '/health/', make: reportedErrors, act: drawer(/^Extend/) }),
  failedDeskScreen('health, failed', '**/api/desk/{health,notices,errors}/', { at: '/health/' }),
  deskScreen('team', { at: '/team/', as: 'admin', make: supportInvitation }),
  deskScreen('team, to invite', { at: '/team/', as: 'admin', act: drawer('Invite') }),
  deskScreen('team, roles', { at: '/team/', as: 'admin', act: drawer(/^Roles for/) }),
  deskScreen('team, to suspend', { at: '/team/', as: 'admin', act: drawer(/^Suspend/) }),
  failedDeskScreen('team, failed', '**/api/desk/team/', { at: '/team/', as: 'admin' }),
  deskScreen('audit', { at: '/audit/', as: 'admin', make: deskWithManyTasks }),
  deskScreen('audit, narrowed to nothing', {
    at: '/audit/',
    as: 'admin',
    path: () => '/audit/?act=vouchers_made&day=2020-01-01',
  }),
  failedDeskScreen('audit, failed', '**/api/desk/audit/**', { at: '/audit/', as: 'admin' }),
  deskScreen('audit of a lead, by name', {
    at: '/audit/',
    as: 'lead',
    make: findableCustomer,
    path: () => '/audit/?q=tamihana',
  }),
  deskScreen('team of a lead', { at: '/team/', as: 'lead', make: supportInvitation }),
  deskScreen('limits of a lead', { at: '/limits/', as: 'lead' }),
  deskScreen('not allowed', { at: '/not-allowed/', path: () => '/audit/' }),
  deskScreen('random checks, nothing', { at: '/audit/checks/', as: 'lead' }),
  deskScreen('random checks', { at: '/audit/checks/', as: 'lead', make: drawn }),
  failedDeskScreen('random checks, failed', '**/api/desk/audit/checks/', { at: '/audit/checks/', as: 'lead' }),
  deskScreen('limits', { at: '/limits/', as: 'admin' }),
  deskScreen('limits, to change', { at: '/limits/', as: 'admin', act: drawer('Change limits for Finance') }),
  deskScreen('limits, asked for', { at: '/limits/', as: 'admin', make: requestedLimits }),
  deskScreen('today of an admin, who decides about limits', { at: '/', as: 'admin', make: requestedLimits }),
  failedDeskScreen('limits, failed', '**/api/desk/limits/', { at: '/limits/', as: 'admin' }),
  deskScreen('not found', { at: '/nowhere/' }),
  deskScreen('the person’s menu', { at: '/find/', act: (page) => page.locator('summary').first().click() }),
]
