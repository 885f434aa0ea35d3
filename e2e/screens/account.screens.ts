import type { Page } from 'playwright-core'
import { type Customer, makeCustomer, makeSubscriber } from '#testing/customer.ts'
import { makeEmailChanger } from '#testing/email-changer.ts'
import { button, enter, labelled, mailedLink, reads } from '../account.ts'
import { wizard } from '../wizard.ts'
import { answer, cut, hold } from './calls.ts'
import { heavyUser, longEmail, subscriber, withoutService } from './people.ts'
import type { Screen, Stage } from './screen.ts'
import { securityScreens } from './security.screens.ts'
import { followed, opened, reached } from './ways.ts'

const details = '/account/contact-details/'
const changeEmail = `${details}change-email/`
const card = '/account/payment-method/'
const password = '/account/change-password/'

/** A customer who has asked for their second number to be their contact phone. */
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

/** A customer who has asked for another address, and entered their PIN when `proven`. */
async function emailChanger({ world }: Stage, { proven = false, wanted = undefined as string | undefined } = {}) {
  const changer = await makeEmailChanger(world, { services: 1, ...(wanted && { wanted }) })
  await changer.ask()
  if (proven) await changer.enter(await changer.pin())
  return changer
}

/** A customer whose saved card has expired. */
async function withOldCard({ world }: Stage): Promise<Customer> {
  const customer = await makeSubscriber(world, { card: true })
  await world.db.updateTable('saved_cards').set({ expiry: '01/2020' }).where('user_id', '=', customer.id).execute()
  return customer
}

/** As if a customer had entered their password two days ago. */
const passwordLongAgo = ({ world }: Stage, { id }: Customer) =>
  world.db
    .updateTable('sessions')
    .set({ authenticated_at: new Date(Date.now() - 2 * 86_400_000) })
    .where('user_id', '=', id)
    .execute()

const step = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 2, name, exact: true }).waitFor()

const cardForm = async (page: Page): Promise<void> => {
  await button(page, 'ADD CREDIT CARD').click()
  await labelled(page, 'Card number').waitFor()
}

/** The account area. */
export const accountScreens: Screen[] = [
  { ...opened('account', '/account/', subscriber), leadsTo: details },
  opened('contact details, all as long as it may be', details, heavyUser),
  opened('contact details, no number', details, withoutService),
  opened('contact details with faults', details, subscriber, async (page) => {
    await enter(page, 'First name', '')
    await enter(page, 'Last name', '')
    await reads(page, 'This field is required.')
  }),
  opened(
    'contact details saved',
    details,
    (stage) => makeSubscriber(stage.world),
    async (page) => {
      await labelled(page, 'Last name').fill('Te Awa')
      await button(page, 'SAVE').click()
      await reads(page, 'Thank you, we’ve updated your details.')
    },
  ),
  opened('contact details, no network', details, subscriber, async (page) => {
    await cut(page, '**/update_details/')
    await button(page, 'SAVE').click()
    await reads(page, 'Sorry, there was an unexpected error.')
  }),
  opened(
    'contact details, the password asked again',
    details,
    (stage) => makeCustomer(stage.world, { services: 2 }),
    async (page, customer, stage) => {
      await passwordLongAgo(stage, customer)
      await page.getByRole('combobox', { name: 'Phone' }).selectOption(customer.services[1]?.msisdn ?? '')
      await button(page, 'SAVE').click()
      await reads(page, 'Please enter your current password.')
    },
  ),
  opened('contact details, a number to confirm', details, phoneChanger, (page) => reads(page, 'is not confirmed yet')),
  reached(
    'contact details, numbers not loaded',
    details,
    subscriber,
    (page) => answer(page, '**/api/services/', 500),
    (page) => page.getByRole('button', { name: /try again/i }).waitFor(),
  ),
  opened('phone to confirm', `${details}phone-confirm/`, phoneChanger),
  opened('phone to confirm, sent again', `${details}phone-confirm/`, phoneChanger, async (page) => {
    await button(page, 'RESEND').click()
    await reads(page, 'Email resent.')
  }),
  followed(
    'phone confirmed',
    `${details}phone-success/`,
    phoneChanger,
    ({ email }, { world }) => mailedLink(world, email, '/phone-success/'),
    (page) => reads(page, 'Thank you, your contact phone number is confirmed.'),
  ),
  opened('phone, the link is no good', `${details}phone-success/?token=abc`, phoneChanger, (page) =>
    reads(page, 'This link is no longer valid.'),
  ),
  opened('phone, after a reload', `${details}phone-success/`, subscriber),

  opened('change email', changeEmail, heavyUser),
  opened('change email, unconfirmed', changeEmail, (stage) => makeCustomer(stage.world, { verified: false })),
  opened('change email with a fault', changeEmail, subscriber, async (page) => {
    await enter(page, 'New email address', 'mere@')
    await reads(page, 'Please enter a valid email address.')
  }),
  opened(
    'change email, the password asked again',
    changeEmail,
    (stage) => makeCustomer(stage.world),
    async (page, customer, stage) => {
      await passwordLongAgo(stage, customer)
      await labelled(page, 'New email address').fill('mere@example.nz')
      await button(page, 'CONTINUE').click()
      await reads(page, 'Please enter your current password.')
    },
  ),
  opened(
    'change email, the PIN',
    changeEmail,
    (stage) => emailChanger(stage, { wanted: longEmail() }),
    (page) => step(page, 'Enter your One-Time PIN'),
  ),
  opened('change email, a wrong PIN', changeEmail, emailChanger, async (page) => {
    await labelled(page, 'One-Time PIN').fill('000000')
    await button(page, 'CONTINUE').click()
    await reads(page, 'That One-Time PIN is not right.')
  }),
  opened('change email, the PIN sent again', changeEmail, emailChanger, async (page) => {
    await button(page, 'RESEND PIN').click()
    await reads(page, 'We’ve sent you a new One-Time PIN.')
  }),
  reached(
    'change email, the PIN has expired',
    changeEmail,
    subscriber,
    (page) =>
      answer(page, '**/update_email/', 200, { state: 'EXPIRED', new_email: 'mere@example.nz', sent_to: '•••• 142' }),
    (page) => reads(page, 'Your One-Time PIN has expired'),
  ),
  opened(
    'change email, the link',
    changeEmail,
    (stage) => emailChanger(stage, { proven: true }),
    (page) => step(page, 'Check your inbox'),
  ),
  followed(
    'change email, done',
    changeEmail,
    (stage) => emailChanger(stage, { proven: true }),
    async (changer) => `${changeEmail}?token=${await changer.token()}`,
    (page) => step(page, 'Your email address is changed'),
  ),
  opened('change email, the link is no good', `${changeEmail}?token=abc`, subscriber, (page) =>
    reads(page, 'This link is no longer valid.'),
  ),
  reached(
    'change email, stopped',
    changeEmail,
    subscriber,
    (page) => answer(page, '**/update_email/', 200, { state: 'CANCELED', new_email: 'mere@example.nz', sent_to: '' }),
    (page) => step(page, 'This change has been stopped'),
  ),
  reached(
    'change email, state unknown',
    changeEmail,
    subscriber,
    (page) => answer(page, '**/update_email/', 500),
    (page) => page.getByRole('button', { name: /try again/i }).waitFor(),
  ),

  opened('card saved', card, subscriber),
  opened('no card saved', card, withoutService),
  opened('card form', card, withoutService, cardForm),
  opened('card form with faults', card, withoutService, async (page) => {
    await cardForm(page)
    await enter(page, 'Card number', '4111 1111 1111 1112')
    await enter(page, 'Expiry', '13 / 20')
    await reads(page, 'Please enter a valid credit card number.')
  }),
  opened('card form, another type', card, subscriber, async (page) => {
    await button(page, 'UPDATE CARD').click()
    await labelled(page, 'Card number').fill('3700 000000 00002')
  }),
  opened(
    'card declined',
    card,
    (stage) => makeCustomer(stage.world),
    async (page) => {
      await cardForm(page)
      await wizard.card(page, 'DECLINED')
      await button(page, 'SAVE CARD').click()
      await reads(page, 'Your card was declined.')
    },
  ),
  opened(
    'card updated',
    card,
    (stage) => makeCustomer(stage.world),
    async (page) => {
      await cardForm(page)
      await wizard.card(page, 'Wh'.repeat(40))
      await button(page, 'SAVE CARD').click()
      await reads(page, "Thank you, we've updated your payment details.")
    },
  ),
  opened('card being saved', card, withoutService, async (page) => {
    await hold(page, '**/update_payment/')
    await cardForm(page)
    await wizard.card(page)
    await button(page, 'SAVE CARD').click()
    await page.getByRole('button', { name: 'SAVING' }).waitFor()
  }),
  opened('card expired', card, withOldCard, (page) => reads(page, 'Your saved card has expired')),

  opened('change password', password, subscriber),
  opened('change password with faults', password, subscriber, async (page) => {
    await button(page, 'CHANGE PASSWORD').click()
    await enter(page, 'New password', 'tui 1')
    await enter(page, 'Confirm new password', 'kereru 23')
    await reads(page, "The two password fields didn't match.")
  }),
  opened(
    'password changed',
    password,
    (stage) => makeCustomer(stage.world, { password: 'korimako 1' }),
    async (page) => {
      await labelled(page, 'Current password').fill('korimako 1')
      await labelled(page, 'New password').fill('kereru 22')
      await labelled(page, 'Confirm new password').fill('kereru 22')
      await button(page, 'CHANGE PASSWORD').click()
      await reads(page, 'Thank you, we’ve changed your password.')
    },
  ),

  ...securityScreens,
]
