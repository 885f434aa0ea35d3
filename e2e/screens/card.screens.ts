import type { Page } from 'playwright-core'
import { type Customer, makeCustomer, makeSubscriber } from '#testing/customer.ts'
import { button, enter, labelled, reads } from '../account.ts'
import { wizard } from '../wizard.ts'
import { hold } from './calls.ts'
import { subscriber, withoutService } from './people.ts'
import type { Screen, Stage } from './screen.ts'
import { opened } from './ways.ts'

const card = '/account/payment-method/'

/** A customer whose saved card has expired. */
async function withOldCard({ world }: Stage): Promise<Customer> {
  const customer = await makeSubscriber(world, { card: true })
  await world.db.updateTable('saved_cards').set({ expiry: '01/2020' }).where('user_id', '=', customer.id).execute()
  return customer
}

const cardForm = async (page: Page): Promise<void> => {
  await button(page, 'ADD CREDIT CARD').click()
  await labelled(page, 'Card number').waitFor()
}

/** The saved card. */
export const cardScreens: Screen[] = [
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
]
