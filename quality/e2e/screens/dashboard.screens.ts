import type { Page } from 'playwright-core'
import { appendZone, getCommaAfterZone } from '#kit/contract/zone-name.ts'
import type { PlanStatusView, Service } from '#features/services/services.contract.ts'
import type { UsageSummary } from '#features/usage/usage.contract.ts'
import { portingRequestView } from '#quality/support/account.ts'
import { makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { createNextPlan } from '#quality/support/next-plan.ts'
import { setAutoRenewal } from '#quality/support/auto-renewal.ts'
import type { World } from '#quality/support/world.ts'
import { getButton, getLink, reads } from '../account.ts'
import { getPhoneNumber, says, usageRequestPattern } from '../dashboard.ts'
import { zone } from './market.ts'
import { mockResponse, editResponse, cut, hold } from './page-calls.ts'
import { customerWithExpiredPlan, heavyUser, buildPortForm, subscriber, customerWithoutService } from './people.ts'
import { once, type Screen, type Stage } from './screen.ts'
import { openedScreen, preparedScreen, screenByNavigation } from './screen-builders.ts'

const serviceCalls = '**/api/services/'

const renewing = once(async (world) => {
  const customer = await makeSubscriber(world, { card: true })
  await setAutoRenewal({ customer, service: customer.service }, 'PUT')
  return customer
})

const waiting = once(async (world) => (await createNextPlan(world)).customer)

const openMenu = (page: Page, customer: Subscriber): Promise<void> =>
  getButton(page, `More about ${getPhoneNumber(customer)}`).click()

const withFirst =
  (edit: (service: Service, world: World) => Partial<Service>) =>
  (page: Page, _: unknown, { world }: Stage) =>
    editResponse<Record<string, Service>>(page, serviceCalls, (services) =>
      Object.fromEntries(
        Object.entries(services).map(([uuid, service], index) => [
          uuid,
          index === 0 ? { ...service, ...edit(service, world) } : service,
        ]),
      ),
    )

const portOf = (world: World, status: 1 | 4) => portingRequestView({ status, msisdn: buildPortForm(world).msisdn })

/** Plan statuses that a running product would take days to reach. */
const outlooks: (Pick<PlanStatusView, 'state' | 'tone' | 'title' | 'text'> & Partial<PlanStatusView>)[] = [
  {
    state: 'card_trouble',
    tone: 'bad',
    title: 'Your plan can’t renew yet',
    text:
      `Visa ending 1111 expired in October 2026. Update it before **${appendZone('9 am on 10 Jan 2027', zone)}**, ` +
      'or your plan expires on 11 Jan 2027.',
    card_button: 'Update card',
  },
  {
    state: 'gave_up',
    tone: 'bad',
    title: 'Plan expires on 11 Jan 2027',
    text:
      'We couldn’t charge Visa ending 1111. Auto-renewal is off. ' +
      `Renew before **${appendZone('midnight tonight', zone)}**${getCommaAfterZone(zone)} to stay connected.`,
    card_button: 'Update card',
  },
  {
    state: 'ends_soon',
    tone: 'soon',
    title: '3 days left',
    text: 'Plan expires on 11 Jan 2027. Your last day is **10 Jan 2027**. Renew today and the next plan starts on 11 Jan 2027: you lose nothing.',
  },
  {
    state: 'next_plan_paid',
    tone: 'good',
    title: 'Next plan starts on 11 Jan 2027',
    text: '**25 GB, 90 days**, paid on 10 Jan 2027. It starts automatically when this plan expires on 11 Jan 2027. Auto-renewal continues after that plan.',
  },
  {
    state: 'next_plan_cancelling',
    tone: 'calm',
    title: 'We’re cancelling your next plan',
    text:
      'The network still has to confirm the cancellation. You don’t need to do anything. We’ll email you when it’s cancelled ' +
      'and return what you paid. Your current plan works as usual until it expires on 11 Jan 2027.',
  },
]

const runningOut = (summary: UsageSummary): UsageSummary => ({
  ...summary,
  forecast: {
    text: 'At about **1.4 GB** a day your data runs out around **03 Dec 2026**, about 9 days early.',
    add_data: 'Add data from $4.00',
  },
})

export const dashboardScreens: Screen[] = [
  openedScreen('list, one service', '/', subscriber),
  openedScreen('list, several services', '/', heavyUser),
  openedScreen('list, none', '/', customerWithoutService),
  openedScreen('list, expired', '/', customerWithExpiredPlan),
  screenByNavigation('list, thirty services', '/', heavyUser, {
    prepare: (page) =>
      editResponse<Record<string, Service>>(page, serviceCalls, (services) => {
        const known = Object.values(services)
        return Object.fromEntries(
          Array.from({ length: 30 }, (_, index) => known[index % known.length]!).map((service, index) => [
            `${service.uuid}-${index}`,
            { ...service, uuid: `${service.uuid}-${index}` },
          ]),
        )
      }).then(() => mockResponse(page, usageRequestPattern, 424)),
    act: (page) => page.getByRole('listitem').nth(30).waitFor(),
  }),
  screenByNavigation('list that did not load', '/', subscriber, {
    prepare: (page) => mockResponse(page, serviceCalls, 500),
    act: (page) => page.getByRole('button', { name: /try again/i }).waitFor(),
  }),

  openedScreen('service', '/services/U/', subscriber, (page) => says(page, 'Updated')),
  openedScreen('service with many add-ons', '/services/U/', heavyUser, (page) => says(page, 'World Roaming')),
  openedScreen('service, the days explained', '/services/U/', subscriber, async (page) => {
    await getButton(page, 'What does ‘days remaining’ mean?').click()
    await reads(page, 'counting today')
  }),
  openedScreen('service, its menu', '/services/U/', subscriber, async (page, customer) => {
    await openMenu(page, customer)
    await page.getByRole('menuitem', { name: 'Invoices' }).waitFor()
  }),
  openedScreen('service that renews', '/services/U/', renewing, (page) => says(page, 'Plan renews on')),
  openedScreen('service, to renew no more', '/services/U/', renewing, async (page, customer) => {
    await openMenu(page, customer)
    await page.getByRole('menuitem', { name: 'Disable Auto Renewal' }).click()
    await page.getByRole('dialog').waitFor()
  }),
  openedScreen(
    'service, the terms of auto-renewal',
    '/services/U/',
    (stage) => makeSubscriber(stage.world, { card: true }),
    async (page) => {
      await getButton(page, 'ENABLE AUTO-RENEWAL').click()
      await says(page.getByRole('dialog'), 'You pay')
    },
  ),
  openedScreen(
    'service, just set to renew',
    '/services/U/',
    (stage) => makeSubscriber(stage.world, { card: true }),
    async (page) => {
      await getButton(page, 'ENABLE AUTO-RENEWAL').click()
      await page.getByRole('dialog').getByRole('button', { name: 'ENABLE AUTO-RENEWAL' }).click()
      await says(page, 'Plan renews on')
    },
  ),
  openedScreen(
    'service that cannot renew',
    '/services/U/',
    (stage) => makeSubscriber(stage.world),
    async (page) => {
      await getButton(page, 'ENABLE AUTO-RENEWAL').click()
      await page.getByRole('dialog').getByRole('link', { name: 'Add credit card' }).waitFor()
    },
  ),
  ...outlooks.map((outlook) =>
    screenByNavigation(`service, ${outlook.title}`, '/services/U/', subscriber, {
      prepare: withFirst((service) => ({ outlook: { ...service.outlook, ...outlook } })),
      act: (page) => page.getByRole('heading', { name: outlook.title }).waitFor(),
    }),
  ),
  openedScreen('service, its next plan', '/services/U/', waiting, (page) => says(page, 'Next plan starts on')),
  openedScreen('service, its next plan to be cancelled', '/services/U/', waiting, async (page) => {
    await getButton(page, 'Cancel next plan').click()
    await says(page.getByRole('dialog'), 'We’ll refund')
  }),
  openedScreen('service, its next plan that cannot be cancelled', '/services/U/', waiting, async (page) => {
    await mockResponse(page, '**/api/services/next_plan/**', 400)
    await getButton(page, 'Cancel next plan').click()
    await says(page.getByRole('dialog'), 'can’t be loaded')
  }),
  openedScreen('service that is still to renew', '/services/U/', renewing, async (page, customer) => {
    await cut(page, '**/api/services/auto_renew/**')
    await openMenu(page, customer)
    await page.getByRole('menuitem', { name: 'Disable Auto Renewal' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable Auto Renewal' }).click()
    await reads(page, 'Sorry, there was an unexpected error.')
  }),
  openedScreen('service, expired', '/services/U/', customerWithExpiredPlan, (page) =>
    says(page, 'Prepay Plan Expired on'),
  ),
  openedScreen(
    'service, its only cycle',
    '/services/U/',
    (stage) => makeSubscriber(stage.world),
    (page) => says(page, 'Your data lasts as long as your Prepay Plan.'),
  ),
  preparedScreen('service, its last cycle', '/services/U/', subscriber, {
    prepare: (page) =>
      editResponse<UsageSummary>(page, usageRequestPattern, (summary) => ({
        ...summary,
        plan: { ...summary.plan, is_final_cycle: true },
      })),
    act: (page) => says(page, 'This is the last data cycle'),
  }),
  preparedScreen('service, all used', '/services/U/', subscriber, {
    prepare: (page) =>
      editResponse<UsageSummary>(page, usageRequestPattern, (summary) => ({
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
    act: (page) => getLink(page, /^Add 2 GB for /).waitFor(),
  }),
  screenByNavigation('service, how long its data lasts', '/services/U/', subscriber, {
    prepare: (page) =>
      editResponse<UsageSummary>(page, usageRequestPattern, (summary) => ({
        ...summary,
        forecast: {
          text: 'At about **0.7 GB** a day your data lasts until it renews on 12 Dec 2026, with about 4.5 GB to spare.',
          add_data: null,
        },
      })),
    act: (page) => says(page, 'your data lasts until'),
  }),
  screenByNavigation('service, its data runs out early', '/services/U/', subscriber, {
    prepare: (page) => editResponse<UsageSummary>(page, usageRequestPattern, runningOut),
    act: (page) => getLink(page, 'Add data from $4.00').waitFor(),
  }),
  screenByNavigation('usage, its data runs out early', '/services/U/detail/', subscriber, {
    prepare: (page) => editResponse<UsageSummary>(page, usageRequestPattern, runningOut),
    act: (page) => getLink(page, 'Add data from $4.00').waitFor(),
  }),
  preparedScreen('service, usage on its way', '/services/U/', subscriber, {
    async prepare(page, { service }, { world }) {
      await world.db.deleteFrom('usage_readings').where('service_id', '=', service.id).execute()
      await hold(page, usageRequestPattern)
    },
  }),
  preparedScreen('service, usage unknown', '/services/U/', subscriber, {
    prepare: (page) => cut(page, usageRequestPattern),
    act: (page) => getButton(page, 'Refresh').waitFor(),
  }),
  preparedScreen('service, the network silent', '/services/U/', subscriber, {
    prepare: (page) =>
      editResponse<UsageSummary>(page, usageRequestPattern, (summary) => ({
        ...summary,
        addons: null,
        read_at: null,
        plan: { ...summary.plan, entitlements: null },
      })),
    act: (page) => getButton(page, 'Refresh').waitFor(),
  }),
  screenByNavigation('service, its number on the way', '/services/U/', heavyUser, {
    prepare: withFirst((_, world) => ({ porting_request: portOf(world, 1) })),
    act: (page) => reads(page, 'We’re moving'),
  }),
  screenByNavigation('service, its number did not come', '/services/U/', heavyUser, {
    prepare: withFirst((_, world) => ({ porting_request: portOf(world, 4) })),
    act: (page) => reads(page, 'has failed.'),
  }),
]
