import type { Page } from 'playwright-core'
import { requestedRefund, deliveredOrder, held, known, refundedOrder } from './desk-people.ts'
import { deskScreen, failedDeskScreen } from './desk-screen.ts'
import type { Screen, Stage } from './screen.ts'

const at = '/orders/FT00000000/'
const pathOf = (code: string): string => `/orders/${code}/`

async function some(stage: Stage): Promise<void> {
  for (const make of [deliveredOrder, refundedOrder, requestedRefund, held]) await make(stage)
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
  deskScreen('orders', { at: '/orders/', make: some }),
  deskScreen('orders, those that are held', { at: '/orders/', make: some, path: () => '/orders/?of=held' }),
  failedDeskScreen('orders, failed', '**/api/desk/orders/**', { at: '/orders/' }),
  deskScreen('order', { at, make: deliveredOrder, path: pathOf }),
  deskScreen('order, its customer known', { at, make: known, path: ({ service }) => pathOf(service.orderCode) }),
  deskScreen('order, a part given back', { at, make: refundedOrder, path: pathOf }),
  deskScreen('order, a refund asked for', { at, make: requestedRefund, path: pathOf }),
  deskScreen('order, a refund within the limit', {
    at,
    make: deliveredOrder,
    path: pathOf,
    act: (page) => give(page, '5.00'),
  }),
  deskScreen('order, a refund that needs a second person', {
    at,
    make: deliveredOrder,
    path: pathOf,
    act: (page) => give(page, '11.00'),
  }),
  deskScreen('order, a refund with faults', {
    at,
    make: deliveredOrder,
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
  deskScreen('order, held', { at, make: held, path: pathOf }),
  deskScreen('order, to try again', { at, make: held, path: pathOf, act: drawer(/^Try again/) }),
  deskScreen('order, to take back', { at, make: held, path: pathOf, act: drawer(/^Cancel order/) }),
  failedDeskScreen('order, failed', '**/api/desk/orders/**', { at, make: deliveredOrder, path: pathOf }),
]
