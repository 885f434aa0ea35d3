import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeSubscriber, type Subscriber } from '#testing/customer.ts'
import { travelTo, type Traveller } from '#testing/journey.ts'
import { useSim } from '#testing/simulators.ts'
import { signIn } from './account.ts'
import { enlargeText, leftByStayers, spaceOut, spoiledWordsIn, targetsOn } from './measure.ts'
import { expectNoSideways, usePortal } from './portal.ts'

const portal = usePortal()

let customer: Subscriber
let chooser: Traveller
let payer: Traveller

beforeAll(async () => {
  const world = portal.world()
  customer = await makeSubscriber(world, { card: true, plan: 'plan-90-25gb', last_name: 'Te Whanga-Featherstonehaugh' })
  const { iccid } = customer.service.sim
  await useSim(world, { iccid, type: 'data', amount: 6_600 })
  await useSim(world, { iccid, type: 'voice', amount: 75, destination: '64215550101' })
  ;[chooser, payer] = [await travelTo(world, 'METHOD_ENTERED'), await travelTo(world, 'PAYMENT')]
})

type Place = { path: () => string; who: () => Traveller | Subscriber; heading: string; action: (page: Page) => Locator }

const button = (name: string | RegExp) => (page: Page) => page.getByRole('main').getByRole('button', { name })
const link = (name: string) => (page: Page) => page.getByRole('main').getByRole('link', { name })
const service = () => `/services/${customer.service.id}/`

/** The pages with most on them, and what somebody came to do there. */
const places: [string, Place][] = [
  ['the plans', { path: () => '/activate/plans/', who: () => chooser, heading: 'Choose Your Prepay Plan', action: button('CONTINUE') }],
  ['the checkout', { path: () => '/activate/checkout/', who: () => payer, heading: 'Payment', action: button(/^ACTIVATE/) }],
  ['the dashboard', { path: service, who: () => customer, heading: '25 GB Prepay Plan', action: link('RENEW OR BUY PREPAY PLAN') }],
  ['the add-ons', { path: () => `${service()}addons/`, who: () => customer, heading: 'Purchase Add-Ons', action: button('CONTINUE') }],
  ['the renewal', { path: () => `/services/renew/${customer.service.shortId}/plan/`, who: () => customer, heading: 'Renew Prepay Plan', action: button(/^RENEW WITH/) }],
  ['the usage detail', { path: () => `${service()}detail/`, who: () => customer, heading: 'Usage Detail', action: button('Refresh') }],
  ['the invoice', { path: () => `${service()}invoices/${customer.service.orderCode}/`, who: () => customer, heading: 'Tax Invoice', action: link('Download PDF') }],
  ['the contact details', { path: () => '/account/contact-details/', who: () => customer, heading: 'Contact Details', action: button('SAVE') }],
]

/** What is left of a desktop's window of 1280 by 1024. */
const zoomed = (percent: number) => ({ width: 1280 / (percent / 100), height: 1024 / (percent / 100) })

async function openPlace({ path, who, heading }: Place, options: BrowserContextOptions): Promise<Page> {
  const page = await portal.open('desktop', options)
  await signIn(page.context(), who(), portal.world().url)
  await page.goto(path())
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  // What the network says comes after the page.
  await page.getByText('Loading', { exact: true }).waitFor({ state: 'detached' })
  if (/^.services.[^/]+.(detail.)?$/.test(path())) await page.getByText(/^Updated \d/).first().waitFor()
  return page
}

/** Nothing lies sideways, everything can be read, and what the reader came for can be pressed. */
async function expectUsable(page: Page, action: Locator): Promise<void> {
  await expectNoSideways(page)
  expect(await spoiledWordsIn(page.locator('body'))).toEqual([])
  await action.scrollIntoViewIfNeeded()
  const isInReach = await action.evaluate((element) => {
    const { left, right, top, height } = element.getBoundingClientRect()
    const hit = document.elementFromPoint((left + right) / 2, top + height / 2)
    return left >= 0 && right <= document.documentElement.clientWidth && (hit === element || element.contains(hit))
  })
  expect(isInReach, 'the action is in reach').toBe(true)
}

const twiceAsSharp: BrowserContextOptions = { deviceScaleFactor: 2 }

test.each(places)('%s at 200% and 400%, with text twice as big and with text spaced out', async (_, place) => {
  const page = await openPlace(place, { ...twiceAsSharp, viewport: zoomed(200) })
  await expectUsable(page, place.action(page))
  await page.setViewportSize(zoomed(400))
  await expectUsable(page, place.action(page))
  expect(await leftByStayers(page)).toBeGreaterThan(.6)

  for (const [change, width] of [[enlargeText, 640], [enlargeText, 1280], [spaceOut, 1280], [spaceOut, 320]] as const) {
    await page.setViewportSize({ width, height: 800 })
    const undo = await change(page)
    await expectUsable(page, place.action(page))
    await undo()
  }
})

test.each([200, 400])('what opens over a page at %i% fits and scrolls', async (percent) => {
  const page = await openPlace(places[0]![1], { ...twiceAsSharp, viewport: zoomed(percent) })
  await page.getByRole('button', { name: 'Show all plans' }).click()
  const dialog = page.getByRole('dialog', { name: 'All Prepay Plans' })
  await dialog.getByRole('table').first().waitFor()
  expect(await spoiledWordsIn(dialog)).toEqual([])
  expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await dialog.getByRole('button').last().click()
  await dialog.waitFor({ state: 'hidden' })
})

describe('on a phone of 320 pixels', () => {
  test.each(places)('%s: everything to press is 44 pixels high', async (_name, place) => {
    const page = await openPlace(place, { viewport: { width: 320, height: 640 } })
    const targets = await targetsOn(page)
    expect(targets.length).toBeGreaterThan(3)
    expect(targets.filter(({ width, height }) => height < 43.9 || width < 24)).toEqual([])
  })

  test.each(['/login/', '/forgot-password/', '/activate/', '/use-voucher/NONE/'])('%s: the same', async (path) => {
    const page = await portal.open('phone', { viewport: { width: 320, height: 640 } })
    await page.goto(path)
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('navigation', { name: 'Site' }).waitFor()
    expect((await targetsOn(page)).filter(({ width, height }) => height < 43.9 || width < 24)).toEqual([])
  })
})
