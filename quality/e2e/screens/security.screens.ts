import type { Page } from 'playwright-core'
import { type AuditEvent, audit } from '#kit/server/audit.ts'
import { eventLabels } from '#features/security/server/event.labels.ts'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { logInWithUserAgent, userAgents } from '#quality/support/browser-names.ts'
import { getButton, reads } from '../account.ts'
import { mockResponse, hold } from './page-calls.ts'
import { once, type Screen, type Stage } from './screen.ts'
import { openedScreen, screenByNavigation } from './screen-builders.ts'

const security = '/account/security/'
const sessions = '**/api/account/sessions/'
const events = '**/api/account/security_events/'

async function onThreeDevices({ world }: Pick<Stage, 'world'>): Promise<Customer> {
  const customer = await makeCustomer(world)
  const visitor = await logInWithUserAgent(world, customer, userAgents.chromeOnWindows)
  await logInWithUserAgent(world, customer, userAgents.safariOnIphone)
  await logInWithUserAgent(world, customer, userAgents.samsungOnAndroid)
  await customer.visitor.post('/api/account/logout/')
  const longAgo = new Date(Date.now() - 5 * 86_400_000)
  await world.db
    .updateTable('sessions')
    .set({ last_seen_at: longAgo })
    .where('user_id', '=', customer.id)
    .where('system', '=', 'Android')
    .execute()
  return { ...customer, visitor }
}

/** A customer who is signed in on three devices, for screens that do not change sessions. */
const threeDevices = once((world) => onThreeDevices({ world }))

const withEvents = once(async (world) => {
  const customer = await makeCustomer(world)
  const happen = (event: AuditEvent) => audit(world.db, world.deps.clock, { event, userId: customer.id })
  for (const event of Object.keys(eventLabels) as AuditEvent[]) await happen(event)
  for (let times = 1; times < 12; times++) await happen('login_failed')
  return customer
})

const signOutFirst = (page: Page): Promise<void> => getButton(page, 'Log out').first().click()

export const securityScreens: Screen[] = [
  openedScreen(
    'security, one session',
    security,
    (stage) => makeCustomer(stage.world),
    (page) => reads(page, 'You’re not logged in anywhere else.'),
  ),
  openedScreen('security, three sessions', security, threeDevices, (page) =>
    reads(page, 'Samsung Internet on Android'),
  ),
  openedScreen('security, one signed out', security, onThreeDevices, async (page) => {
    await signOutFirst(page)
    await reads(page, 'Safari on iPhone is logged out.')
  }),
  openedScreen('security, all others signed out', security, onThreeDevices, async (page) => {
    await getButton(page, 'Log out everywhere else').click()
    await reads(page, 'You’re logged out everywhere else.')
  }),
  openedScreen('security, being signed out', security, threeDevices, async (page) => {
    await hold(page, `${sessions}*/`)
    await signOutFirst(page)
    await page.getByRole('button', { name: 'Logging out' }).waitFor()
  }),
  openedScreen('security, signing out fails', security, threeDevices, async (page) => {
    await mockResponse(page, `${sessions}*/`, 500)
    await signOutFirst(page)
    await reads(page, 'Something went wrong.')
  }),
  openedScreen('security, many events', security, withEvents, (page) => reads(page, '12 times')),
  screenByNavigation('security, not loaded', security, threeDevices, {
    prepare: async (page) => {
      await mockResponse(page, sessions, 500)
      await mockResponse(page, events, 500)
    },
    act: (page) =>
      page
        .getByRole('button', { name: /try again/i })
        .last()
        .waitFor(),
  }),
]
