import type { Page } from 'playwright-core'
import type { Service } from '#features/services/services.contract.ts'
import type { UsageSummary } from '#features/usage/usage.contract.ts'
import { makeSubscriber, type Subscriber } from '#testing/customer.ts'
import { switchAutoRenewal } from '#testing/auto-renewal.ts'
import { portAnswers } from '#testing/journey.ts'
import { button, reads } from '../account.ts'
import { numberOf, says, usageCalls } from '../dashboard.ts'
import { answer, change, cut, hold } from './calls.ts'
import { expired, heavyUser, subscriber, withoutService } from './people.ts'
import { once, type Screen } from './screen.ts'
import { opened, prepared, reached } from './ways.ts'

const serviceCalls = '**/api/services/'

const renewing = once(async (world) => {
  const customer = await makeSubscriber(world, { card: true })
  await switchAutoRenewal({ customer, service: customer.service }, 'PUT')
  return customer
})

const openMenu = (page: Page, customer: Subscriber): Promise<void> =>
  button(page, `More about ${numberOf(customer)}`).click()

const withFirst = (edit: (service: Service) => Partial<Service>) => (page: Page) =>
  change<Record<string, Service>>(page, serviceCalls, (services) =>
    Object.fromEntries(
      Object.entries(services).map(([uuid, service], index) => [
        uuid,
        index === 0 ? { ...service, ...edit(service) } : service,
      ]),
    ),
  )

const port = { failure_acknowledged_at: null, msisdn: portAnswers('+64275550111').msisdn }

/** The list of services and the page of each. */
export const dashboardScreens: Screen[] = [
  opened('list, one service', '/', subscriber),
  opened('list, several services', '/', heavyUser),
  opened('list, none', '/', withoutService),
  opened('list, expired', '/', expired),
  reached('list, thirty services', '/', heavyUser, {
    prepare: (page) =>
      change<Record<string, Service>>(page, serviceCalls, (services) => {
        const known = Object.values(services)
        return Object.fromEntries(
          Array.from({ length: 30 }, (_, index) => known[index % known.length]!).map((service, index) => [
            `${service.uuid}-${index}`,
            { ...service, uuid: `${service.uuid}-${index}` },
          ]),
        )
      }).then(() => answer(page, usageCalls, 424)),
    act: (page) => page.getByRole('listitem').nth(30).waitFor(),
  }),
  reached('list that did not load', '/', subscriber, {
    prepare: (page) => answer(page, serviceCalls, 500),
    act: (page) => page.getByRole('button', { name: /try again/i }).waitFor(),
  }),

  opened('service', '/services/U/', subscriber, (page) => says(page, 'Updated')),
  opened('service with many add-ons', '/services/U/', heavyUser, (page) => says(page, 'World Roaming')),
  opened('service, the days explained', '/services/U/', subscriber, async (page) => {
    await button(page, 'What are the days remaining?').click()
    await reads(page, 'today included')
  }),
  opened('service, its menu', '/services/U/', subscriber, async (page, customer) => {
    await openMenu(page, customer)
    await page.getByRole('menuitem', { name: 'Invoices' }).waitFor()
  }),
  opened('service that renews', '/services/U/', renewing, (page) => says(page, 'Plan renews on')),
  opened('service, to renew no more', '/services/U/', renewing, async (page, customer) => {
    await openMenu(page, customer)
    await page.getByRole('menuitem', { name: 'Disable Auto Renewal' }).click()
    await page.getByRole('dialog').waitFor()
  }),
  opened(
    'service, just set to renew',
    '/services/U/',
    (stage) => makeSubscriber(stage.world, { card: true }),
    async (page) => {
      await button(page, 'ENABLE AUTO-RENEWAL').click()
      await says(page, 'Auto Renewal is on')
    },
  ),
  opened(
    'service that cannot renew',
    '/services/U/',
    (stage) => makeSubscriber(stage.world),
    async (page) => {
      await button(page, 'ENABLE AUTO-RENEWAL').click()
      await says(page, 'Please add a credit card before you enable Auto Renewal.')
    },
  ),
  opened('service that is still to renew', '/services/U/', renewing, async (page, customer) => {
    await cut(page, '**/api/services/auto_renew/**')
    await openMenu(page, customer)
    await page.getByRole('menuitem', { name: 'Disable Auto Renewal' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable Auto Renewal' }).click()
    await reads(page, 'Sorry, there was an unexpected error.')
  }),
  opened('service, expired', '/services/U/', expired, (page) => says(page, 'Prepay Plan Expired on')),
  opened(
    'service, its last cycle',
    '/services/U/',
    (stage) => makeSubscriber(stage.world),
    (page) => says(page, 'This is the last data cycle'),
  ),
  prepared('service, all used', '/services/U/', subscriber, {
    prepare: (page) =>
      change<UsageSummary>(page, usageCalls, (summary) => ({
        ...summary,
        days_remaining: 1,
        renewal_date: new Date(Date.parse(summary.renewal_date) - 29 * 86_400_000).toISOString(),
        plan: {
          ...summary.plan,
          entitlements: [
            ...(summary.plan.entitlements ?? []).map((each) => ({
              ...each,
              remainingAllowance: { ...each.remainingAllowance, amount: 0 },
            })),
            {
              name: 'Minutes',
              totalAllowance: { amount: 100, unit: 'Mins' },
              remainingAllowance: { amount: 88, unit: 'Mins' },
            },
          ],
        },
      })),
    act: (page) => says(page, '1 day'),
  }),
  prepared('service, usage on its way', '/services/U/', subscriber, { prepare: (page) => hold(page, usageCalls) }),
  prepared('service, usage unknown', '/services/U/', subscriber, {
    prepare: (page) => cut(page, usageCalls),
    act: (page) => button(page, 'Refresh').waitFor(),
  }),
  prepared('service, the network silent', '/services/U/', subscriber, {
    prepare: (page) =>
      change<UsageSummary>(page, usageCalls, (summary) => ({
        ...summary,
        addons: null,
        read_at: null,
        plan: { ...summary.plan, entitlements: null },
      })),
    act: (page) => button(page, 'Refresh').waitFor(),
  }),
  reached('service with a plan to follow', '/services/U/', subscriber, {
    prepare: withFirst((service) => ({
      schedules: Object.fromEntries(
        Object.entries(service.schedules).map(([id, schedule]) => [
          id,
          {
            ...schedule,
            auto_recharge_enabled: true,
            next_plan: { title: '15 GB Prepay Plan', length: 30, starts_on: service.expiry_date },
          },
        ]),
      ),
    })),
    act: (page) => says(page, 'Your next Prepay Plan is paid for'),
  }),
  reached('service, its number on the way', '/services/U/', heavyUser, {
    prepare: withFirst(() => ({ porting_request: { ...port, status: 1 } })),
    act: (page) => reads(page, 'We’re moving'),
  }),
  reached('service, its number did not come', '/services/U/', heavyUser, {
    prepare: withFirst(() => ({ porting_request: { ...port, status: 4 } })),
    act: (page) => reads(page, 'has failed.'),
  }),
]
