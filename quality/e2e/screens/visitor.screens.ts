import type { Page } from 'playwright-core'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { activate, password as usualPassword } from '#quality/support/activation-journey.ts'
import { requestResetLink } from '#quality/support/reset-link.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail } from '#quality/support/world.ts'
import { getButton, enter, getField, getLink, logIn, waitForMailedLink, reads } from '../account.ts'
import { mockResponse, hold } from './page-calls.ts'
import { createNoOwner } from './people.ts'
import { once, type Screen, type Stage } from './screen.ts'
import { screenFromLink, anonymousScreen, openedScreen, preparedScreen } from './screen-builders.ts'

const customer = once((world) => makeCustomer(world))
const unconfirmed = once((world) =>
  makeCustomer(world, { verified: false, email: `${'a'.repeat(60)}.${'b'.repeat(60)}.${Date.now()}@example.nz` }),
)

const spent = once(async (world) => {
  const code = await world.newVoucher()
  await activate(world, { voucher: code })
  return code
})

async function linkAgain({ visitor, email }: Customer, { world }: Stage): Promise<string> {
  const waiting = () =>
    world.db.selectFrom('messages').select('id').where('recipient', '=', email).where('sent_at', 'is', null).execute()
  const areSent = () => pollUntil(async () => (await waiting()).length === 0)
  // Wait for the email about the activation. It is sent only once its invoice exists, so it might otherwise arrive after the next email.
  await areSent()
  await visitor.get('/api/account/resend_verification/', { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' })
  // Wait for the newest email, because the links in earlier ones no longer work.
  await areSent()
  return waitForMailedLink(world, email, '/verify/')
}

const linkOfAnotherAccount = async (_: unknown, stage: Stage): Promise<string> =>
  linkAgain(await makeCustomer(stage.world, { verified: false, services: 1 }), stage)

async function linkOfASecondAccount(_: unknown, { world }: Stage): Promise<string> {
  const { email } = await makeCustomer(world)
  await activate(world, { email, password: 'another one 2', voucher: await world.newVoucher() })
  return waitForMailedLink(world, email, '/verify/')
}

const setPassword = async (page: Page, first: string, second = first): Promise<void> => {
  await getField(page, 'New password').fill(first)
  await getField(page, 'Confirm new password').fill(second)
  await getButton(page, 'SET PASSWORD').click()
}

export const visitorScreens: Screen[] = [
  anonymousScreen('login', '/login/'),
  anonymousScreen('login without answers', '/login/', async (page) => {
    await getButton(page, 'LOG IN').click()
    await reads(page, 'This field is required.')
  }),
  anonymousScreen('login refused, the password shown', '/login/', async (page) => {
    await logIn(page, { email: newEmail(), password: 'not it 1' })
    await reads(page, 'Please enter a correct email address and password.')
    await getButton(page, 'Show password').click()
  }),
  anonymousScreen('login tried too often', '/login/', async (page) => {
    await mockResponse(page, '**/api/account/login/', 429)
    await logIn(page, { email: newEmail(), password: 'not it 1' })
    await reads(page, 'Too many requests. Please try again shortly.')
  }),
  anonymousScreen('login under way', '/login/', async (page) => {
    await hold(page, '**/api/account/login/')
    await logIn(page, { email: newEmail(), password: 'not it 1' })
    await page.getByRole('button', { name: 'Logging in' }).waitFor()
  }),

  anonymousScreen('forgot password', '/forgot-password/'),
  anonymousScreen('forgot password, no address', '/forgot-password/', async (page) => {
    await enter(page, 'Email', 'ana@')
    await reads(page, 'Please enter a valid email address.')
  }),
  anonymousScreen('forgot password, asked', '/forgot-password/', async (page) => {
    await getField(page, 'Email').fill(newEmail())
    await getButton(page, 'SEND LINK').click()
    await reads(page, 'If that address has an account')
  }),
  screenFromLink('password reset', '/password-reset/a/b', createNoOwner, {
    link: async (_, { world }) => (await requestResetLink(world, (await makeCustomer(world)).email)).url,
  }),
  screenFromLink('password reset, a PIN is asked for', '/password-reset/a/b', createNoOwner, {
    link: async (_, { world }) =>
      (await requestResetLink(world, (await makeCustomer(world, { verified: false, services: 1 })).email)).url,
    act: async (page) => {
      await setPassword(page, 'weka 333')
      await reads(page, 'We’ve sent a One-Time PIN to your number ending')
    },
  }),
  anonymousScreen('password reset with faults', '/password-reset/a/b', async (page) => {
    await enter(page, 'New password', 'tui 1')
    await enter(page, 'Confirm new password', 'kereru 23')
    await reads(page, "The two password fields don't match.")
  }),
  anonymousScreen('password reset, the link is no good', '/password-reset/a/b', async (page) => {
    await setPassword(page, 'weka 333')
    await reads(page, 'This link is no longer valid.')
  }),

  openedScreen('verify', '/verify/', unconfirmed),
  openedScreen('verify, sent again', '/verify/', unconfirmed, async (page) => {
    await getButton(page, 'RESEND').click()
    await reads(page, 'Email resent. Please check your inbox.')
  }),
  openedScreen('verify, sent too often', '/verify/', unconfirmed, async (page) => {
    await mockResponse(page, '**/resend_verification/', 429)
    await getButton(page, 'RESEND').click()
    await reads(page, 'Too many requests.')
  }),
  preparedScreen('verify, confirming', '/verify/?token=abc', createNoOwner, {
    prepare: (page) => hold(page, '**/verify_email/'),
    act: (page) => reads(page, 'One moment'),
  }),
  screenFromLink(
    'verify, confirmed while signed in',
    '/verify/',
    ({ world }) => makeCustomer(world, { verified: false }),
    {
      link: linkAgain,
      act: (page) => getLink(page, 'Go to my dashboard').waitFor(),
    },
  ),
  screenFromLink('verify, confirmed with the password', '/verify/', createNoOwner, {
    link: linkOfAnotherAccount,
    act: async (page) => {
      await getField(page, 'Password chosen for this number').fill(usualPassword)
      await getButton(page, 'CONFIRM').click()
      await getLink(page, 'LOG IN').waitFor()
    },
  }),
  screenFromLink('verify, the password is asked for', '/verify/', createNoOwner, {
    link: linkOfAnotherAccount,
    act: (page) => getButton(page, 'This wasn’t me').waitFor(),
  }),
  screenFromLink('verify, the password is wrong', '/verify/', createNoOwner, {
    link: linkOfAnotherAccount,
    act: async (page) => {
      await getField(page, 'Password chosen for this number').fill('not it 1')
      await getButton(page, 'CONFIRM').click()
      await reads(page, 'That isn’t the password you chose')
    },
  }),
  screenFromLink('verify, it was another person', '/verify/', createNoOwner, {
    link: linkOfAnotherAccount,
    act: async (page) => {
      await getButton(page, 'This wasn’t me').click()
      await reads(page, 'We won’t email you about that account')
    },
  }),
  screenFromLink('verify, the address has an account', '/verify/', createNoOwner, {
    link: linkOfASecondAccount,
    act: (page) => getField(page, 'Password for your existing account').waitFor(),
  }),
  preparedScreen('verify, nothing is known of the link', '/verify/?token=abc', createNoOwner, {
    prepare: async (page) => {
      await page.route('**/verify_email/', (route) =>
        route.fulfill({ status: 400, json: { password: ['Please enter the password.'] } }),
      )
      await mockResponse(page, '**/verify_email/about/', 500)
    },
    act: (page) => getButton(page, 'Try Again').waitFor(),
  }),
  anonymousScreen('verify, the link is no good', '/verify/?token=abc', (page) =>
    reads(page, 'This link is no longer valid.'),
  ),
  openedScreen('verify, the link is no good, signed in', '/verify/?token=abc', unconfirmed, (page) =>
    reads(page, 'This link is no longer valid.'),
  ),
  preparedScreen('verify, no answer', '/verify/?token=abc', createNoOwner, {
    prepare: (page) => mockResponse(page, '**/verify_email/', 500),
    act: (page) => getButton(page, 'Try Again').waitFor(),
  }),

  anonymousScreen('use voucher', '/use-voucher/V/'),
  openedScreen('use voucher, signed in', '/use-voucher/V/', customer),
  screenFromLink('use voucher, used up', '/use-voucher/X/', createNoOwner, {
    link: async (_, stage) => `/use-voucher/${await spent(stage)}/`,
    act: (page) => reads(page, 'This voucher has already been used.'),
  }),
  anonymousScreen('use voucher, invalid', '/use-voucher/ABCDEFGHJKLM/', (page) =>
    reads(page, 'This voucher code is not valid.'),
  ),
  anonymousScreen('use voucher, half a code', '/use-voucher/ABC/'),
  anonymousScreen('use voucher, no answer', '/use-voucher/ABC/', async (page) => {
    await mockResponse(page, '**/api/vouchers/**', 500)
    await page.getByRole('textbox', { name: 'Voucher Code' }).fill('ABCDEFGHJKLM')
    await getButton(page, 'Try Again').waitFor()
  }),
  anonymousScreen('use voucher, not looked up yet', '/use-voucher/ABC/', async (page) => {
    await hold(page, '**/api/vouchers/**')
    await page.getByRole('textbox', { name: 'Voucher Code' }).fill('ABCDEFGHJKLM')
    await reads(page, 'Checking your code')
  }),

  ...['foundations', 'controls', 'forms', 'feedback', 'screens'].map((part) =>
    anonymousScreen(`style guide, ${part}`, `/styleguide/?part=${part}`, (page) =>
      page.getByRole('region').first().waitFor(),
    ),
  ),
]
