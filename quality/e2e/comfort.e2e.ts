import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { setWebhookMode } from '#quality/support/simulators.ts'
import { newEmail } from '#quality/support/world.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { touchPhone } from './account.ts'
import { dropFirstResponse } from './purchase-steps.ts'
import { expectFaults, expectNoOverflow, usePortal } from './use-portal.ts'
import { expectHeading, walkToCheckout, wizard } from './wizard.ts'

const portal = usePortal()

const ordersOf = (email: string) =>
  portal.world().db.selectFrom('orders').selectAll().where('email', '=', email).execute()

async function chargesOf(email: string): Promise<number[]> {
  const codes = (await ordersOf(email)).map((order) => order.order_code)
  const { gateway } = await portal.world().ledgers()
  return gateway
    .filter((line) => codes.some((code) => line.reference.startsWith(code)) && line.captured > 0)
    .map((line) => line.captured)
}

test('a payment whose response was lost is found after a reload, and is charged only once', async () => {
  const page = await portal.open('phone')
  const email = newEmail()
  await walkToCheckout(page, await portal.world().newSim(), email)
  await dropFirstResponse(page, '**/api/activate/pay/')
  await wizard.card(page)
  await wizard.activate(page)
  await page.getByText('Sorry, there was an unexpected error. Please refresh and try again.').waitFor()
  await page.reload()
  await wizard.success(page)
  expect(await chargesOf(email)).toEqual([2_200])
})

const setPrice = (price_cents: number) =>
  portal.world().db.updateTable('products').set({ price_cents }).where('unique_id', '=', 'plan-30-5gb').execute()

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
  await expectNoOverflow(page)
}

test('if the price of an activation changes, the new price is shown, and is charged only if the button is pressed again', async () => {
  const page = await portal.open('phone')
  const email = newEmail()
  await walkToCheckout(page, await portal.world().newSim(), email)
  await wizard.card(page)
  await page.getByRole('button', { name: 'ACTIVATE · PAY $22.00' }).waitFor()
  onTestFinished(async () => void (await setPrice(2_200)))
  await setPrice(2_900)
  await wizard.activate(page)
  await expectTold(page, 'It costs $29.00 now, not $22.00. Nothing was charged.')
  expect(await page.getByRole('textbox', { name: 'Card number' }).inputValue()).toBe('4111 1111 1111 1111')
  expect(await page.getByText('$22.00', { exact: true }).count()).toBe(0)
  expect(await ordersOf(email)).toEqual([])
  await page.getByRole('button', { name: 'ACTIVATE · PAY $29.00' }).click()
  await wizard.success(page)
  await expect.poll(() => ordersOf(email)).toMatchObject([{ amount_cents: 2900, state: 'completed' }])
})

test('a customer who reloads the page while a payment is pending sees its outcome without paying again', async () => {
  const page = await portal.open('phone')
  const email = newEmail()
  await walkToCheckout(page, await portal.world().newSim(), email)
  await wizard.card(page, 'PENDING')
  await setWebhookMode(portal.world(), { mode: 'hold' })
  await wizard.activate(page)
  await page.getByText('We’re confirming your payment…').waitFor()
  await page.reload()
  await page.getByText('We’re confirming your payment…').waitFor()
  await setWebhookMode(portal.world(), { mode: 'normal', release: true })
  await wizard.success(page)
  expect(await chargesOf(email)).toEqual([2_200])
})

test('the BACK button goes back through every step of the activation, and the order reflects the changed input', async () => {
  const page = await portal.open('desktop')
  const email = newEmail()
  const back = () => page.getByRole('button', { name: 'BACK' }).click()
  await wizard.simPack(page, await portal.world().newSim(), { porting: true })
  await wizard.porting(page, { msisdn: '027 555 0113', provider: 'Skinny', account: 'A1' })
  await wizard.signup(page, { email: newEmail() })
  await wizard.buyNow(page)
  await wizard.choosePlan(page, /^5 GB/)
  await page.getByRole('textbox', { name: 'Card number' }).waitFor()

  await back()
  await page.getByRole('radio', { name: /^5 GB/ }).first().waitFor()
  await back()
  await page.getByRole('radio', { name: 'Buy a Prepay Plan now' }).waitFor()
  await back()
  await expectHeading(page, 'Your Personal Details')
  await back()
  await expectHeading(page, 'Number Transfer Details')
  expect(await page.getByRole('textbox', { name: 'Phone Number you want to bring' }).inputValue()).toBe('027 555 0113')
  await back()
  await page.getByRole('textbox', { name: 'Phone Number on the SIM pack' }).waitFor()

  await walkToCheckout(page, await portal.world().newSim(), email)
  await page.getByText(email).first().waitFor()
  await wizard.card(page)
  await wizard.activate(page)
  await wizard.success(page)
  expect((await ordersOf(email)).map((order) => order.porting)).toEqual([null])
})

test('after a reload or in a second tab, the activation continues at the visitor’s current step', async () => {
  const page = await portal.open('desktop')
  const sim = await portal.world().newSim()
  await wizard.simPack(page, sim)
  await expectHeading(page, 'Your Personal Details')
  await page.getByRole('textbox', { name: 'Full name' }).fill('Ana Rewi')
  await page.reload()
  await expectHeading(page, 'Your Personal Details')
  expect(await page.getByRole('textbox', { name: 'Full name' }).inputValue()).toBe('Ana Rewi')

  const tab = await page.context().newPage()
  await tab.goto('/activate/')
  await expectHeading(tab, 'Your Personal Details')
  await wizard.signup(tab, { email: newEmail() })
  await tab.getByRole('radio', { name: 'Buy a Prepay Plan now' }).waitFor()

  // The first tab is one step behind, but the server accepts its form because the same step is simply repeated.
  await wizard.signup(page, { email: newEmail() })
  await page.getByRole('radio', { name: 'Buy a Prepay Plan now' }).waitFor()
  await page.goto('/activate/checkout/')
  await page.waitForURL('**/activate/method/')
})

test('the activation form keeps typed input, but sends nothing until its script has loaded', async () => {
  const page = await portal.open('phone')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${request.url()}`)
  })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/static/build/**/*.js', async (route) => {
    await released
    await route.continue()
  })
  await page.goto('/activate/', { waitUntil: 'commit' })
  const number = page.getByRole('textbox', { name: 'Phone Number on the SIM pack' })
  await number.fill('021 555 0142')
  await number.press('Enter')
  await page.getByRole('radio', { name: /^No, use/ }).check()
  expect(await page.getByRole('button', { name: 'START' }).isDisabled()).toBe(true)
  expect(sent).toEqual([])
  release()
  await pollUntil(async () => page.getByRole('button', { name: 'START' }).isEnabled())
  expect(await number.inputValue()).toBe('021 555 0142')
  expect(await page.getByRole('radio', { name: /^No, use/ }).isChecked()).toBe(true)
  expect(sent).toEqual([])
})

test('a card number typed before the script has loaded is not sent', async () => {
  const page = await portal.open('phone')
  await walkToCheckout(page, await portal.world().newSim(), newEmail())
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/static/build/**/*.js', async (route) => {
    await released
    await route.continue()
  })
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.method()} ${request.url()}`))
  await page.reload({ waitUntil: 'commit' })
  const number = page.getByRole('textbox', { name: 'Card number' })
  await number.fill('4111 1111 1111 1111')
  sent.length = 0
  await number.press('Enter')
  expect(await page.locator('input[name*="credit"]').count()).toBe(0)
  expect(sent.filter((line) => !line.includes('/static/'))).toEqual([])
  release()
  await pollUntil(async () => page.getByRole('button', { name: /^ACTIVATE/ }).isEnabled())
  expect(await number.inputValue()).toBe('4111 1111 1111 1111')
})

describe('the question about a mistyped email address, on a phone that is 390 pixels wide', () => {
  async function openSignup() {
    const page = await portal.open('phone', touchPhone)
    await wizard.simPack(page, await portal.world().newSim())
    await expectHeading(page, 'Your Personal Details')
    const email = page.getByRole('textbox', { name: 'Email' })
    const password = page.getByRole('textbox', { name: 'New password' })
    const question = (address: string) => page.getByRole('group', { name: `Did you mean ${address}?` })
    return { page, email, password, question }
  }
  const local = () => newEmail().split('@')[0]!

  test('appears without moving anything, and is answered with a tap', async () => {
    const { page, email, password, question } = await openSignup()
    const name = `${local()}.with-a-very-long-name-that-does-not-fit`
    const places = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('main input, main button[type="submit"]')].map(
          (element) => element.getBoundingClientRect().top + scrollY,
        ),
      )
    const before = await places()
    await email.fill(`${name}@bigpnd.net.au`)
    await password.tap()
    await question(`${name}@bigpond.net.au`).waitFor()
    expect(await page.getByRole('status').filter({ hasText: 'Did you mean' }).count()).toBe(1)
    expect(await places()).toEqual(before)
    await expectNoOverflow(page)
    for (const target of await question(`${name}@bigpond.net.au`).getByRole('button').all()) {
      const { width = 0, height = 0 } = (await target.boundingBox()) ?? {}
      expect([width >= 44, height >= 44]).toEqual([true, true])
    }
    await page.getByRole('button', { name: 'Yes' }).tap()
    expect(await email.inputValue()).toBe(`${name}@bigpond.net.au`)
    expect(await places()).toEqual(before)
    expect(await password.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  test('a person who insists goes on, and is not asked again', async () => {
    const { page, email, password, question } = await openSignup()
    const name = local()
    const typed = `${name}@gmial.com`
    await page.getByRole('textbox', { name: 'Full name' }).fill('Ana Rewi')
    await password.fill('korimako 1')
    await page.getByRole('checkbox').check()
    await email.fill(typed)
    await email.press('Enter')
    await question(`${name}@gmail.com`).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expectHeading(page, 'Choose Your Prepay Plan')
    await page.getByRole('button', { name: 'BACK' }).click()
    await expectHeading(page, 'Your Personal Details')
    expect(await email.inputValue()).toBe(typed)
    await wizard.signup(page, { email: typed })
    await expectHeading(page, 'Choose Your Prepay Plan')
  })

  test('a person whose browser cannot load the code for the question goes on without it', async () => {
    const { page } = await openSignup()
    const isSent = page.waitForRequest('**/api/activate/signup/')
    await page.route('**/static/build/**/*.js', (route) => route.abort())
    expectFaults(page, /ERR_FAILED|failed to load/)
    await wizard.signup(page, { email: `${local()}@gmial.com` })
    expect((await isSent).postDataJSON()).toMatchObject({ email: expect.stringMatching(/@gmial\.com$/) })
  })
})
