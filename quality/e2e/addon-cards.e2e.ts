import { expect, test } from 'vitest'
import { makeSubscriber } from '#quality/support/customer.ts'
import { openPageAsCustomer } from './account.ts'
import { usePortal } from './use-portal.ts'
import { resizePage } from './resize-page.ts'
import { expectHeading } from './wizard.ts'

const portal = usePortal()

test('add-on cards appear one per row on a phone, two on a tablet and three on a desktop', async () => {
  const customer = await makeSubscriber(portal.world(), { card: true })
  const page = await openPageAsCustomer(portal, 'desktop', customer)
  await page.goto(`/services/${customer.service.id}/addons/`)
  await expectHeading(page, 'Purchase Add-Ons')
  const cards = page.getByRole('group', { name: /^International Roaming/ }).getByRole('radio')
  const inARow = async (width: number): Promise<number> => {
    await resizePage(page, { width, height: 900 })
    const lefts = await cards.evaluateAll((radios) => radios.map((radio) => radio.getBoundingClientRect().left))
    expect(lefts.length).toBeGreaterThanOrEqual(3)
    return new Set(lefts).size
  }
  expect([await inARow(390), await inARow(768), await inARow(1280)]).toEqual([1, 2, 3])
})
