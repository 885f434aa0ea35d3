import type { Page } from 'playwright-core'
import type { CustomerService } from '#quality/support/customer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { World } from '#quality/support/world.ts'
import { waitForPath, getButton, getLink, reads } from './account.ts'
import { expectHeading, wizard } from './wizard.ts'

export const shop = {
  async renewal(page: Page, { shortId }: CustomerService, by: 'plan' | 'voucher' = 'plan'): Promise<void> {
    await page.goto(`/services/renew/${shortId}/${by}/`)
    await expectHeading(page, 'Renew Prepay Plan')
  },

  async choosePlan(page: Page, name: RegExp): Promise<void> {
    await page.getByRole('radio', { name: 'Choose another plan' }).check()
    await page.getByRole('radio', { name }).first().check()
  },

  startNow: (page: Page): Promise<void> => page.getByRole('radio', { name: 'Now', exact: true }).check(),

  renew: (page: Page): Promise<void> => getButton(page, 'RENEW').click(),
  renewWithSaved: (page: Page): Promise<void> => getButton(page, 'RENEW WITH VISA **** 1111').click(),

  async anotherCard(page: Page, holderName?: string): Promise<void> {
    await getButton(page, 'USE ANOTHER CARD').click()
    await wizard.card(page, holderName)
  },

  async addOn(page: Page, { id }: CustomerService, name: RegExp): Promise<void> {
    await page.goto(`/services/${id}/addons/`)
    await page.getByRole('radio', { name }).check()
    await getButton(page, 'CONTINUE').click()
    await page.getByRole('heading', { name: 'Payment', exact: true }).waitFor()
  },

  confirmAndPay: (page: Page): Promise<void> => getButton(page, 'CONFIRM & PAY').click(),

  async renewed(page: Page): Promise<string> {
    await expectHeading(page, 'Renewal Successful!')
    const code = await readOrderCode(page)
    await waitForPath(page, `/services/renew/success/?order=${code}`)
    return code
  },

  async gotAddOn(page: Page, { id }: CustomerService): Promise<string> {
    await expectHeading(page, 'Add-On Purchase Successful!')
    const code = await readOrderCode(page)
    await waitForPath(page, `/services/${id}/addons/success/?order=${code}`)
    return code
  },

  async history(page: Page, { id }: CustomerService): Promise<void> {
    await page.goto(`/services/${id}/invoices/`)
    await expectHeading(page, 'Purchase History')
  },

  document: (page: Page, orderCode: string): Promise<void> =>
    getLink(page.getByRole('row').filter({ hasText: orderCode }), /^VIEW/).click(),
}

async function readOrderCode(page: Page): Promise<string> {
  await reads(page, 'You will receive a confirmation email in a few minutes.')
  return /FT[0-9A-Z]{10}/.exec(await page.getByText('Your order reference is').innerText())?.[0] ?? ''
}

/**
 * Returns what a service has bought since its activation, oldest first. Each entry ends with the amount the gateway has captured, in cents,
 * or with both the captured and the authorised amounts if they differ: `recharge completed 3600`.
 */
export async function readPurchases({ db, ledgers }: World, { id }: CustomerService): Promise<string[]> {
  // Wait until each order is completely finished, because the page reports success as soon as the network is done.
  const orders = await pollUntil(async () => {
    const all = await db
      .selectFrom('orders')
      .select(['order_code', 'kind', 'state'])
      .where('service_id', '=', id)
      .where('kind', '!=', 'activation')
      .orderBy('created_at')
      .execute()
    return all.every(({ state }) => state !== 'finishing') && all
  })
  const { gateway } = await ledgers()
  return orders.map(({ order_code: code, kind, state }) => {
    const lines = gateway.filter(({ reference }) => reference.startsWith(`${code}-`))
    // List each authorisation separately, so that a second one shows up even if it was cancelled.
    return [
      kind,
      state,
      ...lines.map(({ authorised, captured, cancelled }) =>
        captured === authorised && cancelled === 0 ? captured : `${captured} of ${authorised}`,
      ),
    ].join(' ')
  })
}

/** Keeps the first response to these requests from reaching the browser. The server still carries out the request. */
export async function dropFirstResponse(page: Page, calls: string): Promise<void> {
  let lost = 0
  await page.route(calls, async (route) => {
    if (lost++ > 0) return route.continue()
    await route.fetch()
    await route.abort()
  })
}
