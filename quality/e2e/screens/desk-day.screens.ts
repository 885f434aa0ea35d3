import type { Page } from 'playwright-core'
import { button, reads } from '../account.ts'
import { answer } from './calls.ts'
import { alarmed, drawn, limitsAsked } from './desk-audit.ts'
import { atDesk, failed } from './desk-ways.ts'
import { busyDay, findable, invited, troubled } from './desk-world.ts'
import type { Screen } from './screen.ts'

const type = (text: string) => async (page: Page) => {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill(text)
}
const drawer = (press: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name: press }).first().click()
  await page.getByRole('dialog').waitFor()
}

export const dayScreens: Screen[] = [
  atDesk('today, nothing yet', { at: '/' }),
  atDesk('sign-in', { at: '/sign-in/', as: null }),
  atDesk('sign-in, failed', {
    at: '/sign-in/',
    as: null,
    prepare: (page) => answer(page, '**/sign-in/begin/', 500),
    async act(page) {
      await button(page, 'Sign in with your passkey').click()
      await page.getByRole('alert').first().waitFor()
    },
  }),
  atDesk('invitation', { at: '/invited/T/', as: null, make: invited, path: (token) => `/invited/${token}/` }),
  atDesk('invitation that has ended', {
    at: '/invited/T/',
    as: null,
    path: () => '/invited/none/',
    act: (page) => reads(page, 'This invitation has expired or was already used.'),
  }),
  atDesk('today', { at: '/', make: busyDay }),
  atDesk('today of a lead, who decides', { at: '/', as: 'lead', make: busyDay }),
  atDesk('today of an admin', { at: '/', as: 'admin', make: busyDay }),
  atDesk('today of a lead, alarmed', { at: '/', as: 'lead', make: alarmed }),
  failed('today, failed', '**/api/desk/{today,tasks,approvals}/', { at: '/' }),
  atDesk('find', { at: '/find/' }),
  atDesk('find, found', { at: '/find/', make: findable, path: () => '/find/?q=tamihana' }),
  atDesk('find, nothing', { at: '/find/', path: () => '/find/?q=zzyzx' }),
  failed('find, failed', '**/api/desk/search/**', { at: '/find/', path: () => '/find/?q=tamihana' }),
  atDesk('palette', { at: '/find/', act: (page) => page.keyboard.press('Control+k') }),
  atDesk('palette, found', {
    at: '/',
    make: findable,
    async act(page, { services }) {
      await type(services[0]!.msisdn.slice(-4))(page)
      await page.getByRole('option').first().waitFor()
    },
  }),
  atDesk('palette, nothing', {
    at: '/find/',
    async act(page) {
      await type('zzyzx')(page)
      await reads(page, 'No results.')
    },
  }),
  atDesk('palette, failed', {
    at: '/find/',
    prepare: (page) => answer(page, '**/api/desk/search/**', 500),
    async act(page) {
      await type('tamihana')(page)
      await page.getByRole('alert').waitFor()
    },
  }),
  atDesk('health', { at: '/health/', make: troubled }),
  atDesk('health, to say so', { at: '/health/', make: troubled, act: drawer('Say so on the portal') }),
  atDesk('health, to prolong', { at: '/health/', make: troubled, act: drawer(/^Extend/) }),
  failed('health, failed', '**/api/desk/{health,notices,errors}/', { at: '/health/' }),
  atDesk('team', { at: '/team/', as: 'admin', make: invited }),
  atDesk('team, to invite', { at: '/team/', as: 'admin', act: drawer('Invite') }),
  atDesk('team, roles', { at: '/team/', as: 'admin', act: drawer(/^Roles of/) }),
  atDesk('team, to suspend', { at: '/team/', as: 'admin', act: drawer(/^Suspend/) }),
  failed('team, failed', '**/api/desk/team/', { at: '/team/', as: 'admin' }),
  atDesk('audit', { at: '/audit/', as: 'admin', make: busyDay }),
  atDesk('audit, narrowed to nothing', {
    at: '/audit/',
    as: 'admin',
    path: () => '/audit/?act=vouchers_made&day=2020-01-01',
  }),
  failed('audit, failed', '**/api/desk/audit/**', { at: '/audit/', as: 'admin' }),
  atDesk('random checks, nothing', { at: '/audit/checks/', as: 'lead' }),
  atDesk('random checks', { at: '/audit/checks/', as: 'lead', make: drawn }),
  failed('random checks, failed', '**/api/desk/audit/checks/', { at: '/audit/checks/', as: 'lead' }),
  atDesk('limits', { at: '/limits/', as: 'admin' }),
  atDesk('limits, to change', { at: '/limits/', as: 'admin', act: drawer('Change limits of Finance') }),
  atDesk('limits, asked for', { at: '/limits/', as: 'admin', make: limitsAsked }),
  atDesk('today of an admin, who decides about limits', { at: '/', as: 'admin', make: limitsAsked }),
  failed('limits, failed', '**/api/desk/limits/', { at: '/limits/', as: 'admin' }),
  atDesk('not found', { at: '/nowhere/' }),
  atDesk('the person’s menu', { at: '/find/', act: (page) => page.locator('summary').first().click() }),
]
