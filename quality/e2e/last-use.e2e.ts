import { expect, test } from 'vitest'
import { makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { addSimUsage } from '#quality/support/simulators.ts'
import { getButton, openPageAsCustomer } from './account.ts'
import { says, expectTextsAbsent, usageRequestPattern } from './dashboard.ts'
import { expectFaults, usePortal } from './use-portal.ts'

const portal = usePortal()
const world = () => portal.world()

async function aCustomer(): Promise<Subscriber> {
  const customer = await makeSubscriber(world(), { plan: 'plan-90-25gb' })
  await world().advance('P10D')
  await addSimUsage(world(), { iccid: customer.service.sim.iccid, type: 'data', amount: 9_000 })
  await world().db.deleteFrom('usage_readings').where('service_id', '=', customer.service.id).execute()
  await customer.visitor.get(`/api/account/usage_summary/${customer.service.id}/`)
  return customer
}

test('the latest usage reading appears without JavaScript, unless it is more than six hours old', async () => {
  const customer = await aCustomer()
  const page = await openPageAsCustomer(portal, 'phone', customer, { javaScriptEnabled: false })
  for (const path of ['/', `/services/${customer.service.id}/`]) {
    await page.goto(path)
    await says(page, 'left of 25 GB', 'Updated', 'At about', 'runs out around', 'No Add-Ons')
    const { height } = (await page.locator('p:has-text("At about")').boundingBox()) ?? { height: 0 }
    // If the style sheet has not loaded, the drawing is not smaller than the text next to it.
    const drawing = await page.locator('div:has(> p:has-text("At about")) > svg').boundingBox()
    expect(drawing?.height).toBeLessThan(height)
  }
  await world().advance('PT7H')
  await page.reload()
  await expectTextsAbsent(page, 'left of 25 GB', 'Updated', 'At about')
})

test('the latest usage reading stays visible until the page’s script has started and the network has responded', async () => {
  const customer = await aCustomer()
  const page = await openPageAsCustomer(portal, 'phone', customer)
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(globalThis, { seen })
    const holds = (node: Node): boolean => node.textContent?.includes('At about') === true
    new MutationObserver((changes) => {
      for (const { removedNodes } of changes) if ([...removedNodes].some(holds)) seen.push('taken away')
    }).observe(document, { subtree: true, childList: true })
  })
  const answered = page.waitForResponse(usageRequestPattern)
  await page.goto('/')
  expect((await answered).status()).toBe(200)
  // Wait for the alerts, which are the last data that the page requests.
  await says(page, 'At about', 'At 80% and 100% of your data')
  expect(await page.evaluate('seen')).toEqual([])
})

test('if a usage request fails, the page says so and no longer shows the previous reading', async () => {
  const customer = await aCustomer()
  const page = await openPageAsCustomer(portal, 'desktop', customer)
  expectFaults(page, /usage_summary|net::ERR_FAILED/)
  await page.route(usageRequestPattern, (route) => route.abort())
  await page.goto('/')
  await says(page, 'Sorry, your usage details are currently unavailable. Please refresh and try again.')
  await expectTextsAbsent(page, 'left of 25 GB')
  expect(await getButton(page, 'Refresh').count()).toBe(1)
})
