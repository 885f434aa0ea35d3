import type { Page } from 'playwright-core'
import type { CustomersService } from '#quality/support/customer.ts'
import { until } from '#quality/support/until.ts'
import type { World } from '#quality/support/world.ts'
import { arriveAt, button, link, reads } from './account.ts'
import { heading, wizard } from './wizard.ts'

/** What a customer does on the pages that buy, by the names they read there. */
export const shop = {
  /** The form that renews a service's plan. */
  async renewal(page: Page, { shortId }: CustomersService, by: 'plan' | 'voucher' = 'plan'): Promise<void> {
    await page.goto(`/services/renew/${shortId}/${by}/`)
    await heading(page, 'Renew Prepay Plan')
  },

  /** Another plan than the one that stands first. */
  async choosePlan(page: Page, name: RegExp): Promise<void> {
    await page.getByRole('radio', { name: 'Choose another plan' }).check()
    await page.getByRole('radio', { name }).first().check()
  },

  /** In the place of the plan that runs. */
  startNow: (page: Page): Promise<void> => page.getByRole('radio', { name: 'Now', exact: true }).check(),

  renew: (page: Page): Promise<void> => button(page, 'RENEW').click(),
  renewWithSaved: (page: Page): Promise<void> => button(page, 'RENEW WITH VISA **** 1111').click(),

  async anotherCard(page: Page, holderName?: string): Promise<void> {
    await button(page, 'USE ANOTHER CARD').click()
    await wizard.card(page, holderName)
  },

  /** From the choice of an add-on to what it costs. */
  async addOn(page: Page, { id }: CustomersService, name: RegExp): Promise<void> {
    await page.goto(`/services/${id}/addons/`)
    await page.getByRole('radio', { name }).check()
    await button(page, 'CONTINUE').click()
    await page.getByRole('heading', { name: 'Payment', exact: true }).waitFor()
  },

  confirmAndPay: (page: Page): Promise<void> => button(page, 'CONFIRM & PAY').click(),

  /** The page that says that a renewal is bought. Answers the order's code. */
  async renewed(page: Page): Promise<string> {
    await heading(page, 'Renewal Successful!')
    const code = await codeOn(page)
    await arriveAt(page, `/services/renew/success/?order=${code}`)
    return code
  },

  /** The same of an add-on. */
  async gotAddOn(page: Page, { id }: CustomersService): Promise<string> {
    await heading(page, 'Add-On Purchase Successful!')
    await arriveAt(page, `/services/${id}/addons/success/`)
    return codeOn(page)
  },

  /** From the dashboard's page of a service to what was bought for it. */
  async history(page: Page, { id }: CustomersService): Promise<void> {
    await page.goto(`/services/${id}/invoices/`)
    await heading(page, 'Purchase History')
  },

  document: (page: Page, orderCode: string): Promise<void> =>
    link(page.getByRole('row').filter({ hasText: orderCode }), /^VIEW/).click(),
}

async function codeOn(page: Page): Promise<string> {
  await reads(page, 'You will receive a confirmation email in a few minutes.')
  return /FT[0-9A-Z]{10}/.exec(await page.getByText('Your order reference is').innerText())?.[0] ?? ''
}

/** What was begun for a service after its activation, oldest first, and what the gateway holds of each: `recharge completed 3600`. */
export async function purchasesOf({ db, ledgers }: World, { id }: CustomersService): Promise<string[]> {
  // The page says that it is done once the network has done it; the last step comes after that.
  const orders = await until(async () => {
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
    // Each authorisation by itself: two of them would show, even if one was let go.
    return [
      kind,
      state,
      ...lines.map(({ authorised, captured, cancelled }) =>
        captured === authorised && cancelled === 0 ? captured : `${captured} of ${authorised}`,
      ),
    ].join(' ')
  })
}

/** The server does its work; only the browser never hears of it, the first time. */
export async function loseFirstAnswer(page: Page, calls: string): Promise<void> {
  let lost = 0
  await page.route(calls, async (route) => {
    if (lost++ > 0) return route.continue()
    await route.fetch()
    await route.abort()
  })
}
