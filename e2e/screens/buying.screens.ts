import type { Page } from 'playwright-core'
import { makeSubscriber, type Subscriber } from '#testing/customer.ts'
import { button, link, reads } from '../account.ts'
import { loseFirstAnswer, shop } from '../buying.ts'
import { heading, wizard } from '../wizard.ts'
import { answer, cut, go, hold, settle } from './calls.ts'
import { expired, heavyUser, subscriber, withoutCard, withoutService } from './people.ts'
import { once, type Screen, type Stage } from './screen.ts'

const voucher = once((world) => world.newVoucher('plan-90-25gb'))

type Who = (stage: Stage) => Promise<Subscriber>

/** A page of somebody's: in its path U stands for the service, R for its plan. */
const of = (name: string, path: string, who: Who, then?: (page: Page, customer: Subscriber, stage: Stage) => Promise<unknown>): Screen => ({
  name,
  at: path.replace('/R/', '/1R/'),
  async open(stage) {
    const customer = await who(stage)
    const page = await stage.visit(own(path, customer), customer)
    await then?.(page, customer, stage)
    return page
  },
})

const own = (path: string, { service }: Subscriber): string => path.replace('/U/', `/${service.id}/`).replace('/R/', `/${service.shortId}/`)

/** The same, from another page: then what is answered can be something else. */
const reached = (name: string, path: string, who: Who, meddle: (page: Page) => Promise<unknown>, then?: (page: Page) => Promise<unknown>): Screen => ({
  name,
  at: path.replace('/R/', '/1R/'),
  async open(stage) {
    const customer = await who(stage)
    const page = await stage.visit('/account/change-password/', customer)
    await meddle(page)
    await go(page, own(path, customer))
    await settle(page)
    await then?.(page)
    return page
  },
})

/** Only where the summary does not stand beside the form. */
const summary = (screen: Screen): Screen => {
  const open = async (stage: Stage): Promise<Page> => {
    const page = await screen.open(stage)
    await button(page, 'SEE SUMMARY').click()
    await page.getByRole('dialog', { name: 'Summary' }).waitFor()
    return page
  }
  return { ...screen, name: `${screen.name}, the summary`, open, widths: [320, 768] }
}

const tryAgain = (page: Page): Promise<void> => page.getByRole('button', { name: /try again/i }).waitFor()
const payAddOn = '/services/U/addons/?product=roam-world-30&step=payment'
const another = (page: Page): Promise<void> => button(page, 'USE ANOTHER CARD').click()

/** Add-ons and renewals. */
export const buyingScreens: Screen[] = [
  of('add-ons', '/services/U/addons/', subscriber),
  of('add-ons, one chosen', '/services/U/addons/', subscriber, (page) => page.getByRole('radio', { name: /^World Roaming/ }).check()),
  of('add-ons, of an expired plan', '/services/U/addons/', expired, (page) => link(page, 'RENEW OR BUY PREPAY PLAN').waitFor()),
  reached('add-ons, none', '/services/U/addons/', subscriber, (page) => answer(page, '**/api/products/', 200, {}), (page) => reads(page, 'There are no Add-Ons')),
  reached('add-ons that did not load', '/services/U/addons/', subscriber, (page) => answer(page, '**/api/products/', 500), tryAgain),
  of('add-on, the saved card', payAddOn, subscriber),
  summary(of('add-on, the saved card', payAddOn, subscriber)),
  of('add-on, another card', payAddOn, subscriber, async (page) => {
    await another(page)
    await page.getByRole('checkbox').check()
  }),
  of('add-on, no saved card', payAddOn, withoutCard),
  of('add-on without answers', payAddOn, withoutCard, async (page) => {
    await shop.confirmAndPay(page)
    await reads(page, 'This field is required.')
  }),
  of('add-on declined', payAddOn, withoutCard, async (page) => {
    await wizard.card(page, 'DECLINED')
    await shop.confirmAndPay(page)
    await reads(page, 'Your card was declined.')
  }),
  of('add-on being paid', payAddOn, subscriber, async (page) => {
    await hold(page, '**/api/orders/addons/')
    await shop.confirmAndPay(page)
    await page.getByRole('button', { name: 'PAYING' }).waitFor()
  }),
  of('add-on in doubt', payAddOn, subscriber, async (page) => {
    await hold(page, '**/resume/')
    await answer(page, '**/api/orders/addons/', 202, { order_code: 'FT0001', retry: true })
    await shop.confirmAndPay(page)
    await reads(page, 'We’re confirming your purchase…')
  }),
  of('add-on, no network', payAddOn, subscriber, async (page) => {
    await loseFirstAnswer(page, '**/api/orders/addons/')
    await shop.confirmAndPay(page)
    await reads(page, 'Sorry, there was an unexpected error.')
  }),
  {
    name: 'add-on bought',
    at: '/services/U/addons/success/',
    async open(stage) {
      const customer = await makeSubscriber(stage.world, { card: true })
      const page = await stage.visit(own('/services/U/addons/?product=extra-2gb&step=payment', customer), customer)
      await shop.confirmAndPay(page)
      await shop.gotAddOn(page, customer.service)
      return page
    },
  },

  of('renew, which service', '/services/renew/', heavyUser),
  of('renew, which service, expired', '/services/renew/', expired, (page) => reads(page, 'Prepay Plan Expired')),
  {
    name: 'renew, no service',
    at: '/services/renew/',
    open: async (stage) => stage.visit('/services/renew/', await withoutService(stage)),
  },
  reached('renew, which service, not loaded', '/services/renew/', subscriber, (page) => answer(page, '**/api/services/', 500), tryAgain),
  {
    name: 'renew by voucher, which service',
    at: '/services/renew/voucher/V/',
    open: async (stage) => stage.visit(`/services/renew/voucher/${await voucher(stage)}/`, await heavyUser(stage)),
  },
  {
    name: 'renew by voucher, which service, no good',
    at: '/services/renew/voucher/V/',
    open: async (stage) => stage.visit('/services/renew/voucher/ABCDEFGHJKLM/', await heavyUser(stage)),
  },
  of('renew', '/services/renew/R/', subscriber),
  summary(of('renew', '/services/renew/R/plan/', subscriber)),
  of('renew, all plans', '/services/renew/R/plan/', subscriber, async (page) => {
    await button(page, 'Show all plans').click()
    await page.getByRole('table').first().waitFor()
  }),
  of('renew, another length', '/services/renew/R/plan/', withoutCard, async (page) => {
    await page.getByRole('slider', { name: 'Plan length' }).press('Home')
    await settle(page)
  }),
  of('renew, another card', '/services/renew/R/plan/', subscriber, another),
  of('renew, no saved card', '/services/renew/R/plan/', withoutCard),
  of('renew, declined', '/services/renew/R/plan/', withoutCard, async (page) => {
    await wizard.card(page, 'DECLINED')
    await shop.renew(page)
    await reads(page, 'Your card was declined.')
  }),
  of('renew in doubt', '/services/renew/R/plan/', subscriber, async (page) => {
    await hold(page, '**/resume/')
    await answer(page, '**/api/orders/recharge/', 202, { order_code: 'FT0001', retry: true })
    await page.getByRole('button', { name: /^RENEW WITH/ }).click()
    await reads(page, 'We’re confirming your renewal…')
  }),
  of('renew, no network', '/services/renew/R/plan/', subscriber, async (page) => {
    await cut(page, '**/api/orders/recharge/')
    await page.getByRole('button', { name: /^RENEW WITH/ }).click()
    await reads(page, 'Sorry, there was an unexpected error.')
  }),
  reached('renew, plans that did not load', '/services/renew/R/plan/', subscriber, (page) => answer(page, '**/api/products/**', 500), tryAgain),
  of('renew an expired plan', '/services/renew/R/plan/', expired),
  of('renew by voucher', '/services/renew/R/voucher/', heavyUser),
  {
    name: 'renew by voucher, a code',
    at: '/services/renew/1R/voucher/V/',
    async open(stage) {
      const customer = await subscriber(stage)
      const page = await stage.visit(own(`/services/renew/R/voucher/${await voucher(stage)}/`, customer), customer)
      await reads(page, 'Paid with your voucher')
      return page
    },
  },
  of('renew by voucher, no good', '/services/renew/R/voucher/', subscriber, async (page) => {
    await page.getByRole('textbox', { name: 'Voucher Code' }).fill('ABCDEFGHJKLM')
    await reads(page, 'This voucher code is not valid.')
  }),
  {
    name: 'renewed',
    at: '/services/renew/success/',
    async open(stage) {
      const customer = await makeSubscriber(stage.world, { card: true })
      const page = await stage.visit(own('/services/renew/R/plan/', customer), customer)
      await shop.renewWithSaved(page)
      await heading(page, 'Renewal Successful!')
      return page
    },
  },
]
