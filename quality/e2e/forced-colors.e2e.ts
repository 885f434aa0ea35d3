import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { makeSubscriber } from '#quality/support/customer.ts'
import { addSimUsage } from '#quality/support/simulators.ts'
import { computeDifferingShare, type Box, boxOf, computeEdgeContrast, takeScreenshot } from './pixels.ts'
import { usePortal } from './use-portal.ts'
import { visitorChoosingPlan, payingVisitor } from './screens/people.ts'
import { once, createStage } from './screens/screen.ts'
import { preparedScreen, type Owner, type OwnerFactory } from './screens/screen-builders.ts'

// Forced-colours mode removes backgrounds, shadows and shades. Whatever they convey has to remain visible in any system colours.

const portal = usePortal()

const customer = once(async (world) => {
  const subscriber = await makeSubscriber(world, { plan: 'plan-90-25gb' })
  await addSimUsage(world, { iccid: subscriber.service.sim.iccid, type: 'data', amount: 12_500 })
  return subscriber
})

const leftEdge = ({ x, y, height }: Box): Box => ({ x, y: y + height * 0.4, width: 4, height: height * 0.2 })
const topEdge = ({ x, y, width }: Box): Box => ({ x: x + width * 0.2, y, width: width * 0.6, height: 4 })
const bottomEdge = ({ x, y, width, height }: Box): Box => ({
  x: x + width * 0.2,
  y: y + height - 4,
  width: width * 0.6,
  height: 4,
})
const middle = ({ x, y, width, height }: Box): Box => ({
  x: x + width / 2 - 12,
  y: y + height / 2 - 12,
  width: 24,
  height: 24,
})
const fill = ({ x, y, height }: Box): Box => ({ x: x + 12, y: y + height * 0.4, width: 6, height: height * 0.2 })
const stretch = ({ x, y, width, height }: Box, from: number): Box => ({
  x: x + width * from,
  y: y + 2,
  width: width * 0.1,
  height: height - 4,
})
const tip = ({ x, y, width }: Box): Box => ({ x: x + width - 40, y: y - 3, width: 16, height: 6 })
/** Returns the middle of one of the segments (“feathers”) of the usage gauge. `angle` is in degrees from the left. */
function feather({ x, y, width }: Box, angle: number): Box {
  const [radians, unit] = [(angle * Math.PI) / 180, width / 300]
  return {
    x: x + (150 - 120 * Math.cos(radians)) * unit - 6,
    y: y + (150 - 120 * Math.sin(radians)) * unit - 6,
    width: 12,
    height: 12,
  }
}

async function differences(
  page: Page,
  pairs: Record<string, [Locator, Locator, (box: Box) => Box]>,
): Promise<Record<string, number>> {
  const picture = await takeScreenshot(page)
  const found: Record<string, number> = {}
  for (const [name, [one, other, part]] of Object.entries(pairs))
    found[name] = computeDifferingShare(picture, part(await boxOf(one)), part(await boxOf(other)))
  return found
}

/** The minimum share of an edge's pixels that must differ. For an edge four pixels wide, a third is more than a single line of pixels. */
const enough = 0.33

describe.each(['light', 'dark'] as const)('forced colours in the %s theme', (colorScheme) => {
  const open = <T extends Owner>(
    path: string,
    ownerOf: OwnerFactory<T>,
    ready: (page: Page) => Locator,
  ): Promise<Page> =>
    preparedScreen(path, path, ownerOf, {
      prepare: (page) => page.emulateMedia({ forcedColors: 'active', colorScheme }),
      act: (page) => ready(page).first().waitFor(),
    }).open(createStage(portal))

  test('the chosen plan, the current step and the slider stay recognisable in forced-colours mode', async () => {
    const page = await open('/activate/plans/', visitorChoosingPlan, (page) => page.locator('[type="submit"]:enabled'))
    await page.getByRole('radio', { name: /^5 GB/ }).check()
    await page.getByRole('button', { name: 'CONTINUE' }).focus()
    const card = (name: RegExp) => page.locator('div:has(> label)').filter({ has: page.getByRole('radio', { name }) })
    const step = (name: string) =>
      page.getByRole('navigation', { name: 'Progress' }).getByRole('listitem').filter({ hasText: name })
    const slider = page.locator('div:has(> [type="range"])')
    const seen = await differences(page, {
      'chosen card': [card(/^5 GB/), card(/^15 GB/), leftEdge],
      'present step, and one to come': [step('Prepay Plan'), step('Payment'), topEdge],
      'present step, and one that is done': [step('Prepay Plan'), step('Personal'), topEdge],
      'step that is done, and one to come': [step('Personal'), step('Payment'), topEdge],
      'slider’s thumb': [slider.locator('circle[r="11"]'), slider.locator('circle[r="8"]').last(), middle],
      'slider’s fill': [slider.locator('line').last(), slider.locator('line').first(), tip],
    })
    expect(Object.entries(seen).filter(([, share]) => share < enough)).toEqual([])
  })

  test('in forced-colours mode, enabled and disabled buttons look different and stand out from the page', async () => {
    const page = await open('/activate/checkout/', payingVisitor, (page) => page.locator('[type="submit"]:enabled'))
    const button = page.getByRole('button', { name: /^ACTIVATE/ })
    const enabled = await takeScreenshot(page)
    const at = await boxOf(button)
    expect(computeEdgeContrast(enabled, at)).toBeGreaterThan(3)
    await page.getByRole('textbox', { name: 'Card number' }).fill('41')
    await page.getByRole('textbox', { name: 'Name on card' }).focus()
    await button.and(page.locator(':disabled')).waitFor()
    const disabled = await takeScreenshot(page)
    const place = await boxOf(button)
    expect(computeEdgeContrast(disabled, place)).toBeGreaterThan(3)
    expect(computeDifferingShare(enabled, fill(at), fill(place), disabled)).toBeGreaterThan(0.9)
  })

  test('used and remaining data look different in forced-colours mode', async () => {
    const page = await open('/services/U/', customer, (page) => page.getByText(/^Updated \d/))
    const picture = await takeScreenshot(page)
    const [used, gauge] = [
      await boxOf(page.locator('progress[aria-label="Data used"]')),
      await boxOf(page.locator('[role="progressbar"] > svg').last()),
    ]
    expect(computeDifferingShare(picture, stretch(used, 0.2), stretch(used, 0.7))).toBeGreaterThan(0.9)
    expect(computeDifferingShare(picture, feather(gauge, 7.5), feather(gauge, 172.5))).toBeGreaterThan(0.9)
    expect(
      computeEdgeContrast(picture, await boxOf(page.getByRole('link', { name: 'RENEW OR BUY PREPAY PLAN' }))),
    ).toBeGreaterThan(3)
    expect(
      computeEdgeContrast(picture, await boxOf(page.getByRole('button', { name: 'ENABLE AUTO-RENEWAL' }))),
    ).toBeGreaterThan(3)
  })

  test('the current tab looks different from the other tabs in forced-colours mode', async () => {
    const page = await open('/services/U/detail/', customer, (page) => page.getByText(/^Updated \d/))
    const tab = (name: string) => page.getByRole('tab', { name })
    const seen = await differences(page, { tab: [tab('Data'), tab('Calls'), bottomEdge] })
    expect(seen['tab']).toBeGreaterThan(enough)
  })
})
