import { makeCustomer } from '#testing/customer.ts'
import { button, reads } from '../account.ts'
import { pardon } from '../portal.ts'
import { heading } from '../wizard.ts'
import { answer, cut, go, hold, settle } from './calls.ts'
import { heavyUser, subscriber, withoutService } from './people.ts'
import { headless, type Screen } from './screen.ts'

const nowhere = '/no/such/page/'

/** What every page has around it, and what stands in for a page that there is not. */
export const troubleScreens: Screen[] = [
  {
    name: 'not found',
    at: nowhere,
    async open(stage) {
      const page = await stage.enter()
      pardon(page, stage.world.url + nowhere)
      await page.goto(nowhere)
      await settle(page)
      return page
    },
  },
  {
    name: 'not found, a service of nobody',
    at: '/services/X/',
    async open(stage) {
      const path = '/services/5cbe0b1d-22f8-4b8e-9a57-0d9c4a4be001/'
      const page = await stage.enter(await withoutService(stage))
      pardon(page, stage.world.url + path)
      await page.goto(path)
      await settle(page)
      return page
    },
  },
  {
    name: 'a page that cannot be drawn',
    at: '/',
    async open(stage) {
      const page = await stage.visit('/account/change-password/', await subscriber(stage))
      pardon(page, /./)
      await answer(page, '**/api/services/', 200, { broken: { uuid: 'broken' } })
      await go(page, '/')
      await heading(page, 'Something Went Wrong')
      return page
    },
  },
  {
    name: 'a page whose code cannot be had',
    at: '/forgot-password/',
    async open({ visit }) {
      const page = await visit('/login/')
      pardon(page, /./)
      // Once it has been tried anew it says so.
      await page.evaluate(() => sessionStorage.setItem('reloaded-at', String(Date.now())))
      await cut(page, '**/static/build/*.js')
      await go(page, '/forgot-password/')
      await heading(page, 'Something Went Wrong')
      return page
    },
  },
  {
    name: 'loading',
    at: '/services/X/invoices/',
    exempt: [headless],
    async open(stage) {
      const customer = await subscriber(stage)
      const page = await stage.visit('/account/change-password/', customer)
      await hold(page, '**/static/build/*.js')
      await hold(page, '**/api/account/invoices/**')
      await go(page, `/services/${customer.service.id}/invoices/`)
      await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor({ state: 'attached' })
      return page
    },
  },
  {
    name: 'still logged in',
    at: '/account/change-password/',
    async open(stage) {
      const page = await stage.visit('/account/change-password/', await heavyUser(stage))
      await cut(page, '**/api/account/logout/')
      await button(page, 'Logout').click()
      await reads(page, 'You are still logged in.')
      return page
    },
  },
  {
    name: 'site menu of a visitor',
    at: '/login/',
    widths: [320],
    async open({ visit }) {
      const page = await visit('/login/')
      await button(page, 'Menu').click()
      return page
    },
  },
  {
    name: 'site menu of a customer',
    at: '/account/change-password/',
    widths: [320],
    async open(stage) {
      const page = await stage.visit('/account/change-password/', await withoutService(stage))
      await button(page, 'Menu').click()
      await page.getByText('Account Settings').click()
      return page
    },
  },
  {
    name: 'account menu',
    at: '/account/change-password/',
    widths: [768, 1280],
    async open(stage) {
      const page = await stage.visit('/account/change-password/', await makeCustomer(stage.world))
      await page.getByText('Account Settings').click()
      return page
    },
  },
  {
    name: 'skip link',
    at: '/login/',
    async open({ visit }) {
      const page = await visit('/login/')
      await page.getByRole('link', { name: 'Skip to the content' }).focus()
      return page
    },
  },
]
