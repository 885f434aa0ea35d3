import type { Page } from 'playwright-core'
import type { Service } from '#features/services/services.contract.ts'
import { makeSubscriber } from '#quality/support/customer.ts'
import { createNextPlan } from '#quality/support/next-plan.ts'
import { getButton, getLink, reads } from '../account.ts'
import { dropFirstResponse, shop } from '../purchase-steps.ts'
import { expectHeading, wizard } from '../wizard.ts'
import { mockResponse, editResponse, cut, hold, waitUntilIdle } from './page-calls.ts'
import {
  customerWithExpiredPlan,
  heavyUser,
  subscriber,
  customerWithoutCard,
  customerWithoutService,
} from './people.ts'
import { once, type Screen, type Stage } from './screen.ts'
import { openedScreen, screenByNavigation } from './screen-builders.ts'

const summary = (screen: Screen): Screen => {
  const open = async (stage: Stage): Promise<Page> => {
    const page = await screen.open(stage)
    await getButton(page, 'SEE SUMMARY').click()
    await page.getByRole('dialog', { name: 'Summary' }).waitFor()
    return page
  }
  return { ...screen, name: `${screen.name}, the summary`, open, widths: [320, 768] }
}

const waiting = once(async (world) => (await createNextPlan(world)).customer)

const tryAgain = (page: Page): Promise<void> => page.getByRole('button', { name: /try again/i }).waitFor()
const payAddOn = '/services/U/addons/?product=roam-world-30&step=payment'
const another = (page: Page): Promise<void> => getButton(page, 'USE ANOTHER CARD').click()

const otherPlans = async (page: Page): Promise<void> => {
  await page.getByRole('radio', { name: 'Choose another plan' }).check()
  await page.getByRole('slider', { name: 'Plan length' }).waitFor()
}
const withoutPlan = ({ 'plan-90-25gb': _, ...others }: Record<string, unknown>) => others
const withNextPlan = (services: Record<string, Service>) =>
  Object.fromEntries(
    Object.entries(services).map(([uuid, { schedules, ...service }]) => {
      const next_plan = { title: '15 GB Prepay Plan', length: 30, starts_on: service.expiry_date }
      const queued = Object.entries(schedules).map(([id, schedule]) => [id, { ...schedule, next_plan }])
      return [uuid, { ...service, schedules: Object.fromEntries(queued) }]
    }),
  )

export const buyingScreens: Screen[] = [
  openedScreen('add-ons', '/services/U/addons/', subscriber),
  openedScreen('add-ons, one chosen', '/services/U/addons/', subscriber, (page) =>
    page.getByRole('radio', { name: /^World Roaming/ }).check(),
  ),
  openedScreen('add-ons, of an expired plan', '/services/U/addons/', customerWithExpiredPlan, (page) =>
    getLink(page, 'RENEW OR BUY PREPAY PLAN').waitFor(),
  ),
  screenByNavigation('add-ons, none', '/services/U/addons/', subscriber, {
    prepare: (page) => mockResponse(page, '**/api/products/', 200, {}),
    act: (page) => reads(page, 'There are no Add-Ons'),
  }),
  screenByNavigation('add-ons that did not load', '/services/U/addons/', subscriber, {
    prepare: (page) => mockResponse(page, '**/api/products/', 500),
    act: tryAgain,
  }),
  openedScreen('add-on, the saved card', payAddOn, subscriber),
  summary(openedScreen('add-on, the saved card', payAddOn, subscriber)),
  openedScreen('add-on, another card', payAddOn, subscriber, async (page) => {
    await another(page)
    await page.getByRole('checkbox').check()
  }),
  openedScreen('add-on, no saved card', payAddOn, customerWithoutCard),
  openedScreen('add-on without answers', payAddOn, customerWithoutCard, async (page) => {
    await shop.confirmAndPay(page)
    await reads(page, 'This field is required.')
  }),
  openedScreen('add-on declined', payAddOn, customerWithoutCard, async (page) => {
    await wizard.card(page, 'DECLINED')
    await shop.confirmAndPay(page)
    await reads(page, 'Your bank declined this payment.')
  }),
  openedScreen('add-on, another price by now', payAddOn, customerWithoutCard, async (page) => {
    await mockResponse(page, '**/api/orders/addons/', 409, { total: '99.00' })
    await wizard.card(page)
    await shop.confirmAndPay(page)
    await reads(page, 'costs $99.00 now')
  }),
  openedScreen('add-on being paid', payAddOn, subscriber, async (page) => {
    await hold(page, '**/api/orders/addons/')
    await shop.confirmAndPay(page)
    await page.getByRole('button', { name: 'PAYING' }).waitFor()
  }),
  openedScreen('add-on in doubt', payAddOn, subscriber, async (page) => {
    await hold(page, '**/resume/')
    await mockResponse(page, '**/api/orders/addons/', 202, { order_code: 'FT0001', retry: true })
    await shop.confirmAndPay(page)
    await reads(page, 'We’re confirming your purchase…')
  }),
  openedScreen('add-on, no network', payAddOn, subscriber, async (page) => {
    await dropFirstResponse(page, '**/api/orders/addons/')
    await shop.confirmAndPay(page)
    await reads(page, 'Sorry, there was an unexpected error.')
  }),
  {
    ...openedScreen(
      'add-on bought',
      '/services/U/addons/?product=extra-2gb&step=payment',
      ({ world }) => makeSubscriber(world, { card: true }),
      async (page, { service }) => {
        await shop.confirmAndPay(page)
        await shop.gotAddOn(page, service)
      },
    ),
    at: '/services/U/addons/success/',
  },

  openedScreen('renew, which service', '/services/renew/', heavyUser),
  openedScreen('renew, which service, expired', '/services/renew/', customerWithExpiredPlan, (page) =>
    reads(page, 'Prepay Plan Expired'),
  ),
  openedScreen('renew, no service', '/services/renew/', customerWithoutService),
  screenByNavigation('renew, which service, not loaded', '/services/renew/', subscriber, {
    prepare: (page) => mockResponse(page, '**/api/services/', 500),
    act: tryAgain,
  }),
  openedScreen('renew by voucher, which service', '/services/renew/voucher/V/', heavyUser),
  openedScreen('renew by voucher, which service, no good', '/services/renew/voucher/ABCDEFGHJKLM/', heavyUser),
  openedScreen('renew', '/services/renew/R/', subscriber),
  openedScreen('renew, now', '/services/renew/R/plan/', subscriber, shop.startNow),
  openedScreen('renew, another plan', '/services/renew/R/plan/', subscriber, otherPlans),
  openedScreen('renew, all plans', '/services/renew/R/plan/', subscriber, async (page) => {
    await otherPlans(page)
    await getButton(page, 'Show all plans').click()
    await page.getByRole('table').first().waitFor()
  }),
  openedScreen('renew, another length', '/services/renew/R/plan/', customerWithoutCard, async (page) => {
    await otherPlans(page)
    await page.getByRole('slider', { name: 'Plan length' }).press('Home')
    await waitUntilIdle(page)
  }),
  openedScreen('renew, another card', '/services/renew/R/plan/', subscriber, another),
  openedScreen('renew, no saved card', '/services/renew/R/plan/', customerWithoutCard),
  openedScreen('renew, declined', '/services/renew/R/plan/', customerWithoutCard, async (page) => {
    await wizard.card(page, 'DECLINED')
    await shop.renew(page)
    await reads(page, 'Your bank declined this payment.')
  }),
  openedScreen('renew, another price by now', '/services/renew/R/plan/', subscriber, async (page) => {
    await mockResponse(page, '**/api/orders/recharge/', 409, { total: '199.00' })
    await page.getByRole('button', { name: /^RENEW WITH/ }).click()
    await reads(page, 'costs $199.00 now')
  }),
  openedScreen('renew in doubt', '/services/renew/R/plan/', subscriber, async (page) => {
    await hold(page, '**/resume/')
    await mockResponse(page, '**/api/orders/recharge/', 202, { order_code: 'FT0001', retry: true })
    await page.getByRole('button', { name: /^RENEW WITH/ }).click()
    await reads(page, 'We’re confirming your renewal…')
  }),
  openedScreen('renew, no network', '/services/renew/R/plan/', subscriber, async (page) => {
    await cut(page, '**/api/orders/recharge/')
    await page.getByRole('button', { name: /^RENEW WITH/ }).click()
    await reads(page, 'Sorry, there was an unexpected error.')
  }),
  screenByNavigation('renew, sold no more', '/services/renew/R/plan/', subscriber, {
    prepare: (page) => editResponse(page, '**/api/products/', withoutPlan),
    act: (page) => reads(page, 'Choose your next plan'),
  }),
  screenByNavigation('renew, the network silent', '/services/renew/R/plan/', subscriber, {
    prepare: (page) => mockResponse(page, '**/api/account/usage_summary/**', 500),
  }),
  screenByNavigation('renew, a plan that waits', '/services/renew/R/plan/', subscriber, {
    prepare: (page) => editResponse(page, '**/api/services/', withNextPlan),
    act: (page) => getLink(page, 'Back to your service').waitFor(),
  }),
  openedScreen('renew, in the place of a plan that waits', '/services/renew/R/plan/?change', waiting, (page) =>
    reads(page, 'will be refunded in full once the new plan is paid for'),
  ),
  openedScreen(
    'renew, by voucher, in the place of a plan that waits',
    '/services/renew/R/voucher/?change',
    waiting,
    (page) => reads(page, 'will be refunded in full once the new plan is paid for'),
  ),
  {
    ...openedScreen(
      'renewed, in the place of a plan that waited',
      '/services/renew/R/plan/?change',
      async ({ world }) => (await createNextPlan(world)).customer,
      async (page) => {
        await page.getByRole('slider', { name: 'Plan length' }).press('End')
        await page.getByRole('radiogroup', { name: 'Prepay Plan' }).getByRole('radio').first().check()
        await shop.renewWithSaved(page)
        await reads(page, 'is being cancelled and refunded in full')
      },
    ),
    at: '/services/renew/success/',
  },
  screenByNavigation('renew, plans that did not load', '/services/renew/R/plan/', subscriber, {
    prepare: (page) => mockResponse(page, '**/api/products/**', 500),
    act: tryAgain,
  }),
  openedScreen('renew an expired plan', '/services/renew/R/plan/', customerWithExpiredPlan),
  openedScreen('renew by voucher', '/services/renew/R/voucher/', heavyUser),
  openedScreen('renew by voucher, a code', '/services/renew/R/voucher/V/', subscriber, (page) =>
    reads(page, 'Paid with your voucher'),
  ),
  openedScreen('renew by voucher, no good', '/services/renew/R/voucher/', subscriber, async (page) => {
    await page.getByRole('textbox', { name: 'Voucher Code' }).fill('ABCDEFGHJKLM')
    await reads(page, 'This voucher code is not valid.')
  }),
  openedScreen('renew by voucher, now', '/services/renew/R/voucher/V/', subscriber, async (page) => {
    await reads(page, 'Paid with your voucher')
    await shop.startNow(page)
  }),
  {
    ...openedScreen(
      'renewed, from the end',
      '/services/renew/R/plan/',
      ({ world }) => makeSubscriber(world, { card: true, plan: 'plan-90-25gb' }),
      async (page) => {
        await shop.renewWithSaved(page)
        await expectHeading(page, 'Renewal Successful!')
      },
    ),
    at: '/services/renew/success/',
  },
  {
    ...openedScreen(
      'renewed',
      '/services/renew/R/plan/',
      ({ world }) => makeSubscriber(world, { card: true }),
      async (page) => {
        await shop.startNow(page)
        await shop.renewWithSaved(page)
        await expectHeading(page, 'Renewal Successful!')
      },
    ),
    at: '/services/renew/success/',
  },
]
