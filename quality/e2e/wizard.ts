import type { Page } from 'playwright-core'
import { formatNational } from '#kit/contract/phone.ts'

export type Sim = { msisdn: string; sim_serial: string }

export const wizard = {
  async simPack(page: Page, sim: Sim, { porting = false } = {}): Promise<void> {
    // If this step is already open (after BACK), don't open its address again, because that would restore the state saved on the server.
    if (!['/activate/', '/activate/new/'].includes(new URL(page.url(), 'http://localhost').pathname))
      await page.goto('/activate/')
    await page.getByRole('textbox', { name: 'Phone Number on the SIM pack' }).fill(formatNational(sim.msisdn))
    await page.getByRole('textbox', { name: 'Last 4 digits of the SIM Number' }).fill(sim.sim_serial)
    const portingChoice = porting ? 'Yes, Transfer (Port) Existing Number' : 'No, use the Phone Number on the SIM pack'
    await page.getByRole('radio', { name: portingChoice }).check()
    await page.getByRole('button', { name: 'START' }).click()
  },

  async porting(page: Page, port: { msisdn: string; provider: string; account: string }): Promise<void> {
    await expectHeading(page, 'Number Transfer Details')
    await page.getByRole('textbox', { name: 'Phone Number you want to bring' }).fill(port.msisdn)
    await page.getByLabel('Current provider').selectOption(port.provider)
    await page.getByRole('radio', { name: 'Account' }).check()
    await page.getByRole('textbox', { name: 'Existing Account Number' }).fill(port.account)
    await page.getByRole('button', { name: 'CONTINUE' }).click()
  },

  async signup(page: Page, { name = 'Ana Rewi', email }: { name?: string; email: string }): Promise<void> {
    await expectHeading(page, 'Your Personal Details')
    await page.getByRole('textbox', { name: 'Full name' }).fill(name)
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByRole('textbox', { name: 'New password' }).fill('korimako 1')
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'CONTINUE' }).click()
  },

  async buyNow(page: Page): Promise<void> {
    await page.getByRole('radio', { name: 'Buy a Prepay Plan now' }).check()
    await page.getByRole('button', { name: 'CONTINUE' }).click()
  },

  async useVoucher(page: Page, code: string): Promise<void> {
    await page.getByRole('radio', { name: 'I have an email with a Voucher Code' }).check()
    await page.getByRole('textbox', { name: 'Voucher Code' }).fill(code)
    await page.getByText('5 GB').first().waitFor()
    await page.getByRole('button', { name: 'CONTINUE' }).click()
  },

  async choosePlan(page: Page, name: RegExp): Promise<void> {
    await page.getByRole('radio', { name }).first().check()
    await page.getByRole('button', { name: 'CONTINUE' }).click()
  },

  async card(page: Page, holderName = 'Ana Rewi'): Promise<void> {
    await page.getByRole('textbox', { name: 'Card number' }).fill('4111 1111 1111 1111')
    await page.getByRole('textbox', { name: 'Name on card' }).fill(holderName)
    await page.getByRole('textbox', { name: 'Expiry' }).fill('03 / 30')
    await page.getByRole('textbox', { name: 'Security code' }).fill('737')
  },

  activate: (page: Page): Promise<void> => page.getByRole('button', { name: /^ACTIVATE/ }).click(),

  success: (page: Page): Promise<void> => expectHeading(page, 'Activation Complete'),
}

export const expectHeading = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('heading', { level: 1, name }).waitFor()

export async function walkToCheckout(page: Page, sim: Sim, email: string): Promise<void> {
  await wizard.simPack(page, sim)
  await wizard.signup(page, { email })
  await wizard.buyNow(page)
  await wizard.choosePlan(page, /^5 GB/)
  await page.getByRole('textbox', { name: 'Card number' }).waitFor()
}
