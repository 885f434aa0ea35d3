import { makeCustomer } from '#quality/support/customer.ts'
import { getButton, reads } from '../account.ts'
import { expectFaults } from '../use-portal.ts'
import { expectHeading } from '../wizard.ts'
import { mockResponse, cut, hold } from './page-calls.ts'
import { heavyUser, createNoOwner, subscriber, customerWithoutService } from './people.ts'
import { headingRule, type Screen } from './screen.ts'
import { anonymousScreen, openedScreen, preparedScreen, screenByNavigation } from './screen-builders.ts'

const nowhere = '/no/such/page/'
const missingService = '/services/5cbe0b1d-22f8-4b8e-9a57-0d9c4a4be001/'
const password = '/account/change-password/'

export const troubleScreens: Screen[] = [
  preparedScreen('not found', nowhere, createNoOwner, {
    prepare: async (page, _, { world }) => expectFaults(page, world.url + nowhere),
  }),
  preparedScreen('not found, a service that does not exist', missingService, customerWithoutService, {
    prepare: async (page, _, { world }) => expectFaults(page, world.url + missingService),
  }),
  screenByNavigation('a page that cannot be drawn', '/', subscriber, {
    prepare: async (page) => {
      expectFaults(page, /./)
      await mockResponse(page, '**/api/services/', 200, { broken: { uuid: 'broken' } })
    },
    act: (page) => expectHeading(page, 'Something Went Wrong'),
  }),
  screenByNavigation('a page whose code cannot be had', '/forgot-password/', createNoOwner, {
    prepare: async (page) => {
      expectFaults(page, /./)
      // Pretend that the page has already been reloaded, because it shows the error only if reloading did not help.
      await page.evaluate(() => sessionStorage.setItem('reloaded-at', String(Date.now())))
      await cut(page, '**/static/build/*.js')
    },
    act: (page) => expectHeading(page, 'Something Went Wrong'),
  }),
  {
    ...screenByNavigation('loading', '/services/U/invoices/', subscriber, {
      prepare: async (page) => {
        await hold(page, '**/static/build/*.js')
        await hold(page, '**/api/account/invoices/**')
      },
      act: (page) => page.getByRole('status').filter({ hasText: 'Loading' }).waitFor({ state: 'attached' }),
    }),
    exempt: [headingRule],
  },
  openedScreen('still logged in', password, heavyUser, async (page) => {
    await cut(page, '**/api/account/logout/')
    await getButton(page, 'Logout').click()
    await reads(page, 'You’re still logged in.')
  }),
  { ...anonymousScreen('site menu of a visitor', '/login/', (page) => getButton(page, 'Menu').click()), widths: [320] },
  {
    ...openedScreen('site menu of a customer', password, customerWithoutService, async (page) => {
      await getButton(page, 'Menu').click()
      await page.getByText('Account Settings').click()
    }),
    widths: [320],
  },
  {
    ...openedScreen(
      'account menu',
      password,
      ({ world }) => makeCustomer(world),
      (page) => page.getByText('Account Settings').click(),
    ),
    widths: [768, 1280],
  },
  anonymousScreen('skip link', '/login/', (page) => page.getByRole('link', { name: 'Skip to the content' }).focus()),
]
