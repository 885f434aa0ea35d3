import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { formatDate } from '#kit/contract/dates.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { advanceClockTo, zone } from '#quality/support/auto-renewal.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { failNetwork, addSimUsage } from '#quality/support/simulators.ts'
import { newEmail } from '#quality/support/world.ts'
import { getButton, expectDashboard, getLink, logIn, waitForMailedLink, openPageAsCustomer, reads } from './account.ts'
import { getListEntries, openService, getServicePath, says, expectTextsAbsent, expectOnAllSizes } from './dashboard.ts'
import { usePortal } from './use-portal.ts'
import { expectHeading, wizard } from './wizard.ts'

const portal = usePortal()
const world = () => portal.world()
const now = () => world().deps.clock.now().toZonedDateTimeISO(zone)

// Start at 10 am, so that a test's first day does not reach midnight.
beforeAll(() => advanceClockTo(world(), now().add({ days: 1 }).withPlainTime({ hour: 10 })))

test(
  'a 90-day plan is shown correctly from activation until it ends, and its number is shown correctly afterwards',
  { timeout: 240_000 },
  async () => {
    const email = newEmail()
    const sim = await world().newSim()
    const number = formatNational(sim.msisdn)
    const page = await portal.open('desktop')
    const first = now().toPlainDate()
    const at = (day: number, time: string) =>
      advanceClockTo(world(), first.add({ days: day }).toZonedDateTime({ timeZone: zone, plainTime: time }))
    const date = (day: number) => formatDate(first.add({ days: day }).toString(), zone)

    await wizard.simPack(page, sim)
    await wizard.signup(page, { email })
    await wizard.buyNow(page)
    await page.getByRole('slider', { name: 'Plan length' }).press('ArrowRight')
    await wizard.choosePlan(page, /^25 GB/)
    await wizard.card(page)
    await wizard.activate(page)
    await wizard.success(page)
    await says(page, '25 GB Prepay Plan · 90 days', number)
    await page.goto(await waitForMailedLink(world(), email, '/verify/'))
    await reads(page, 'Thank you, your email address is confirmed.')
    await page.goto('/login/')
    await logIn(page, { email, password: 'korimako 1' })
    await expectDashboard(page)
    await says(getListEntries(page).first(), number, '25 GB Prepay Plan', '90 day Prepay Plan')
    const path = (await getListEntries(page).first().getByRole('link').getAttribute('href')) ?? ''
    const ends = `Plan expires on ${date(90)}`

    await openService(page, path)
    await expectOnAllSizes(
      page,
      number,
      ends,
      '30 days of 30',
      `Data renews at midnight on ${date(30)}`,
      'left of 25 GB',
    )

    await at(29, '23:00')
    await openService(page, path)
    await expectOnAllSizes(page, ends, '1 day of 30', `Data renews at midnight on ${date(30)}`)
    await expectTextsAbsent(page, '25 GB left of 25 GB')

    await at(30, '00:00:01')
    await openService(page, path)
    await expectOnAllSizes(
      page,
      ends,
      '30 days of 30',
      `Data renews at midnight on ${date(60)}`,
      '25 GB left of 25 GB',
      '0 GB of 25 GB',
    )
    await says(getListEntries(page).first(), '25 GB of 25 GB left')

    await at(60, '12:00')
    await openService(page, path)
    await expectOnAllSizes(page, ends, '30 days of 30', 'This is the last data cycle of your Prepay Plan.')
    await expectTextsAbsent(page, 'Data renews at midnight on')
    await getButton(page, 'What does ‘days remaining’ mean?').click()
    await says(
      page,
      `Days left on your Prepay Plan, counting today. It ends at midnight on ${date(90)}, ` +
        `so your last day is ${date(89)}. This is its last data cycle.`,
    )

    await at(89, '23:55')
    await openService(page, path)
    await expectOnAllSizes(page, ends, '1 day of 30')
    await at(90, '00:00:01')
    await page.reload()
    const expired = () => [
      `Prepay Plan Expired on ${date(90)}!`,
      'Your Phone Number will be reserved for 50 days past your Prepay Plan expiry.',
      `The last day to keep it is ${date(90 + 49)}.`,
      'Renew a Prepay Plan to keep your Phone Number.',
    ]
    await expectOnAllSizes(page, number, ...expired())
    await expectTextsAbsent(page, 'expires on', 'Days remaining')
    await says(getListEntries(page).first(), 'Prepay Plan Expired')

    await at(90 + 49, '12:00')
    await page.reload()
    await expectOnAllSizes(page, number, ...expired())
    await page.goto('/')
    await says(getListEntries(page).first(), number, 'Prepay Plan Expired')

    await at(90 + 51, '12:00')
    await page.goto('/')
    await expectOnAllSizes(page, 'Welcome, Ana', 'No phone numbers yet')
    await expectTextsAbsent(page, number)
    const gone = await page.request.get(path)
    expect([
      gone.status(),
      (await gone.text()).includes('Unfortunately we could not find what you were looking for'),
    ]).toEqual([404, true])
    await page.goto(`${path}invoices/`)
    await expectHeading(page, 'Purchase History')
    await says(page, date(0), '$109.65', 'VIEW INVOICE')
    const subjects = (await world().mailTo(email)).map(({ subject }) => subject).toReversed()
    expect(subjects.filter((subject) => subject.includes(number))).toEqual([
      `7 days left on ${number}`,
      `3 days left on ${number}`,
      `Today is the last day of your plan for ${number}`,
      `Your Prepay Plan for ${number} has expired`,
      `You will lose ${number} in 14 days`,
      `You will lose ${number} in 7 days`,
      `You will lose ${number} tomorrow`,
    ])
  },
)

const weeks = ['Last 7 days', '1 week earlier', '2 weeks earlier', '3 weeks earlier', '4 weeks earlier']
const unavailable = 'Unfortunately, your usage detail is not available at this moment.'
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const rows = (page: Page) => page.getByRole('tabpanel').getByRole('row')

test('the usage page shows five weeks of usage by day, with each call and each text message', async () => {
  const customer = await makeCustomer(world(), { services: 1, plan: 'plan-90-5gb' })
  const iccid = customer.services[0]?.sim.iccid ?? ''
  await advanceClockTo(world(), now().add({ days: 36 }).withPlainTime({ hour: 12 }))
  await addSimUsage(world(), { iccid, type: 'voice', amount: 75, destination: '64215550101' })
  await addSimUsage(world(), { iccid, type: 'sms', amount: 1, destination: '64215550102' })
  const today = now().toPlainDate()
  const day = (ago: number) => formatDate(today.subtract({ days: ago }).toString(), zone)

  const page = await openPageAsCustomer(portal, 'desktop', customer)
  await openService(page, getServicePath(customer))
  await getLink(page, 'USAGE DETAILS').click()
  await expectHeading(page, 'Usage Detail')
  await expectOnAllSizes(
    page,
    'Last 7 days',
    `${day(6)} – ${day(0)}`,
    'Date Data Usage (MB)',
    'used in these 7 days',
    'Updated',
  )
  expect(await rows(page).count()).toBe(8)

  await tab(page, 'Data').press('ArrowRight')
  await expectOnAllSizes(page, 'Date To Number Duration', '021 555 0101 1:15')
  await page.keyboard.press('ArrowRight')
  await expectOnAllSizes(page, 'Date To Number', '021 555 0102')
  await expectTextsAbsent(page, 'Duration')
  await page.keyboard.press('Home')
  expect(await tab(page, 'Data').getAttribute('aria-selected')).toBe('true')

  const [earlier, later] = [getButton(page, 'Earlier week'), getButton(page, 'Later week')]
  for (const [week, name] of weeks.entries()) {
    await says(page, name, `${day(6 + 7 * week)} – ${day(7 * week)}`, day(3 + 7 * week), 'Updated')
    expect(await rows(page).count()).toBe(8)
    if (week < 4) await earlier.click()
  }
  expect([await earlier.getAttribute('aria-disabled'), new URL(page.url()).search]).toEqual(['true', '?page=4'])
  await page.reload()
  await says(page, '4 weeks earlier', 'Updated')
  await later.click()
  await says(page, '3 weeks earlier', 'Updated')
  await page.goBack()
  await says(page, '4 weeks earlier')

  await addSimUsage(world(), { iccid, type: 'data', amount: 777 })
  await failNetwork(world(), { operation: 'usage', kind: 'error_500' })
  await world().advance('PT1M')
  await page.goto(`${getServicePath(customer)}detail/`)
  await expectOnAllSizes(page, unavailable)
  await getButton(page, 'Refresh').click()
  await says(page, 'used in these 7 days', day(0))
  await expectTextsAbsent(page, unavailable)
  expect(Number((await rows(page).nth(1).innerText()).split('\t').at(-1)?.replaceAll(',', ''))).toBeGreaterThanOrEqual(
    777,
  )
})
