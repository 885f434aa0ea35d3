import { describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { clearFailures, failNetwork } from '#quality/support/simulators.ts'
import { newEmail } from '#quality/support/world.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { getCountryInputs } from './country-inputs.ts'
import { expectNoOverflow, type Size, usePortal } from './use-portal.ts'
import { expectHeading, walkToCheckout, wizard } from './wizard.ts'

const portal = usePortal()

async function moneyOf(email: string) {
  const { db } = portal.world().deps
  const orders = await db.selectFrom('orders').select('order_code').where('email', '=', email).execute()
  const codes = orders.map((order) => order.order_code)
  const { gateway } = await portal.world().ledgers()
  const lines = gateway.filter((line) => codes.some((code) => line.reference.startsWith(code)))
  const sum = (field: 'authorised' | 'captured' | 'cancelled') => lines.reduce((total, line) => total + line[field], 0)
  return { captured: sum('captured'), open: sum('authorised') - sum('captured') - sum('cancelled') }
}

/** `npm test` runs this journey at only one screen size. */
const journeyOn = (size: Size): string[] => (size === 'phone' ? ['journey'] : [])

describe.each<Size>(['phone', 'desktop'])('activation on a %s', (size) => {
  test(
    'a visitor activates a SIM with a card and confirms their address through the emailed link',
    { tags: journeyOn(size) },
    async () => {
      const page = await portal.open(size)
      const email = newEmail()
      await walkToCheckout(page, await portal.world().newSim(), email)
      await expectNoOverflow(page)
      // The network has not accepted the order yet, so the page must not show any progress.
      await failNetwork(portal.world(), { operation: 'activate', kind: 'error_500', times: 1_000 })
      await wizard.card(page)
      await wizard.activate(page)
      await expectHeading(page, 'Starting... Connecting to the Network')
      await clearFailures(portal.world())
      await wizard.success(page)
      await page.getByText('5 GB Prepay Plan').first().waitFor()
      await expectNoOverflow(page)
      expect(await moneyOf(email)).toEqual({ captured: 2_200, open: 0 })
      const [mail] = await pollUntil(async () => {
        const mails = await portal.world().mailTo(email)
        return mails.length > 0 && mails
      })
      const link = mail?.links.find((url) => url.includes('/verify/'))
      await page.goto(link ?? '')
      await page.getByText('Thank you, your email address is confirmed.').waitFor()
    },
  )
})

// The other journeys are the same at every screen size. `quality/e2e/screens/` checks their pages at each width.

test('nothing is charged for an activation paid with a voucher', { tags: ['journey'] }, async () => {
  const page = await portal.open('phone')
  const email = newEmail()
  const code = await portal.world().newVoucher()
  await wizard.simPack(page, await portal.world().newSim())
  await wizard.signup(page, { email })
  const paid = page.getByText(/Your voucher pays|Paid with your voucher/)
  const voucherCode = page.getByRole('textbox', { name: 'Voucher Code' })
  await page.getByRole('radio', { name: 'I have an email with a Voucher Code' }).check()
  await page.getByText('Enter your code to see the plan it pays for.').waitFor()
  expect(await paid.count()).toBe(0)
  await voucherCode.fill('ABCDEFGHJKLM')
  await page.getByText('This voucher code is not valid.').waitFor()
  expect(await paid.count()).toBe(0)
  await page.reload()
  await page.getByText('This voucher code is not valid.').waitFor()
  expect([await voucherCode.inputValue(), await paid.count()]).toEqual(['ABCDEFGHJKLM', 0])
  await wizard.useVoucher(page, code)
  await page.getByText(/not be charged today/).waitFor()
  await page.getByRole('button', { name: 'BACK' }).click()
  await paid.first().waitFor()
  expect(await voucherCode.inputValue()).toBe(code)
  await page.getByRole('button', { name: 'CONTINUE' }).click()
  await page.getByText(/not be charged today/).waitFor()
  await wizard.activate(page)
  await wizard.success(page)
  expect(await moneyOf(email)).toEqual({ captured: 0, open: 0 })
})

test(
  'an activation can include a number transfer, and an email says when the number has moved',
  { tags: ['journey'] },
  async () => {
    const page = await portal.open('phone')
    const email = newEmail()
    await wizard.simPack(page, await portal.world().newSim(), { porting: true })
    await wizard.porting(page, {
      msisdn: getCountryInputs(portal.world()).number,
      provider: getCountryInputs(portal.world()).provider,
      account: 'A1234567',
    })
    await wizard.signup(page, { email })
    await wizard.buyNow(page)
    await wizard.choosePlan(page, /^5 GB/)
    await wizard.card(page)
    await wizard.activate(page)
    await wizard.success(page)
    await page.getByText(/email/i).first().waitFor()
    await portal.world().advance('PT5H')
    const moved = await pollUntil(async () =>
      (await portal.world().mailTo(email)).find(({ subject }) => subject.includes('is now with')),
    )
    expect(moved.to).toBe(email)
  },
)

test('if a card is declined, the activation page shows an error, and the visitor can then pay with a valid card', async () => {
  const page = await portal.open('phone')
  const email = newEmail()
  await walkToCheckout(page, await portal.world().newSim(), email)
  await wizard.card(page, 'DECLINED')
  await wizard.activate(page)
  await page.getByText('Your bank declined this payment.').waitFor()
  await wizard.card(page)
  await wizard.activate(page)
  await wizard.success(page)
  expect(await moneyOf(email)).toEqual({ captured: 2_200, open: 0 })
})

test('the browser’s back button steps back through the activation, keeps all input, and never causes a second payment', async () => {
  const page = await portal.open('phone')
  const email = newEmail()
  const sim = await portal.world().newSim()
  await walkToCheckout(page, sim, email)
  await page.goBack()
  await expectHeading(page, 'Choose Your Prepay Plan')
  expect(await page.getByRole('radio', { name: /^5 GB/ }).first().isChecked()).toBe(true)
  await page.goBack()
  expect(await page.getByRole('radio', { name: 'Buy a Prepay Plan now' }).isChecked()).toBe(true)
  await page.goBack()
  await expectHeading(page, 'Your Personal Details')
  expect(await page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(email)
  await page.goBack()
  await page.getByRole('button', { name: 'START' }).waitFor()
  expect(await page.getByRole('textbox', { name: 'Phone Number on the SIM pack' }).inputValue()).toBe(
    formatNational(sim.msisdn),
  )
  for (const step of ['signup', 'method', 'plans', 'checkout']) {
    await page.goForward()
    await page.waitForURL(`**/activate/${step}/`)
  }
  await wizard.card(page)
  await wizard.activate(page)
  await wizard.success(page)
  await page.goBack()
  await wizard.success(page)
  expect(await moneyOf(email)).toEqual({ captured: 2_200, open: 0 })
})

test('if the gateway does not respond to a payment, the activation resumes and the card is charged only once', async () => {
  const page = await portal.open('phone')
  const email = newEmail()
  await walkToCheckout(page, await portal.world().newSim(), email)
  const answers: number[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('/api/activate/pay/') || response.url().endsWith('/resume/'))
      answers.push(response.status())
  })
  await wizard.card(page, 'TIMEOUT')
  await wizard.activate(page)
  await wizard.success(page)
  expect(answers[0]).toBe(202)
  expect(await moneyOf(email)).toEqual({ captured: 2_200, open: 0 })
})

test('a SIM that fails to activate the first time is activated when the visitor presses Try Again', async () => {
  const page = await portal.open('phone')
  const email = newEmail()
  await walkToCheckout(page, await portal.world().newSim('fails_once'), email)
  await wizard.card(page)
  await wizard.activate(page)
  await expectHeading(page, 'Something Went Wrong')
  await expectNoOverflow(page)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await wizard.success(page)
  expect(await moneyOf(email)).toEqual({ captured: 2_200, open: 0 })
})

test('if a SIM can never be activated, the visitor pays nothing and can start over', async () => {
  const page = await portal.open('phone')
  const email = newEmail()
  await walkToCheckout(page, await portal.world().newSim('fails_always'), email)
  await wizard.card(page)
  await wizard.activate(page)
  await expectHeading(page, 'Something Went Wrong')
  expect(await moneyOf(email)).toEqual({ captured: 0, open: 0 })
  await page.getByRole('button', { name: 'Try Again' }).click()
  await page.getByRole('textbox', { name: 'Phone Number on the SIM pack' }).waitFor()
})
