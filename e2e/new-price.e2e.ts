import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { makeSubscriber } from '#testing/customer.ts'
import { faultsWhenQuiet } from '#testing/reconciliation.ts'
import { newEmail } from '#testing/world.ts'
import { openAs, reads } from './account.ts'
import { loseFirstAnswer, purchasesOf, shop } from './buying.ts'
import { expectNoSideways, usePortal } from './portal.ts'
import { walkToCheckout, wizard } from './wizard.ts'

const portal = usePortal()
const world = () => portal.world()

const setPrice = (product: string, price_cents: number) =>
  world().db.updateTable('products').set({ price_cents }).where('unique_id', '=', product).execute()
const subscriber = () => makeSubscriber(world(), { card: true })

afterEach(async () => {
  for (const [product, cents] of [
    ['plan-30-5gb', 2200],
    ['extra-2gb', 1000],
  ] as const)
    await setPrice(product, cents)
})

/** What a reader is told, and where they are then: at that, which they see. */
async function expectTold(page: Page, sentence: string): Promise<void> {
  const alert = page.getByRole('alert')
  await alert.filter({ hasText: sentence }).waitFor()
  await expect.poll(() => alert.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(
    await alert.evaluate((element) => {
      const { top, bottom, left, width } = element.getBoundingClientRect()
      const middle = document.elementFromPoint(left + width / 2, (top + bottom) / 2)
      return top >= 0 && bottom <= innerHeight && element.contains(middle)
    }),
  ).toBe(true)
  await expectNoSideways(page)
}

test('the price of an activation changes: it is told and shown, and one more press pays it', async () => {
  const page = await portal.open('phone')
  const email = newEmail()
  await walkToCheckout(page, await world().newSim(), email)
  await wizard.card(page)
  await page.getByRole('button', { name: 'ACTIVATE · PAY $22.00' }).waitFor()
  await setPrice('plan-30-5gb', 2900)
  await wizard.activate(page)
  await expectTold(page, 'It costs $29.00 now, not $22.00. Nothing was charged.')
  expect(await page.getByRole('textbox', { name: 'Card number' }).inputValue()).toBe('4111 1111 1111 1111')
  expect(await page.getByText('$22.00', { exact: true }).count()).toBe(0)
  const { db } = world()
  const ordersOf = () => db.selectFrom('orders').select(['amount_cents', 'state']).where('email', '=', email).execute()
  expect(await ordersOf()).toEqual([])
  await page.getByRole('button', { name: 'ACTIVATE · PAY $29.00' }).click()
  await wizard.success(page)
  expect(await ordersOf()).toEqual([{ amount_cents: 2900, state: 'completed' }])
})

test('the price of a renewal changes: it is told and shown, and one more press pays it', async () => {
  const customer = await subscriber()
  const page = await openAs(portal, 'phone', customer)
  await shop.renewal(page, customer.service)
  await shop.startNow(page)
  await setPrice('plan-30-5gb', 2900)
  await shop.renewWithSaved(page)
  await expectTold(page, '5 GB Prepay Plan costs $29.00 now, not $22.00. Nothing was charged.')
  expect(await page.getByRole('radio', { name: 'Now', exact: true }).isChecked()).toBe(true)
  await reads(page, '$29.00')
  expect(await page.getByText('$22.00', { exact: true }).count()).toBe(0)
  expect(await purchasesOf(world(), customer.service)).toEqual([])
  await shop.renewWithSaved(page)
  await shop.renewed(page)
  expect(await purchasesOf(world(), customer.service)).toEqual(['recharge completed 2900'])
})

test('the price of an Add-On changes: it is told and shown, and one more press pays it', async () => {
  const customer = await subscriber()
  const page = await openAs(portal, 'phone', customer)
  await shop.addOn(page, customer.service, /^Extra 2 GB/)
  await shop.anotherCard(page)
  await setPrice('extra-2gb', 1200)
  await shop.confirmAndPay(page)
  await expectTold(page, 'Extra 2 GB costs $12.00 now, not $10.00. Nothing was charged.')
  expect(await page.getByRole('textbox', { name: 'Name on card' }).inputValue()).toBe('Ana Rewi')
  await reads(page, '$12.00')
  expect(await purchasesOf(world(), customer.service)).toEqual([])
  await shop.confirmAndPay(page)
  await shop.gotAddOn(page, customer.service)
  expect(await purchasesOf(world(), customer.service)).toEqual(['addon completed 1200'])
})

test('an order whose answer was lost is answered at the price it was made at, whatever it costs by then', async () => {
  const customer = await subscriber()
  const page = await openAs(portal, 'phone', customer)
  await shop.addOn(page, customer.service, /^Extra 2 GB/)
  await loseFirstAnswer(page, '**/api/orders/addons/')
  await shop.confirmAndPay(page)
  await reads(page, 'Sorry, there was an unexpected error.')
  await setPrice('extra-2gb', 1200)
  await shop.confirmAndPay(page)
  await shop.gotAddOn(page, customer.service)
  expect(await purchasesOf(world(), customer.service)).toEqual(['addon completed 1000'])
})

test('and in the end all books agree', async () => expect(await faultsWhenQuiet(world())).toEqual([]))
