import type { Page } from 'playwright-core'
import type { Service } from '#features/services/services.contract.ts'
import { createRenewingCustomer } from '#quality/support/auto-renewal.ts'
import { type Customer, makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { getButton, enter, getField, reads } from '../account.ts'
import { wizard } from '../wizard.ts'
import { editResponse, hold } from './page-calls.ts'
import { subscriber, customerWithoutService } from './people.ts'
import type { Screen, Stage } from './screen.ts'
import { openedScreen, screenByNavigation } from './screen-builders.ts'

const card = '/account/payment-method/'

async function withOldCard({ world }: Stage): Promise<Customer> {
  const customer = await makeSubscriber(world, { card: true })
  await world.db.updateTable('saved_cards').set({ expiry: '01/2020' }).where('user_id', '=', customer.id).execute()
  return customer
}

const cardForm = async (page: Page): Promise<void> => {
  await getButton(page, 'ADD CREDIT CARD').click()
  await getField(page, 'Card number').waitFor()
}

const askToRemove = async (page: Page): Promise<void> => {
  await getButton(page, 'Remove card').click()
  await page.getByRole('dialog', { name: 'Remove Visa ending 1111?' }).waitFor()
}

const renewing = async ({ world }: Stage): Promise<Customer> => (await createRenewingCustomer(world)).customer

export const cardScreens: Screen[] = [
  openedScreen('card saved', card, subscriber),
  screenByNavigation('card saved, what it pays for next', card, subscriber, {
    prepare: (page) =>
      editResponse<Record<string, Service>>(page, '**/api/services/', (services) =>
        Object.fromEntries(
          Object.entries(services).map(([uuid, service]) => [
            uuid,
            { ...service, outlook: { ...service.outlook, card_charge: 'on 10 Jan 2027: $109.65' } },
          ]),
        ),
      ),
    act: (page) => reads(page, 'Pays for'),
  }),
  openedScreen('no card saved', card, customerWithoutService),
  openedScreen('card form', card, customerWithoutService, cardForm),
  openedScreen('card form with faults', card, customerWithoutService, async (page) => {
    await cardForm(page)
    await enter(page, 'Card number', '4111 1111 1111 1112')
    await enter(page, 'Expiry', '13 / 20')
    await reads(page, 'Please enter a valid credit card number.')
  }),
  openedScreen('card form, another type', card, subscriber, async (page) => {
    await getButton(page, 'UPDATE CARD').click()
    await getField(page, 'Card number').fill('3700 000000 00002')
  }),
  openedScreen(
    'card declined',
    card,
    (stage) => makeCustomer(stage.world),
    async (page) => {
      await cardForm(page)
      await wizard.card(page, 'DECLINED')
      await getButton(page, 'SAVE CARD').click()
      await reads(page, 'Your bank declined this card.')
    },
  ),
  openedScreen(
    'card updated',
    card,
    (stage) => makeCustomer(stage.world),
    async (page) => {
      await cardForm(page)
      await wizard.card(page, 'Wh'.repeat(40))
      await getButton(page, 'SAVE CARD').click()
      await reads(page, "Thank you, we've updated your payment details.")
    },
  ),
  openedScreen('card being saved', card, customerWithoutService, async (page) => {
    await hold(page, '**/update_payment/')
    await cardForm(page)
    await wizard.card(page)
    await getButton(page, 'SAVE CARD').click()
    await page.getByRole('button', { name: 'SAVING' }).waitFor()
  }),
  openedScreen('card removal', card, subscriber, askToRemove),
  openedScreen('card removal with auto-renewal', card, renewing, async (page) => {
    await askToRemove(page)
    await reads(page, 'will have no card to charge.')
  }),
  openedScreen(
    'card removed',
    card,
    ({ world }) => makeSubscriber(world, { card: true }),
    async (page) => {
      await askToRemove(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Remove card' }).click()
      await reads(page, 'Your card has been removed.')
    },
  ),
  openedScreen('card form, a type that is not taken', card, customerWithoutService, async (page) => {
    await cardForm(page)
    await enter(page, 'Card number', '3600 6666 3333 44')
    await getField(page, 'Name on card').focus()
    await reads(page, 'We can’t take this type of card.')
  }),
  openedScreen('card expired', card, withOldCard, (page) => reads(page, 'Your saved card has expired')),
]
