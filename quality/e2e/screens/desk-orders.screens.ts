import type { Page } from 'playwright-core'
import { askedFor, delivered, held, known, refunded } from './desk-people.ts'
import { atDesk, failed } from './desk-ways.ts'
import type { Screen, Stage } from './screen.ts'

const at = '/orders/FT00000000/'
const pathOf = (code: string): string => `/orders/${code}/`

async function some(stage: Stage): Promise<void> {
  for (const make of [delivered, refunded, askedFor, held]) await make(stage)
}

const drawer = (press: RegExp) => async (page: Page) => {
  await page.getByRole('button', { name: press }).first().click()
  await page.getByRole('dialog').waitFor()
}

const give = async (page: Page, amount: string) => {
  await page.getByRole('button', { name: /^Refund/ }).click()
  await page.getByRole('dialog').getByLabel('Amount').fill(amount)
}

export const orderScreens: Screen[] = [
  atDesk('orders', { at: '/orders/', make: some }),
  atDesk('orders, those that are held', { at: '/orders/', make: some, path: () => '/orders/?of=held' }),
  failed('orders, failed', '**/api/desk/orders/**', { at: '/orders/' }),
  atDesk('order', { at, make: delivered, path: pathOf }),
  atDesk('order, its customer known', { at, make: known, path: ({ service }) => pathOf(service.orderCode) }),
  atDesk('order, a part given back', { at, make: refunded, path: pathOf }),
  atDesk('order, a refund asked for', { at, make: askedFor, path: pathOf }),
  atDesk('order, a refund within the limit', { at, make: delivered, path: pathOf, act: (page) => give(page, '5.00') }),
  atDesk('order, a refund that needs a second person', {
    at,
    make: delivered,
    path: pathOf,
    act: (page) => give(page, '11.00'),
  }),
  atDesk('order, a refund with faults', {
    at,
    make: delivered,
    path: pathOf,
    async act(page) {
      await give(page, '99.00')
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(Refund|Request approval)/ })
        .click()
      await page.getByRole('dialog').getByText('Please').first().waitFor()
    },
  }),
  atDesk('order, held', { at, make: held, path: pathOf }),
  atDesk('order, to try again', { at, make: held, path: pathOf, act: drawer(/^Try again/) }),
  atDesk('order, to take back', { at, make: held, path: pathOf, act: drawer(/^Cancel order/) }),
  failed('order, failed', '**/api/desk/orders/**', { at, make: delivered, path: pathOf }),
]
