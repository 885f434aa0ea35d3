import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { systemActor } from '#kit/server/actor.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { type Customer, type CustomerService, makeCustomer } from '#quality/support/customer.ts'
import { readPdf } from '#quality/support/pdf-text.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail } from '#quality/support/world.ts'
import { waitForPath, getButton, getField, getLink, logIn, openPageAsCustomer, reads } from './account.ts'
import { readPurchases, shop } from './purchase-steps.ts'
import { expectOnAllSizes, getPhoneNumber, says } from './dashboard.ts'
import { expectNoOverflow, type Size, sizes, usePortal } from './use-portal.ts'
import { expectHeading, wizard } from './wizard.ts'
import { resizePage } from './resize-page.ts'

const portal = usePortal()
const world = () => portal.world()

const declined = 'Your bank declined this payment. Nothing was charged. Try another card or call your bank.'
const notice = 'Renewing this Prepay Plan will mean that you lose any data remaining in your current Prepay Plan.'
const otherCard = 'The credit card used on your current plan will not be affected by this purchase.'

async function someone(
  size: Size,
  wishes: Parameters<typeof makeCustomer>[1] = { card: true },
): Promise<{ customer: Customer; service: CustomerService; page: Page }> {
  const customer = await makeCustomer(world(), wishes)
  const [service] = customer.services
  if (!service) throw new Error('a service was asked for')
  return { customer, service, page: await openPageAsCustomer(portal, size, customer) }
}

const isInSight = (element: Element): boolean => {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}
const bought = (service: CustomerService) => readPurchases(world(), service)
const holderOf = async ({ visitor }: Customer): Promise<string | undefined> =>
  (await visitor.get('/api/account/')).body.user.credit_card_token?.card_holder_name
const isGood = async (voucher: string): Promise<boolean> =>
  (await world().visitor().get(`/api/vouchers/${voucher}/`)).status === 200

test('a customer renews a plan with the saved card from the service’s page', { tags: ['journey'] }, async () => {
  const { customer, service, page } = await someone('phone')
  await page.goto(`/services/${service.id}/`)
  await getLink(page, 'RENEW OR BUY PREPAY PLAN').click()
  await expectHeading(page, 'Renew Prepay Plan')
  expect(await page.getByRole('radio', { name: /^Renew the same plan/ }).isChecked()).toBe(true)
  expect(await page.getByRole('radio', { name: /, when this plan ends$/ }).isChecked()).toBe(true)
  expect(await page.getByText(notice).count()).toBe(0)
  await shop.choosePlan(page, /^15 GB/)
  await shop.startNow(page)
  await reads(page, notice)
  await expectNoOverflow(page)
  await shop.renewWithSaved(page)
  const code = await shop.renewed(page)
  await expectNoOverflow(page)
  expect(await bought(service)).toEqual(['recharge completed 3600'])
  // Neither reloading the page nor BACK repeats the purchase.
  await page.reload()
  expect(await shop.renewed(page)).toBe(code)
  await getLink(page, `Back to ${formatNational(service.msisdn)}`).click()
  await expectHeading(page, getPhoneNumber(customer))
  await page.goBack()
  await shop.renewed(page)
  await page.goBack()
  await expectHeading(page, getPhoneNumber(customer))
  await says(page, '15 GB Prepay Plan')
  await waitForPath(page, `/services/${service.id}/`)
  expect(await bought(service)).toEqual(['recharge completed 3600'])
})

test('a customer buys a renewal that starts when the plan ends, sees what they keep, and cannot renew a second time', async () => {
  const { service, page } = await someone('phone')
  await shop.renewal(page, service)
  await says(page, 'You keep your 30 days and 5 GB.', 'You give up 30 days and 5 GB.')
  await says(page, 'Total due today', '$22.00', 'including $2.87 GST')
  // The button must be visible without scrolling, even though the form continues below it.
  for (const size of ['desktop', 'phone'] as const) {
    await resizePage(page, sizes[size])
    await expect.poll(() => getButton(page, 'RENEW WITH VISA **** 1111').evaluate(isInSight)).toBe(true)
    await expectNoOverflow(page)
  }
  await shop.renewWithSaved(page)
  await shop.renewed(page)
  await says(page, 'What you have now', 'Current plan. 5 GB left.', 'Starts automatically on')
  await expectNoOverflow(page)
  expect(await bought(service)).toEqual(['recharge completed 2200'])
  await getLink(page, 'View invoice').click()
  await expectHeading(page, 'Tax Invoice')
  await shop.renewal(page, service)
  await reads(page, /^Your next Prepay Plan, 5 GB Prepay Plan, is already paid for and starts on /)
  expect(await page.getByRole('button', { name: /^RENEW/ }).count()).toBe(0)
})

test('a customer whose card is declined sees an error, and the card that they then pay with becomes the saved card', async () => {
  const { customer, service, page } = await someone('phone')
  await shop.renewal(page, service)
  await shop.anotherCard(page, 'DECLINED')
  await reads(page, 'This replaces your saved card, including for renewals.')
  await shop.renew(page)
  await reads(page, declined)
  expect(await holderOf(customer)).toBe('Ana Rewi')
  await wizard.card(page, 'Mere Tane')
  await shop.renew(page)
  await shop.renewed(page)
  expect(await bought(service)).toEqual(['recharge refused 0', 'recharge completed 2200'])
  expect(await holderOf(customer)).toBe('Mere Tane')
})

test(
  'a customer buys an add-on with the saved card and sees it on the service’s page',
  { tags: ['journey'] },
  async () => {
    const { service, page } = await someone('phone')
    await page.goto(`/services/${service.id}/`)
    await getLink(page, 'PURCHASE ADD-ONS').click()
    await expectHeading(page, 'Purchase Add-Ons')
    await page.getByRole('radio', { name: /^Extra 2 GB/ }).check()
    await getButton(page, 'CONTINUE').click()
    await reads(page, otherCard)
    await expectNoOverflow(page)
    const expectSummaryIn = async (place: Locator): Promise<void> => {
      for (const text of ['Prepay Plan Number', formatNational(service.msisdn), 'Selected Add-On', 'Total Due'])
        await place.getByText(text).filter({ visible: true }).first().waitFor()
      await place.getByText('$10.00', { exact: true }).filter({ visible: true }).first().waitFor()
    }
    await resizePage(page, sizes.desktop)
    await expectSummaryIn(page.getByRole('main'))
    await resizePage(page, sizes.phone)
    await getButton(page, 'SEE SUMMARY').click()
    await expectSummaryIn(page.getByRole('dialog', { name: 'Summary' }))
    await page.keyboard.press('Escape')
    await shop.confirmAndPay(page)
    const code = await shop.gotAddOn(page, service)
    await expectNoOverflow(page)
    await page.reload()
    expect(await shop.gotAddOn(page, service)).toBe(code)
    await says(page, '2 GB of 2 GB left')
    await getLink(page, `Back to ${formatNational(service.msisdn)}`).click()
    await says(page, 'Extra 2 GB')
    expect(await bought(service)).toEqual(['addon completed 1000'])
  },
)

test('paying for an add-on with a different card leaves the saved card unchanged', async () => {
  const { customer, service, page } = await someone('desktop')
  await page.goto(`/services/${service.id}/addons/`)
  await expectHeading(page, 'Purchase Add-Ons')
  await shop.addOn(page, service, /^Australia Roaming/)
  await shop.anotherCard(page, 'DECLINED')
  await reads(page, otherCard)
  await shop.confirmAndPay(page)
  await reads(page, declined)
  await wizard.card(page, 'Mere Tane')
  await shop.confirmAndPay(page)
  await shop.gotAddOn(page, service)
  expect(await holderOf(customer)).toBe('Ana Rewi')
  expect(await bought(service)).toEqual(['addon refused 0', 'addon completed 1200'])
})

test('the manual renewal page says that auto-renewal is cheaper, even on a narrow phone and without JavaScript', async () => {
  const { customer, service, page } = await someone('phone', { card: true, plan: 'plan-30-15gb' })
  await resizePage(page, { width: 320, height: 640 })
  await shop.renewal(page, service)
  await reads(page, 'Your next plan costs $34.00 with auto-renewal instead of $36.00.')
  await expectNoOverflow(page)
  await getLink(page, 'Enable auto-renewal').click()
  const terms = page.getByRole('dialog', { name: 'Turn on auto-renewal?' })
  await terms.getByRole('button', { name: 'ENABLE AUTO-RENEWAL' }).click()
  await page
    .getByText(/^Plan renews on /)
    .first()
    .waitFor()

  await shop.renewal(page, service)
  const first = page.getByRole('region', { name: /^Plan renews on / })
  await first.getByText(/^You don’t need to do anything\./).waitFor()
  expect(await first.textContent()).toMatch(
    /\$34\.00 from Visa ending 1111, charged at .*manually with a card, you pay \$36\.00 instead of \$34\.00\./,
  )
  expect(await getLink(page, 'Keep auto-renewal').evaluate(isInSight)).toBe(true)
  expect(await getButton(page, 'RENEW WITH VISA **** 1111').evaluate(isInSight)).toBe(false)
  await expectNoOverflow(page)
  const { body: markup } = await customer.visitor.get(`/services/renew/${service.shortId}/plan/`)
  expect(markup.replaceAll(/<[^>]*>/g, '')).toContain('you pay $36.00 instead of $34.00.')

  await shop.renewWithSaved(page)
  await shop.renewed(page)
  expect(await bought(service)).toEqual(['recharge completed 3600'])
})

test('a voucher link takes a customer through login and the choice of a service to the renewal form', async () => {
  const customer = await makeCustomer(world(), { services: 2 })
  const [, service] = customer.services
  if (!service) throw new Error('two services were asked for')
  const voucher = await world().newVoucher('plan-30-15gb')
  const page = await portal.open('phone')
  await page.goto(`/use-voucher/${voucher}/`)
  await expectHeading(page, 'Start with a Voucher Code')
  await says(page, '15 GB Prepay Plan')
  await getLink(page, /^Renew an existing Prepay Plan/).click()
  await waitForPath(page, `/login/?next=${encodeURIComponent(`/services/renew/voucher/${voucher}/`)}`)
  await logIn(page, customer)
  await says(page, 'Which of your services would you like to renew?', '15 GB Prepay Plan')
  await getLink(page, new RegExp(`^${formatNational(service.msisdn)}`)).click()
  await waitForPath(page, `/services/renew/${service.shortId}/voucher/${voucher}/`)
  await shop.startNow(page)
  await says(page, notice, '15 GB Prepay Plan')
  expect(await getField(page, 'Voucher Code').inputValue()).toBe(voucher)
  await shop.renew(page)
  await shop.renewed(page)
  expect(await bought(service)).toEqual(['recharge completed'])
  expect(await isGood(voucher)).toBe(false)
  // The voucher was used up by the first renewal, so the next renewal starts without one.
  await shop.renewal(page, service)
  await getButton(page, 'RENEW').waitFor()
  expect(await page.evaluate(() => sessionStorage.getItem('voucher'))).toBeNull()
})

test('a customer renews a plan by entering a voucher code', async () => {
  const { service, page } = await someone('desktop')
  const voucher = await world().newVoucher('plan-90-5gb')
  await shop.renewal(page, service)
  await getLink(page, 'Voucher').click()
  await waitForPath(page, `/services/renew/${service.shortId}/voucher/`)
  await getField(page, 'Voucher Code').fill('ABCDEFGHJKLM')
  await reads(page, 'This voucher code is not valid.')
  await getField(page, 'Voucher Code').fill(voucher.toLowerCase())
  await says(page, '5 GB Prepay Plan', '90 days', 'Paid with your voucher')
  await shop.renew(page)
  await shop.renewed(page)
  expect(await bought(service)).toEqual(['recharge completed'])
  expect(await isGood(voucher)).toBe(false)
})

test('a voucher link takes a new customer to the activation, where the voucher code is already filled in', async () => {
  const voucher = await world().newVoucher('plan-30-15gb')
  const email = newEmail()
  const page = await portal.open('desktop')
  await page.goto(`/use-voucher/${voucher}/`)
  await getLink(page, /^Activate a new Prepay Plan/).click()
  await waitForPath(page, '/activate/new/')
  await says(page, '15 GB Prepay Plan')
  await wizard.simPack(page, await world().newSim())
  await wizard.signup(page, { email })
  await says(page, 'Paid with your voucher')
  expect(await page.getByRole('textbox', { name: 'Voucher Code' }).inputValue()).toBe(voucher)
  await getButton(page, 'CONTINUE').click()
  await reads(page, /not be charged today/)
  await wizard.activate(page)
  await wizard.success(page)
  await says(page, '15 GB Prepay Plan')
  expect(await isGood(voucher)).toBe(false)
})

async function download(page: Page): Promise<{ name: string; lines: string[] }> {
  const saving = page.waitForEvent('download')
  await getLink(page, 'Download PDF').click()
  const file = await saving
  const chunks: Buffer[] = []
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
  return { name: file.suggestedFilename(), lines: readPdf(Buffer.concat(chunks)).lines }
}

test('the purchase history lists purchases and a refund, each with a document to read, download and print', async () => {
  const { customer, service, page } = await someone('desktop')
  await shop.renewal(page, service)
  await shop.choosePlan(page, /^15 GB/)
  await shop.startNow(page)
  await shop.renewWithSaved(page)
  const plan = await shop.renewed(page)
  await shop.addOn(page, service, /^Extra 2 GB/)
  await shop.confirmAndPay(page)
  const addOn = await shop.gotAddOn(page, service)
  // The invoice is created along with its email, shortly after the purchase.
  const mailed = await pollUntil(async () =>
    (await world().mailTo(customer.email)).find(({ text }) => text.includes(addOn)),
  )
  expect(mailed.attachments.map(({ filename }) => filename)).toEqual([`tax-invoice-${addOn}.pdf`])
  const refund = await refundOrder(world().deps, plan, systemActor)
  const credit = refund.outcome === 'received' ? refund.creditCode : ''

  await page.goto(`/services/${service.id}/`)
  await getButton(page, `More about ${formatNational(service.msisdn)}`).click()
  await page.getByRole('menuitem', { name: 'Invoices' }).click()
  await expectHeading(page, 'Purchase History')
  const rows = (await page.locator('tbody tr').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
  expect(rows.map((row) => row.replace(/ \w{3} \d{1,2} \w{3} \d{4}/, ''))).toEqual([
    `Refund: 15 GB Prepay Plan Visa ending 1111 ${credit} -$36.00 VIEW REFUND`,
    `Extra 2 GB Visa ending 1111 ${addOn} $10.00 VIEW INVOICE`,
    `15 GB Prepay Plan, 30 days Visa ending 1111 ${plan} $36.00 VIEW INVOICE`,
    `5 GB Prepay Plan, 30 days Visa ending 1111 ${service.orderCode} $22.00 VIEW INVOICE`,
  ])
  await expectOnAllSizes(page, credit, addOn, plan, service.orderCode)

  await shop.document(page, plan)
  await expectHeading(page, 'Tax Invoice')
  await says(page, plan, '15 GB Prepay Plan', 'GST included', '$4.70', '$36.00', 'GST number 49-091-850')
  await page.goBack()
  await shop.document(page, credit)
  await expectHeading(page, 'Tax Credit Note')
  await says(
    page,
    credit,
    'Refund reference',
    plan,
    '-$4.70',
    '-$36.00',
    `Order ${plan} was refunded in full to the card that paid for it.`,
  )
  const { name, lines } = await download(page)
  expect(name).toBe(`tax-credit-note-${credit}.pdf`)
  expect(lines).toEqual(
    expect.arrayContaining([
      'Tax Credit Note',
      'GST number 49-091-850\t' + customer.email,
      '15 GB Prepay Plan, 30 days\t1\t-$36.00\t-$36.00',
      'GST included\t-$4.70',
      'Total (NZD, including GST)\t-$36.00',
    ]),
  )
  for (const code of [credit, plan]) expect(lines.some((line) => line.includes(code))).toBe(true)

  await page.emulateMedia({ media: 'print' })
  expect((await page.locator('body').innerText()).trim()).toBe((await page.getByRole('article').innerText()).trim())
  await page.emulateMedia({ media: null })
  await getLink(page, plan).click()
  await expectHeading(page, 'Tax Invoice')
  await waitForPath(page, `/services/${service.id}/invoices/${plan}/`)
})

test('after renewals, add-on purchases, vouchers and a refund, the ledgers of Fantail, the gateway and the network agree', async () =>
  expect(await findFaultsWhenIdle(world())).toEqual([]))
