import type { Page } from 'playwright-core'
import { expectHeading, type Sim, wizard } from '#quality/e2e/wizard.ts'
import { password } from '#quality/support/activation-journey.ts'
import { newEmail } from '#quality/support/visitor.ts'
import type { BenchCustomer } from '../world/customers.ts'
import { type Click, type NextScreen, timeClick } from './time-click.ts'

export type TimedClick = Click & { name: string }

const numberPattern = /0\d\d\s\d{3}\s\d{4}/
const servicePage = { path: /^\/services\/[\w-]+\/$/, heading: /0\d\d\s\d{3}\s\d{4}|^Welcome/ }

type ClickResources = { sim: Sim; customer: BenchCustomer }

export async function clickThrough(page: Page, { sim, customer }: ClickResources): Promise<TimedClick[]> {
  const clicks: TimedClick[] = []
  async function take(name: string, next: NextScreen, press: () => Promise<void>): Promise<void> {
    await page.waitForLoadState('networkidle')
    clicks.push({ name, ...(await timeClick(page, next, press)) })
  }
  await walkWizard(page, sim, take)
  await page.context().clearCookies()
  await page.goto('/login/')
  await page.getByRole('textbox', { name: 'Email' }).fill(customer.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await take('login to the numbers', { path: /^\/$/, heading: /^Welcome/ }, () =>
    page.getByRole('button', { name: /^log in/i }).click(),
  )
  await walkPages(page, take)
  return clicks
}

type Take = (name: string, next: NextScreen, press: () => Promise<void>) => Promise<void>

async function walkWizard(page: Page, sim: Sim, take: Take): Promise<void> {
  const plans = { path: /plans/, heading: /^Choose Your Prepay Plan/ }
  const paymentScreen = { path: /checkout/, heading: /^Payment/ }
  await page.goto('/activate/')
  await take('SIM pack to details', { path: /signup/, heading: /^Your Personal/ }, () => wizard.simPack(page, sim))
  await take('details to how it is paid', { path: /method/, heading: /^Choose/ }, () =>
    wizard.signup(page, { email: newEmail() }),
  )
  await take('how it is paid to plans', plans, () => wizard.buyNow(page))
  await take('plans to payment', paymentScreen, () => wizard.choosePlan(page, /^5 GB/))
  await take('payment back to plans', plans, () => page.getByRole('button', { name: /^back/i }).click())
  await take('plans to payment again', paymentScreen, () => page.getByRole('button', { name: 'CONTINUE' }).click())
  await wizard.card(page)
  await wizard.activate(page)
  await wizard.success(page)
}

async function walkPages(page: Page, take: Take): Promise<void> {
  const clickLink = (name: RegExp) => () => page.getByRole('link', { name }).first().click()
  const buildAccountScreen = (part: string, heading: RegExp): NextScreen => ({
    path: new RegExp(`^/account/${part}/`),
    heading,
  })
  await take('service to usage', { path: /detail/, heading: /^Usage Detail/ }, clickLink(/usage details/i))
  await take('usage to service', servicePage, clickLink(numberPattern))
  await take('service to renewal', { path: /renew/, heading: /^Renew/ }, clickLink(/renew or buy/i))
  await take('renewal to service', servicePage, clickLink(numberPattern))
  await take('service to add-ons', { path: /addons/, heading: /^Purchase Add-Ons/ }, clickLink(/purchase add-ons/i))
  await take('add-ons to service', servicePage, clickLink(numberPattern))
  await page.goto('/account/contact-details/')
  await expectHeading(page, 'Contact Details')
  await take(
    'details to payment method',
    buildAccountScreen('payment-method', /^Payment/),
    clickLink(/^payment method/i),
  )
  await take('payment method to purchases', buildAccountScreen('purchases', /^Purchase/), clickLink(/^purchases/i))
  await take('purchases to password', buildAccountScreen('change-password', /^Change/), clickLink(/^change password/i))
  await take('password to security', buildAccountScreen('security', /./), clickLink(/^security/i))
}
