import { expect, test } from 'vitest'
import { formatDate } from '#kit/contract/dates.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { getRemainingLabel, findMainEntitlement } from '#features/usage/web/usage.labels.ts'
import { readCustomerService, zone } from '#quality/support/auto-renewal.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { buyAddOn } from '#quality/support/purchases.ts'
import { addSimUsage } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { waitForPath, getButton, expectDashboard, getLink, openPageAsCustomer } from './account.ts'
import {
  sizeNames,
  endOf,
  getListEntries,
  list,
  getPhoneNumber,
  openService,
  getServicePath,
  says,
  expectTextsAbsent,
  expectOnAllSizes,
  tabTo,
  usageRequestPattern,
  ways,
} from './dashboard.ts'
import { fantailProvider } from '#quality/support/provider.ts'
import { expectNoOverflow, type Size, sizes, usePortal } from './use-portal.ts'
import { expectHeading, wizard } from './wizard.ts'
import { resizePage } from './resize-page.ts'

const portal = usePortal()
const world = () => portal.world()

test('the dashboard shows a customer who has no service how to activate a SIM', async () => {
  const page = await openPageAsCustomer(portal, 'tablet', await makeCustomer(world()))
  await page.goto('/')
  await expectOnAllSizes(page, 'Welcome, Ana', 'No phone numbers yet')
  expect(await list(page).count()).toBe(0)
  await getLink(page, 'ACCOUNT SETTINGS').click()
  await expectHeading(page, 'Contact Details')
  await getLink(page, 'MY DASHBOARD').click()
  await expectDashboard(page)
  await getLink(page, 'Activate New Sim').click()
  await expectHeading(page, 'Activate a new SIM')
})

test('on a phone, a customer opens a service from the list of numbers on the dashboard and can go back to the list', async () => {
  const customer = await makeCustomer(world(), { services: 2 })
  const page = await openPageAsCustomer(portal, 'phone', customer)
  await page.goto('/')
  await expectDashboard(page)
  await says(
    getListEntries(page).first(),
    getPhoneNumber(customer),
    '5 GB Prepay Plan',
    '30 day Prepay Plan',
    'of 5 GB left',
  )
  await says(page, 'Activate New Sim', 'ACCOUNT SETTINGS')
  await expectTextsAbsent(page, ...ways)
  await expectNoOverflow(page)

  await getListEntries(page).first().getByRole('link').click()
  await expectHeading(page, getPhoneNumber(customer))
  await waitForPath(page, getServicePath(customer))
  await says(page, getPhoneNumber(customer), ...ways)
  expect(await list(page).count()).toBe(0)
  await getLink(page, 'My Dashboard').click()
  await expectDashboard(page)
  await waitForPath(page, '/')
  await page.goBack()
  await expectHeading(page, getPhoneNumber(customer))
  await page.goBack()
  await expectDashboard(page)
  await expectTextsAbsent(page, ...ways)
})

test('on a phone, the dashboard shows a customer’s only service in full, and the full footer below it', async () => {
  const customer = await makeCustomer(world(), { services: 1 })
  const page = await openPageAsCustomer(portal, 'phone', customer)
  await page.goto('/')
  await expectDashboard(page)
  await says(page, getPhoneNumber(customer), ...ways, 'Activate New Sim', 'ACCOUNT SETTINGS')
  await expectTextsAbsent(page, 'My Dashboard')
  const { copyright, menus } = fantailProvider.layout
  await says(page.getByRole('contentinfo'), ...menus.footer.map(({ title }) => title), copyright)
  await expectNoOverflow(page)
})

test.each<Size>(['tablet', 'desktop'])(
  'on a %s, the dashboard opens the first service and marks the open one in the list of numbers',
  async (size) => {
    const customer = await makeCustomer(world(), { services: 2 })
    const page = await openPageAsCustomer(portal, size, customer)
    const openEntry = list(page).locator('[aria-current=page]')
    await page.goto('/')
    await expectDashboard(page)
    await page.getByRole('heading', { level: 2, name: getPhoneNumber(customer) }).waitFor()
    await waitForPath(page, '/')
    await says(openEntry, getPhoneNumber(customer), 'of 5 GB left')
    await says(page, ...ways)
    await expectTextsAbsent(page, 'My Dashboard')
    await expectNoOverflow(page)

    await getListEntries(page).nth(1).getByRole('link').click()
    await expectHeading(page, getPhoneNumber(customer, 1))
    await waitForPath(page, getServicePath(customer, 1))
    await says(openEntry, getPhoneNumber(customer, 1))
    await page.goBack()
    await expectDashboard(page)
    await says(openEntry, getPhoneNumber(customer))
  },
)

test('the dashboard loads the usage of four numbers at a time, and each entry shows its own usage', async () => {
  const customer = await makeCustomer(world(), { services: 6 })
  for (const [index, { sim }] of customer.services.entries())
    await addSimUsage(world(), { iccid: sim.iccid, type: 'data', amount: 150 * index })
  const page = await openPageAsCustomer(portal, 'desktop', customer)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const asked: string[] = []
  let [underWay, most] = [0, 0]
  await page.route(usageRequestPattern, async (route) => {
    asked.push(route.request().url())
    most = Math.max(most, ++underWay)
    await released
    const response = await route.fetch()
    underWay--
    await route.fulfill({ response })
  })
  await page.goto('/')
  await pollUntil(async () => underWay === 4)
  release()
  await pollUntil(async () => asked.length === 6 && underWay === 0)
  for (const [index, { id }] of customer.services.entries()) {
    const { body } = await customer.visitor.get(`/api/account/usage_summary/${id}/`)
    const main = findMainEntitlement(body.plan.entitlements)
    if (!main) throw new Error('a plan without data')
    await says(getListEntries(page).nth(index), getPhoneNumber(customer, index), getRemainingLabel(main))
  }
  expect({ most, asked: new Set(asked).size, first: asked[0]?.includes(customer.services[0]?.id ?? '?') }).toEqual({
    most: 4,
    asked: 6,
    first: true,
  })
  for (const size of sizeNames) {
    await resizePage(page, sizes[size])
    await says(list(page), ...customer.services.map((_, index) => getPhoneNumber(customer, index)))
    await expectNoOverflow(page)
    const { y = -1, height = 0 } = (await getLink(list(page), 'Activate New Sim').boundingBox()) ?? {}
    expect({ size, inSight: y >= 0 && y + height <= sizes[size].height }).toEqual({ size, inSight: true })
  }
})

test('the dashboard says that a plan has expired, and how the customer can keep the number', async () => {
  const customer = await makeCustomer(world(), { services: 1, plan: 'plan-7-500mb' })
  const page = await openPageAsCustomer(portal, 'phone', customer)
  await world().advance('P7D')
  await page.goto('/')
  await resizePage(page, sizes.tablet)
  await says(getListEntries(page).first(), getPhoneNumber(customer), 'Prepay Plan Expired')
  await expectTextsAbsent(getListEntries(page).first(), '500 MB')
  expect(await getListEntries(page).first().locator('svg').count()).toBe(1)
  await getListEntries(page).first().getByRole('link').click()
  await expectHeading(page, getPhoneNumber(customer))
  await expectOnAllSizes(
    page,
    getPhoneNumber(customer),
    `Prepay Plan Expired on ${await endOf(customer)}!`,
    'Your Phone Number will be reserved for 50 days past your Prepay Plan expiry.',
    'The last day to keep it is',
    'Renew a Prepay Plan to keep your Phone Number.',
    'Phone Number Settings',
  )
  await expectTextsAbsent(
    page,
    'Days remaining',
    'expires on',
    'USAGE DETAILS',
    'ENABLE AUTO-RENEWAL',
    'PURCHASE ADD-ONS',
  )
  await getLink(page, 'RENEW OR BUY PREPAY PLAN').click()
  await waitForPath(page, `/services/renew/${customer.services[0]?.shortId}/`)
})

test('the help text about the remaining days can be opened by keyboard', async () => {
  const customer = await makeCustomer(world(), { services: 1, plan: 'plan-90-5gb' })
  const page = await openPageAsCustomer(portal, 'phone', customer)
  await openService(page, getServicePath(customer))
  const asks = getButton(page, 'What does ‘days remaining’ mean?')
  const answer =
    'Days left in this 30-day data cycle, counting today. Unused data doesn’t carry over to the next cycle.'
  for (const size of sizeNames) {
    await resizePage(page, sizes[size])
    await tabTo(page, asks)
    await page.keyboard.press('Enter')
    await says(page, answer)
    await expectNoOverflow(page)
    await page.keyboard.press('Escape')
    await page.getByText(answer).waitFor({ state: 'detached' })
    expect(await asks.evaluate((element) => element === document.activeElement)).toBe(true)
  }
  await page.keyboard.press('Enter')
  await says(page, answer)
})

test('a customer sees the terms before turning on auto-renewal, and must confirm before turning it off', async () => {
  const customer = await makeCustomer(world(), { card: true })
  const end = await endOf(customer)
  const page = await openPageAsCustomer(portal, 'phone', customer)
  const dialog = page.getByRole('dialog', { name: 'Disable Auto Renewal?' })
  const terms = page.getByRole('dialog', { name: 'Turn on auto-renewal?' })
  const menu = getButton(page, `More about ${getPhoneNumber(customer)}`)
  const disable = page.getByRole('menuitem', { name: 'Disable Auto Renewal' })
  const invoices = page.getByRole('menuitem', { name: 'Invoices' })
  for (const size of sizeNames) {
    await resizePage(page, sizes[size])
    await openService(page, getServicePath(customer))
    await says(page, `Plan expires on ${end}`)
    await menu.click()
    await invoices.waitFor()
    expect(await disable.count()).toBe(0)
    await page.keyboard.press('Escape')
    await getButton(page, 'ENABLE AUTO-RENEWAL').click()
    await says(terms, 'You pay', 'Charged', 'Visa ending', 'We email you the exact amount 3 days before every charge.')
    await expectNoOverflow(page)
    await terms.getByRole('button', { name: 'ENABLE AUTO-RENEWAL' }).click()
    await says(page, `Plan renews on ${end}`)
    await expectTextsAbsent(page, 'ENABLE AUTO-RENEWAL')

    await tabTo(page, menu)
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    expect(await invoices.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await invoices.getAttribute('href')).toBe(`${getServicePath(customer)}invoices/`)
    await expectNoOverflow(page)
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await says(dialog, `Your Prepay Plan won’t renew automatically, so it expires on ${end}.`)
    await expectNoOverflow(page)
    await getButton(page, 'Keep auto-renewal').click()
    await dialog.waitFor({ state: 'hidden' })
    await page.reload()
    await says(page, `Plan renews on ${end}`)
    await menu.click()
    await disable.click()
    await dialog.getByRole('button', { name: 'Disable Auto Renewal' }).click()
    await says(page, `Plan expires on ${end}`)
  }
  await getButton(page, 'ENABLE AUTO-RENEWAL').click()
  await terms.getByRole('button', { name: 'ENABLE AUTO-RENEWAL' }).click()
  await says(page, `Plan renews on ${end}`)
  await menu.click()
  await disable.click()
  await dialog.waitFor()
  await getButton(page, 'Keep auto-renewal').click()
  await menu.click()
  await invoices.click()
  await expectHeading(page, 'Purchase History')
  await waitForPath(page, `${getServicePath(customer)}invoices/`)
})

test('turning on auto-renewal without a saved card shows where to add one', async () => {
  const customer = await makeCustomer(world(), { services: 1 })
  const page = await openPageAsCustomer(portal, 'desktop', customer)
  await openService(page, getServicePath(customer))
  await getButton(page, 'ENABLE AUTO-RENEWAL').click()
  await expectOnAllSizes(page, 'Please add a credit card before you enable Auto Renewal.')
  expect(Object.values((await readCustomerService({ customer })).schedules)).toMatchObject([
    { auto_recharge_enabled: false },
  ])
  await getLink(page, 'Add credit card').click()
  await expectHeading(page, 'Payment Method')
})

test('the dashboard shows how much of each add-on is left', async () => {
  const customer = await makeCustomer(world(), { services: 1 })
  const [service] = customer.services
  for (const product of ['extra-2gb', 'roam-au-7', 'extra-500mb'])
    expect((await buyAddOn(world(), customer.visitor, service!, { product })).status).toBe(200)
  const page = await openPageAsCustomer(portal, 'desktop', customer)
  await openService(page, getServicePath(customer))
  const cards = page.getByRole('region', { name: 'Add-Ons' }).getByRole('listitem')
  const ends = (days: number) =>
    `Expires on ${formatDate(world().deps.clock.now().toZonedDateTimeISO(zone).toPlainDate().add({ days }).toString(), zone)}`
  const card = (name: string) => cards.filter({ hasText: name })
  await says(card('Extra 2 GB'), ends(30), '2 GB of 2 GB left')
  await says(card('Extra 500 MB'), ends(7), '500 MB of 500 MB left')
  await says(
    card('Australia Roaming'),
    ends(7),
    'Roaming',
    '1 GB of 1 GB left',
    '100 Mins of 100 Mins left',
    '100 SMS of 100 SMS left',
  )
  expect(await cards.count()).toBe(3)
  await expectOnAllSizes(page, 'Extra 2 GB', 'Extra 500 MB', 'Australia Roaming')
  await getLink(page, 'PURCHASE ADD-ONS').click()
  await waitForPath(page, `${getServicePath(customer)}addons/`)
})

test('a signed-in customer activates a second SIM without signing up again', async () => {
  const customer = await makeCustomer(world(), { services: 1 })
  const page = await openPageAsCustomer(portal, 'phone', customer)
  const sim = await world().newSim()
  const steps: string[] = []
  page.on('framenavigated', (frame) => steps.push(new URL(frame.url()).pathname))
  await page.goto('/')
  await getLink(list(page), 'Activate New Sim').click()
  await expectHeading(page, 'Activate a new SIM')
  await wizard.simPack(page, sim)
  await wizard.buyNow(page)
  await wizard.choosePlan(page, /^15 GB/)
  await wizard.card(page)
  await wizard.activate(page)
  await wizard.success(page)
  await says(page, formatNational(sim.msisdn))
  await expectTextsAbsent(page, 'confirmation email')
  expect(steps).toContain('/activate/method/')
  expect(steps).not.toContain('/activate/signup/')
  await getLink(page, 'See your usage').click()
  await expectHeading(page, formatNational(sim.msisdn))
  await says(page, '15 GB Prepay Plan')
  await page.goto('/')
  await expectDashboard(page)
  await says(getListEntries(page).first(), getPhoneNumber(customer), '5 GB Prepay Plan')
  await says(getListEntries(page).nth(1), formatNational(sim.msisdn), '15 GB Prepay Plan', 'of 15 GB left')
  expect(await getListEntries(page).count()).toBe(2)
})
