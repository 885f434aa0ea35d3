import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { makeSubscriber } from '#quality/support/customer.ts'
import { addSimUsage } from '#quality/support/simulators.ts'
import { phoneNumberPattern, says } from './dashboard.ts'
import {
  enlargeText,
  measureUnobstructedShare,
  applyTextSpacing,
  findClippedText,
  findTouchTargets,
  findTextOnGauges,
} from './layout-checks.ts'
import { type ContextOptions, expectNoOverflow, usePortal } from './use-portal.ts'
import { visitorChoosingPlan, payingVisitor } from './screens/people.ts'
import { once, type Screen, createStage } from './screens/screen.ts'
import { screenFromLink, openedScreen } from './screens/screen-builders.ts'
import { expectHeading } from './wizard.ts'
import { resizePage } from './resize-page.ts'

const portal = usePortal()

const customer = once(async (world) => {
  const subscriber = await makeSubscriber(world, {
    card: true,
    plan: 'plan-90-25gb',
    last_name: 'Te Whanga-Featherstonehaugh',
  })
  const { iccid } = subscriber.service.sim
  await addSimUsage(world, { iccid, type: 'data', amount: 6_600 })
  await addSimUsage(world, { iccid, type: 'voice', amount: 75, destination: '64215550101' })
  return subscriber
})

type Action = (page: Page) => Locator

const button =
  (name: string | RegExp): Action =>
  (page) =>
    page.getByRole('main').getByRole('button', { name })
const link =
  (name: string): Action =>
  (page) =>
    page.getByRole('main').getByRole('link', { name })
const titled = (h1: string) => (page: Page) => expectHeading(page, h1)
// Wait for the page, and then for the network's data, which arrives later.
const updated = (h1: string | RegExp) => async (page: Page) => {
  await expectHeading(page, h1)
  await says(page, 'Updated')
}

const places: [Screen, Action][] = [
  [
    openedScreen('the plans', '/activate/plans/', visitorChoosingPlan, titled('Choose Your Prepay Plan')),
    button('CONTINUE'),
  ],
  [openedScreen('the checkout', '/activate/checkout/', payingVisitor, titled('Payment')), button(/^ACTIVATE/)],
  [
    openedScreen('the dashboard', '/services/U/', customer, updated(phoneNumberPattern)),
    link('RENEW OR BUY PREPAY PLAN'),
  ],
  [openedScreen('the alerts', '/services/U/alerts/', customer, titled('Alerts')), button('SAVE')],
  [openedScreen('the add-ons', '/services/U/addons/', customer, titled('Purchase Add-Ons')), button('CONTINUE')],
  [
    openedScreen('the renewal', '/services/renew/R/plan/', customer, titled('Renew Prepay Plan')),
    button(/^RENEW WITH/),
  ],
  [openedScreen('the usage detail', '/services/U/detail/', customer, updated('Usage Detail')), button('Refresh')],
  [
    screenFromLink('the invoice', '/services/U/invoices/O/', customer, {
      link: async ({ service }) => `/services/${service.id}/invoices/${service.orderCode}/`,
      act: titled('Tax Invoice'),
    }),
    link('Download PDF'),
  ],
  [
    openedScreen('the contact details', '/account/contact-details/', customer, titled('Contact Details')),
    button('SAVE'),
  ],
]
const named = places.map(([screen, action]) => [screen.name, screen, action] as const)

const zoomed = (percent: number) => ({ width: 1280 / (percent / 100), height: 1024 / (percent / 100) })

async function expectUsable(page: Page, action: Locator): Promise<void> {
  await expectNoOverflow(page)
  expect(await findClippedText(page.locator('body'))).toEqual([])
  // Scroll and check in one go, and keep trying until the resized page has stopped moving.
  const isInReach = () =>
    action.evaluate((element) => {
      element.scrollIntoView({ block: 'center', behavior: 'instant' })
      const { left, right, top, height } = element.getBoundingClientRect()
      const hit = document.elementFromPoint((left + right) / 2, top + height / 2)
      return left >= 0 && right <= document.documentElement.clientWidth && (hit === element || element.contains(hit))
    })
  await expect.poll(isInReach, { message: 'the action is in reach', timeout: 10_000 }).toBe(true)
}

const twiceAsSharp: ContextOptions = { deviceScaleFactor: 2 }

test.each(named)(
  '%s is usable when zoomed to 200% and 400%, with text at twice the size, and with increased text spacing',
  async (_, place, action) => {
    const page = await place.open(createStage(portal, {}, { ...twiceAsSharp, viewport: zoomed(200) }))
    await expectUsable(page, action(page))
    await resizePage(page, zoomed(400))
    await expectUsable(page, action(page))
    expect(await measureUnobstructedShare(page)).toBeGreaterThan(0.6)

    for (const [change, width] of [
      [enlargeText, 390],
      [enlargeText, 640],
      [enlargeText, 1280],
      [applyTextSpacing, 1280],
      [applyTextSpacing, 320],
    ] as const) {
      await resizePage(page, { width, height: 800 })
      const undo = await change(page)
      await expectUsable(page, action(page))
      expect(change === enlargeText ? await findTextOnGauges(page) : []).toEqual([])
      await undo()
    }
  },
)

test.each([200, 400])('a dialog fits and scrolls when its page is zoomed to %i%', async (percent) => {
  const page = await places[0]![0].open(createStage(portal, {}, { ...twiceAsSharp, viewport: zoomed(percent) }))
  await page.getByRole('button', { name: 'Show all plans' }).click()
  const dialog = page.getByRole('dialog', { name: 'All Prepay Plans' })
  await dialog.getByRole('table').first().waitFor()
  expect(await findClippedText(dialog)).toEqual([])
  expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await dialog.getByRole('button').last().click()
  await dialog.waitFor({ state: 'hidden' })
})

describe('touch targets on a phone that is 320 pixels wide', () => {
  test.each(named)(
    'every touch target on %s is at least 44 pixels high at a width of 320 pixels',
    async (_name, place) => {
      const page = await place.open(createStage(portal, {}, { viewport: { width: 320, height: 640 } }))
      const targets = await findTouchTargets(page)
      expect(targets.length).toBeGreaterThan(3)
      expect(targets.filter(({ width, height }) => height < 43.9 || width < 24)).toEqual([])
    },
  )

  test.each(['/login/', '/forgot-password/', '/activate/', '/use-voucher/NONE/'])(
    'every touch target on %s with an open menu is at least 44 pixels high at a width of 320 pixels',
    async (path) => {
      const page = await portal.open('phone', { viewport: { width: 320, height: 640 } })
      await page.goto(path)
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('navigation', { name: 'Site' }).waitFor()
      expect((await findTouchTargets(page)).filter(({ width, height }) => height < 43.9 || width < 24)).toEqual([])
    },
  )
})

test('the layout check reports text that is cut off or overlaps, in the order in which it appears on the page', async () => {
  const page = await portal.open('desktop')
  await page.setContent(`<body style="font:16px/24px sans-serif">
      <p style="position:absolute; top:204px">Lower of two lines</p>
      <p style="position:absolute; top:200px">Upper of two lines</p>
      <p style="position:absolute; top:300px; width:80px; overflow:hidden; white-space:nowrap">Too long for its box</p>
      <p style="position:absolute; top:400px; height:20px; overflow:hidden">Too<br>high for its box</p>
      <div style="position:fixed; top:500px"><p>A bar that stays</p></div>
      <p style="position:absolute; top:500px">Words that scroll out from under it</p>
      <p style="position:absolute; top:600px">Touches</p><p style="position:absolute; top:620px">the next line</p>
      <div style="clip-path:inset(50%)"><p style="position:absolute; top:200px">Only for a screen reader</p></div>
      <p style="position:absolute; top:204px; visibility:hidden">Hidden</p>`)
  expect(await findClippedText(page.locator('body'))).toEqual([
    'cut off: Too long for its box',
    'cut off: Toohigh for its box',
    'across each other: Lower of two lines | Upper of two lines',
  ])
})
