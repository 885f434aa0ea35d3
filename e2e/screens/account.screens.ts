import type { Page } from 'playwright-core'
import { type Customer, makeCustomer, makeSubscriber } from '#testing/customer.ts'
import { makeEmailChanger } from '#testing/email-changer.ts'
import { button, enter, labelled, mailedLink, reads } from '../account.ts'
import { wizard } from '../wizard.ts'
import { answer, cut, go, hold, settle } from './calls.ts'
import { heavyUser, longEmail, subscriber, withoutService } from './people.ts'
import type { Screen, Stage } from './screen.ts'

const details = '/account/contact-details/'
const changeEmail = `${details}change-email/`
const card = '/account/payment-method/'
const password = '/account/change-password/'

type Who = (stage: Stage) => Promise<Pick<Customer, 'visitor'>>

const of = (name: string, path: string, who: Who, then?: (page: Page) => Promise<unknown>): Screen => ({
  name,
  at: path,
  async open(stage) {
    const page = await stage.visit(path, await who(stage))
    await then?.(page)
    return page
  },
})

/** From another page, with answers that something happens to. */
const reached = (name: string, path: string, who: Who, meddle: (page: Page) => Promise<unknown>, then?: (page: Page) => Promise<unknown>): Screen => ({
  name,
  at: path,
  async open(stage) {
    const page = await stage.visit(password, await who(stage))
    await meddle(page)
    await go(page, path)
    await settle(page)
    await then?.(page)
    return page
  },
})

/** Somebody who has asked for their second number to be their contact phone. */
async function phoneChanger({ world }: Stage): Promise<Customer> {
  const customer = await makeCustomer(world, { services: 2 })
  const { first_name, last_name, email, services } = customer
  const { status } = await customer.visitor.post('/api/account/update_details/', { first_name, last_name, email, phone: services[1]?.msisdn })
  if (status !== 200) throw new Error(`the change was answered ${status}`)
  return customer
}

/** Somebody who has asked for another address, and entered their PIN when `proven`. */
async function emailChanger({ world }: Stage, { proven = false, wanted = undefined as string | undefined } = {}) {
  const changer = await makeEmailChanger(world, { services: 1, ...(wanted && { wanted }) })
  await changer.ask()
  if (proven) await changer.enter(await changer.pin())
  return changer
}

const step = (page: Page, name: string): Promise<void> => page.getByRole('heading', { level: 2, name, exact: true }).waitFor()

const cardForm = async (page: Page): Promise<void> => {
  await button(page, 'ADD CREDIT CARD').click()
  await labelled(page, 'Card number').waitFor()
}

/** The account area. */
export const accountScreens: Screen[] = [
  { ...of('account', '/account/', subscriber), leadsTo: details },
  of('contact details, all as long as it may be', details, heavyUser),
  of('contact details, no number', details, withoutService),
  of('contact details with faults', details, subscriber, async (page) => {
    await enter(page, 'First name', '')
    await enter(page, 'Last name', '')
    await reads(page, 'This field is required.')
  }),
  of('contact details saved', details, (stage) => makeSubscriber(stage.world), async (page) => {
    await labelled(page, 'Last name').fill('Te Awa')
    await button(page, 'SAVE').click()
    await reads(page, 'Thank you, we’ve updated your details.')
  }),
  of('contact details, no network', details, subscriber, async (page) => {
    await cut(page, '**/update_details/')
    await button(page, 'SAVE').click()
    await reads(page, 'Sorry, there was an unexpected error.')
  }),
  of('contact details, a number to confirm', details, phoneChanger, (page) => reads(page, 'is not confirmed yet')),
  reached('contact details, numbers not loaded', details, subscriber, (page) => answer(page, '**/api/services/', 500), (page) => page.getByRole('button', { name: /try again/i }).waitFor()),
  of('phone to confirm', `${details}phone-confirm/`, phoneChanger),
  of('phone to confirm, sent again', `${details}phone-confirm/`, phoneChanger, async (page) => {
    await button(page, 'RESEND').click()
    await reads(page, 'Email resent.')
  }),
  {
    name: 'phone confirmed',
    at: `${details}phone-success/`,
    async open(stage) {
      const customer = await phoneChanger(stage)
      const page = await stage.enter(customer)
      await page.goto(await mailedLink(stage.world, customer.email, '/phone-success/'))
      await reads(page, 'Thank you, your contact phone number is confirmed.')
      return page
    },
  },
  {
    name: 'phone, the link is no good',
    at: `${details}phone-success/`,
    async open(stage) {
      const page = await stage.visit(`${details}phone-success/?token=abc`, await phoneChanger(stage))
      await reads(page, 'This link is no longer valid.')
      return page
    },
  },
  of('phone, after a reload', `${details}phone-success/`, subscriber),

  of('change email', changeEmail, heavyUser),
  of('change email, unconfirmed', changeEmail, (stage) => makeCustomer(stage.world, { verified: false })),
  of('change email with a fault', changeEmail, subscriber, async (page) => {
    await enter(page, 'New email address', 'mere@')
    await reads(page, 'Please enter a valid email address.')
  }),
  of('change email, the PIN', changeEmail, (stage) => emailChanger(stage, { wanted: longEmail() }), (page) => step(page, 'Enter your One-Time PIN')),
  of('change email, a wrong PIN', changeEmail, emailChanger, async (page) => {
    await labelled(page, 'One-Time PIN').fill('000000')
    await button(page, 'CONTINUE').click()
    await reads(page, 'That One-Time PIN is not right.')
  }),
  of('change email, the PIN sent again', changeEmail, emailChanger, async (page) => {
    await button(page, 'RESEND PIN').click()
    await reads(page, 'We’ve sent you a new One-Time PIN.')
  }),
  reached('change email, the PIN has expired', changeEmail, subscriber, (page) =>
    answer(page, '**/update_email/', 200, { state: 'EXPIRED', new_email: 'mere@example.nz', sent_to: '•••• 142' }), (page) => reads(page, 'Your One-Time PIN has expired')),
  of('change email, the link', changeEmail, (stage) => emailChanger(stage, { proven: true }), (page) => step(page, 'Check your inbox')),
  {
    name: 'change email, done',
    at: changeEmail,
    async open(stage) {
      const changer = await emailChanger(stage, { proven: true })
      const page = await stage.visit(`${changeEmail}?token=${await changer.token()}`, changer)
      await step(page, 'Your email address is changed')
      return page
    },
  },
  {
    name: 'change email, the link is no good',
    at: changeEmail,
    async open(stage) {
      const page = await stage.visit(`${changeEmail}?token=abc`, await subscriber(stage))
      await reads(page, 'This link is no longer valid.')
      return page
    },
  },
  reached('change email, stopped', changeEmail, subscriber, (page) =>
    answer(page, '**/update_email/', 200, { state: 'CANCELED', new_email: 'mere@example.nz', sent_to: '' }), (page) => step(page, 'This change has been stopped')),
  reached('change email, state unknown', changeEmail, subscriber, (page) => answer(page, '**/update_email/', 500), (page) => page.getByRole('button', { name: /try again/i }).waitFor()),

  of('card saved', card, subscriber),
  of('no card saved', card, withoutService),
  of('card form', card, withoutService, cardForm),
  of('card form with faults', card, withoutService, async (page) => {
    await cardForm(page)
    await enter(page, 'Card number', '4111 1111 1111 1112')
    await enter(page, 'Expiry', '13 / 20')
    await reads(page, 'Please enter a valid credit card number.')
  }),
  of('card form, another type', card, subscriber, async (page) => {
    await button(page, 'UPDATE CARD').click()
    await labelled(page, 'Card number').fill('3700 000000 00002')
  }),
  of('card declined', card, (stage) => makeCustomer(stage.world), async (page) => {
    await cardForm(page)
    await wizard.card(page, 'DECLINED')
    await button(page, 'SAVE CARD').click()
    await reads(page, 'Your card was declined.')
  }),
  of('card updated', card, (stage) => makeCustomer(stage.world), async (page) => {
    await cardForm(page)
    await wizard.card(page, 'Wh'.repeat(40))
    await button(page, 'SAVE CARD').click()
    await reads(page, "Thank you, we've updated your payment details.")
  }),
  of('card being saved', card, withoutService, async (page) => {
    await hold(page, '**/update_payment/')
    await cardForm(page)
    await wizard.card(page)
    await button(page, 'SAVE CARD').click()
    await page.getByRole('button', { name: 'SAVING' }).waitFor()
  }),
  {
    name: 'card expired',
    at: card,
    async open(stage) {
      const customer = await makeSubscriber(stage.world, { card: true })
      await stage.world.db.updateTable('saved_cards').set({ expiry: '1/2020' }).where('user_id', '=', customer.id).execute()
      const page = await stage.visit(card, customer)
      await reads(page, 'Your saved card has expired')
      return page
    },
  },

  of('change password', password, subscriber),
  of('change password with faults', password, subscriber, async (page) => {
    await button(page, 'CHANGE PASSWORD').click()
    await enter(page, 'New password', 'tui 1')
    await enter(page, 'Confirm new password', 'kereru 23')
    await reads(page, "The two password fields didn't match.")
  }),
  of('password changed', password, (stage) => makeCustomer(stage.world, { password: 'korimako 1' }), async (page) => {
    await labelled(page, 'Current password').fill('korimako 1')
    await labelled(page, 'New password').fill('kereru 22')
    await labelled(page, 'Confirm new password').fill('kereru 22')
    await button(page, 'CHANGE PASSWORD').click()
    await reads(page, 'Thank you, we’ve changed your password.')
  }),
]
