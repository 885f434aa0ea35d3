import { makeCustomer } from '#quality/support/customer.ts'
import { button, reads } from '../account.ts'
import { pardon } from '../portal.ts'
import { heading } from '../wizard.ts'
import { answer, cut, hold } from './calls.ts'
import { heavyUser, noCustomer, subscriber, withoutService } from './people.ts'
import { headless, type Screen } from './screen.ts'
import { fresh, opened, prepared, reached } from './ways.ts'

const nowhere = '/no/such/page/'
const missingService = '/services/5cbe0b1d-22f8-4b8e-9a57-0d9c4a4be001/'
const password = '/account/change-password/'

export const troubleScreens: Screen[] = [
  prepared('not found', nowhere, noCustomer, {
    prepare: async (page, _, { world }) => pardon(page, world.url + nowhere),
  }),
  prepared('not found, a service that does not exist', missingService, withoutService, {
    prepare: async (page, _, { world }) => pardon(page, world.url + missingService),
  }),
  reached('a page that cannot be drawn', '/', subscriber, {
    prepare: async (page) => {
      pardon(page, /./)
      await answer(page, '**/api/services/', 200, { broken: { uuid: 'broken' } })
    },
    act: (page) => heading(page, 'Something Went Wrong'),
  }),
  reached('a page whose code cannot be had', '/forgot-password/', noCustomer, {
    prepare: async (page) => {
      pardon(page, /./)
      // The page says so only after a reload was tried.
      await page.evaluate(() => sessionStorage.setItem('reloaded-at', String(Date.now())))
      await cut(page, '**/static/build/*.js')
    },
    act: (page) => heading(page, 'Something Went Wrong'),
  }),
  {
    ...reached('loading', '/services/U/invoices/', subscriber, {
      prepare: async (page) => {
        await hold(page, '**/static/build/*.js')
        await hold(page, '**/api/account/invoices/**')
      },
      act: (page) => page.getByRole('status').filter({ hasText: 'Loading' }).waitFor({ state: 'attached' }),
    }),
    exempt: [headless],
  },
  opened('still logged in', password, heavyUser, async (page) => {
    await cut(page, '**/api/account/logout/')
    await button(page, 'Logout').click()
    await reads(page, 'You’re still logged in.')
  }),
  { ...fresh('site menu of a visitor', '/login/', (page) => button(page, 'Menu').click()), widths: [320] },
  {
    ...opened('site menu of a customer', password, withoutService, async (page) => {
      await button(page, 'Menu').click()
      await page.getByText('Account Settings').click()
    }),
    widths: [320],
  },
  {
    ...opened(
      'account menu',
      password,
      ({ world }) => makeCustomer(world),
      (page) => page.getByText('Account Settings').click(),
    ),
    widths: [768, 1280],
  },
  fresh('skip link', '/login/', (page) => page.getByRole('link', { name: 'Skip to the content' }).focus()),
]
