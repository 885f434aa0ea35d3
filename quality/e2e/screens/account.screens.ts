import type { NumberRow } from '#features/invoices/invoices.contract.ts'
import { type Customer, makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { getButton, enter, getField, waitForMailedLink, reads } from '../account.ts'
import { mockResponse, editResponse, cut } from './page-calls.ts'
import { cardScreens } from './card.screens.ts'
import { changeEmailScreens } from './change-email.screens.ts'
import { heavyUser, backdatePasswordEntry, subscriber, customerWithoutService } from './people.ts'
import type { Screen, Stage } from './screen.ts'
import { privacyScreens } from './privacy.screens.ts'
import { securityScreens } from './security.screens.ts'
import { screenFromLink, openedScreen, screenByNavigation } from './screen-builders.ts'

const details = '/account/contact-details/'
const password = '/account/change-password/'

async function phoneChanger({ world }: Stage): Promise<Customer> {
  const customer = await makeCustomer(world, { services: 2 })
  const { first_name, last_name, email, services } = customer
  const { status } = await customer.visitor.post('/api/account/update_details/', {
    first_name,
    last_name,
    email,
    phone: services[1]?.msisdn,
  })
  if (status !== 200) throw new Error(`the change was answered ${status}`)
  return customer
}

export const accountScreens: Screen[] = [
  { ...openedScreen('account', '/account/', subscriber), leadsTo: details },
  openedScreen('contact details, all as long as it may be', details, heavyUser),
  openedScreen('contact details, no number', details, customerWithoutService),
  openedScreen('contact details with faults', details, subscriber, async (page) => {
    await enter(page, 'First name', '')
    await enter(page, 'Last name', '')
    await reads(page, 'This field is required.')
  }),
  openedScreen(
    'contact details saved',
    details,
    (stage) => makeSubscriber(stage.world),
    async (page) => {
      await getField(page, 'Last name').fill('Te Awa')
      await getButton(page, 'SAVE').click()
      await reads(page, 'Thank you, we’ve updated your details.')
    },
  ),
  openedScreen('contact details, no network', details, subscriber, async (page) => {
    await cut(page, '**/update_details/')
    await getButton(page, 'SAVE').click()
    await reads(page, 'Sorry, there was an unexpected error.')
  }),
  openedScreen(
    'contact details, the password asked again',
    details,
    (stage) => makeCustomer(stage.world, { services: 2 }),
    async (page, customer, stage) => {
      await backdatePasswordEntry(stage, customer)
      await page.getByRole('combobox', { name: 'Phone' }).selectOption(customer.services[1]?.msisdn ?? '')
      await getButton(page, 'SAVE').click()
      await reads(page, 'Please enter your current password.')
    },
  ),
  openedScreen('contact details, a number to confirm', details, phoneChanger, (page) =>
    reads(page, 'is not confirmed yet'),
  ),
  openedScreen('contact details, the change of the number canceled', details, phoneChanger, async (page) => {
    await getButton(page, 'Cancel this change').click()
    await reads(page, 'We’ve cancelled the change.')
  }),
  screenByNavigation('contact details, numbers not loaded', details, subscriber, {
    prepare: (page) => mockResponse(page, '**/api/services/', 500),
    act: (page) => page.getByRole('button', { name: /try again/i }).waitFor(),
  }),
  openedScreen('phone to confirm', `${details}phone-confirm/`, phoneChanger),
  openedScreen('phone to confirm, sent again', `${details}phone-confirm/`, phoneChanger, async (page) => {
    await getButton(page, 'RESEND').click()
    await reads(page, 'Email resent.')
  }),
  screenFromLink('phone confirmed', `${details}phone-success/`, phoneChanger, {
    link: ({ email }, { world }) => waitForMailedLink(world, email, '/phone-success/'),
    act: (page) => reads(page, 'Thank you, your contact phone number is confirmed.'),
  }),
  openedScreen('phone, the link is no good', `${details}phone-success/?token=abc`, phoneChanger, (page) =>
    reads(page, 'This link is no longer valid.'),
  ),
  openedScreen('phone, after a reload', `${details}phone-success/`, subscriber),
  ...changeEmailScreens,
  ...cardScreens,

  openedScreen('change password', password, subscriber),
  openedScreen(
    'password forgotten, while logged in',
    password,
    (stage) => makeCustomer(stage.world),
    async (page) => {
      await getButton(page, 'EMAIL ME A LINK').click()
      await reads(page, 'Log out before you open it')
    },
  ),
  {
    ...openedScreen('password reset, opened while logged in', '/password-reset/a/b', subscriber, (page) =>
      reads(page, 'Log out to use this link.'),
    ),
    leadsTo: '/',
  },
  openedScreen('change password with faults', password, subscriber, async (page) => {
    await getButton(page, 'CHANGE PASSWORD').click()
    await enter(page, 'New password', 'tui 1')
    await enter(page, 'Confirm new password', 'kereru 23')
    await reads(page, "The two password fields didn't match.")
  }),
  openedScreen(
    'password changed',
    password,
    (stage) => makeCustomer(stage.world, { password: 'korimako 1' }),
    async (page) => {
      await getField(page, 'Current password').fill('korimako 1')
      await getField(page, 'New password').fill('kereru 22')
      await getField(page, 'Confirm new password').fill('kereru 22')
      await getButton(page, 'CHANGE PASSWORD').click()
      await reads(page, 'Thank you, we’ve changed your password.')
    },
  ),

  ...securityScreens,
  ...privacyScreens,

  openedScreen('purchases', '/account/purchases/', heavyUser),
  openedScreen('purchases, no number', '/account/purchases/', customerWithoutService),
  screenByNavigation('purchases, numbers that are gone', '/account/purchases/', heavyUser, {
    prepare: (page) =>
      editResponse<NumberRow[]>(page, '**/api/account/numbers/', (numbers) =>
        numbers.map((number, index) => ({ ...number, released: index > 0 ? '2026-03-01T00:00:00.000Z' : null })),
      ),
    act: (page) => reads(page, 'Number released on'),
  }),
  screenByNavigation('purchases, not loaded', '/account/purchases/', subscriber, {
    prepare: (page) => mockResponse(page, '**/api/account/numbers/', 500),
    act: (page) => page.getByRole('button', { name: /try again/i }).waitFor(),
  }),
]
