import type { Page } from 'playwright-core'
import type { Service } from '#features/services/services.contract.ts'
import type { UsageSummary } from '#features/usage/usage.contract.ts'
import { makeSubscriber, type Subscriber } from '#testing/customer.ts'
import { switchAutoRenewal } from '#testing/auto-renewal.ts'
import { portAnswers } from '#testing/journey.ts'
import { button, reads } from '../account.ts'
import { numberOf, says, usageCalls } from '../dashboard.ts'
import { answer, change, cut, go, hold, settle } from './calls.ts'
import { expired, heavyUser, subscriber, withoutService } from './people.ts'
import { once, type Screen, type Stage } from './screen.ts'

const serviceCalls = '**/api/services/'

const renewing = once(async (world) => {
  const customer = await makeSubscriber(world, { card: true })
  await switchAutoRenewal({ customer, service: customer.service }, 'PUT')
  return customer
})

const openMenu = (page: Page, customer: Subscriber): Promise<void> => button(page, `More about ${numberOf(customer)}`).click()

type Who = (stage: Stage) => Promise<Subscriber>

/** The page of somebody's first service. */
const of = (name: string, who: Who, then?: (page: Page, customer: Subscriber) => Promise<unknown>): Screen => ({
  name,
  at: '/services/X/',
  async open(stage) {
    const customer = await who(stage)
    const page = await stage.visit(`/services/${customer.service.id}/`, customer)
    await then?.(page, customer)
    return page
  },
})

/** The same with calls that something happens to before the page asks. */
const meddled = (name: string, who: Who, meddle: (page: Page, customer: Subscriber) => Promise<unknown>, then?: (page: Page) => Promise<unknown>): Screen => ({
  name,
  at: '/services/X/',
  async open(stage) {
    const customer = await who(stage)
    const page = await stage.enter(customer)
    await meddle(page, customer)
    await page.goto(`/services/${customer.service.id}/`)
    await settle(page)
    await then?.(page)
    return page
  },
})

/** Reached from another page, where the list of services has not been asked for: then what is answered can be another list. */
const reached = (name: string, path: '/' | '/services/X/', who: Who, meddle: (page: Page) => Promise<unknown>, then: (page: Page) => Promise<unknown>): Screen => ({
  name,
  at: path,
  async open(stage) {
    const customer = await who(stage)
    const page = await stage.visit('/account/change-password/', customer)
    await meddle(page)
    await go(page, path.replace('X', customer.service.id))
    await then(page)
    return page
  },
})

const withFirst = (edit: (service: Service) => Partial<Service>) => (page: Page) =>
  change<Record<string, Service>>(page, serviceCalls, (services) =>
    Object.fromEntries(Object.entries(services).map(([uuid, service], index) => [uuid, index === 0 ? { ...service, ...edit(service) } : service])),
  )

const port = { failure_acknowledged_at: null, msisdn: portAnswers('+64275550111').msisdn }

/** The list of services and the page of each. */
export const dashboardScreens: Screen[] = [
  { name: 'list, one service', at: '/', open: async (stage) => stage.visit('/', await subscriber(stage)) },
  { name: 'list, several services', at: '/', open: async (stage) => stage.visit('/', await heavyUser(stage)) },
  { name: 'list, none', at: '/', open: async (stage) => stage.visit('/', await withoutService(stage)) },
  { name: 'list, expired', at: '/', open: async (stage) => stage.visit('/', await expired(stage)) },
  reached(
    'list, thirty services',
    '/',
    heavyUser,
    (page) =>
      change<Record<string, Service>>(page, serviceCalls, (services) => {
        const known = Object.values(services)
        return Object.fromEntries(Array.from({ length: 30 }, (_, index) => known[index % known.length]!).map((service, index) => [`${service.uuid}-${index}`, { ...service, uuid: `${service.uuid}-${index}` }]))
      }).then(() => answer(page, usageCalls, 424)),
    (page) => page.getByRole('listitem').nth(30).waitFor(),
  ),
  reached('list that did not load', '/', subscriber, (page) => answer(page, serviceCalls, 500), (page) => page.getByRole('button', { name: /try again/i }).waitFor()),

  of('service', subscriber, (page) => says(page, 'Updated')),
  of('service with many add-ons', heavyUser, (page) => says(page, 'World Roaming')),
  of('service, the days explained', subscriber, async (page) => {
    await button(page, 'What are the days remaining?').click()
    await reads(page, 'today included')
  }),
  of('service, its menu', subscriber, async (page, customer) => {
    await openMenu(page, customer)
    await page.getByRole('menuitem', { name: 'Invoices' }).waitFor()
  }),
  of('service that renews', renewing, (page) => says(page, 'Plan renews on')),
  of('service, to renew no more', renewing, async (page, customer) => {
    await openMenu(page, customer)
    await page.getByRole('menuitem', { name: 'Disable Auto Renewal' }).click()
    await page.getByRole('dialog').waitFor()
  }),
  of('service, just set to renew', (stage) => makeSubscriber(stage.world, { card: true }), async (page) => {
    await button(page, 'ENABLE AUTO-RENEWAL').click()
    await says(page, 'Auto Renewal is on')
  }),
  of('service that cannot renew', (stage) => makeSubscriber(stage.world), async (page) => {
    await button(page, 'ENABLE AUTO-RENEWAL').click()
    await says(page, 'Please add a credit card before you enable Auto Renewal.')
  }),
  of('service that is still to renew', renewing, async (page, customer) => {
    await cut(page, '**/api/services/auto_renew/**')
    await openMenu(page, customer)
    await page.getByRole('menuitem', { name: 'Disable Auto Renewal' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable Auto Renewal' }).click()
    await reads(page, 'Sorry, there was an unexpected error.')
  }),
  of('service, expired', expired, (page) => says(page, 'Prepay Plan Expired on')),
  meddled('service, its last cycle', subscriber, (page) =>
    change<UsageSummary>(page, usageCalls, (summary) => ({ ...summary, plan: { ...summary.plan, is_final_cycle: true } })), (page) => says(page, 'This is the last data cycle')),
  meddled('service, all used', subscriber, (page) =>
    change<UsageSummary>(page, usageCalls, (summary) => ({
      ...summary,
      days_remaining: 1,
      plan: {
        ...summary.plan,
        entitlements: [
          ...(summary.plan.entitlements ?? []).map((each) => ({ ...each, remainingAllowance: { ...each.remainingAllowance, amount: 0 } })),
          { name: 'Minutes', totalAllowance: { amount: 100, unit: 'Mins' }, remainingAllowance: { amount: 88, unit: 'Mins' } },
        ],
      },
    })), (page) => says(page, '1 day')),
  meddled('service, usage on its way', subscriber, (page) => hold(page, usageCalls)),
  meddled('service, usage unknown', subscriber, (page) => cut(page, usageCalls), (page) => button(page, 'Refresh').waitFor()),
  meddled('service, the network silent', subscriber, (page) =>
    change<UsageSummary>(page, usageCalls, (summary) => ({ ...summary, addons: null, read_at: null, plan: { ...summary.plan, entitlements: null } })), (page) => button(page, 'Refresh').waitFor()),
  reached('service with a plan to follow', '/services/X/', subscriber, withFirst((service) => ({
    schedules: Object.fromEntries(Object.entries(service.schedules).map(([id, schedule]) => [id, { ...schedule, auto_recharge_enabled: true, next_plan: { title: '15 GB Prepay Plan', length: 30, starts_on: service.expiry_date } }])),
  })), (page) => says(page, 'Your next Prepay Plan is paid for')),
  reached('service, its number on the way', '/services/X/', heavyUser, withFirst(() => ({ porting_request: { ...port, status: 1 } })), (page) => reads(page, 'We’re moving')),
  reached('service, its number did not come', '/services/X/', heavyUser, withFirst(() => ({ porting_request: { ...port, status: 4 } })), (page) => reads(page, 'has failed.')),
]
