import { rmSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { createKeaProvider } from '#quality/support/kea-provider.ts'
import { openPageAsCustomer, reads, addSessionCookies } from './account.ts'
import { shop } from './purchase-steps.ts'
import { inspectPage } from './inspect-page.ts'
import { expectNoOverflow, usePortal } from './use-portal.ts'

const plans = Array.from({ length: 1_000 }, (_, index) => ({
  unique_id: `kowhai-${index}`,
  title: `Kōwhai ${index}`,
  length_days: 28,
  price_cents: 2_000 + index,
  data_gb: 1 + (index % 50),
}))
const folder = createKeaProvider(plans)
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const portal = usePortal({ env: () => ({ PROVIDER_DIR: folder }) })

/** Finds a plan whose name has a macron, and chooses it. */
async function findPlan(page: Page): Promise<void> {
  const field = page.getByRole('searchbox', { name: 'Search plans' }).first()
  await field.fill('kowhai 777')
  await reads(page, '1 of 1000 plans')
  await page.getByRole('radio', { name: '28 GB $27.77' }).check()
  await field.fill('no such plan')
  await reads(page, 'No plans match your search. Try an amount of data, a price or a name.')
  await expectNoOverflow(page)
  await field.fill('')
}

test('a new customer finds one of 1,000 plans on a phone', async () => {
  const page = await portal.open('phone', { viewport: { width: 390, height: 844 } })
  await addSessionCookies(page.context(), await advanceWizardTo(portal.world(), 'METHOD_ENTERED'), portal.world().url)
  await page.goto('/activate/plans/')
  await findPlan(page)
  await expect.poll(() => page.getByRole('radio', { name: /^\d+ GB/ }).count()).toBe(25)
  await page.getByRole('button', { name: 'Show more plans' }).click()
  await expect.poll(() => page.getByRole('radio', { name: /^\d+ GB/ }).count()).toBe(49)
  await inspectPage(page)
  await page.getByRole('button', { name: 'CONTINUE' }).click()
  await page.getByRole('textbox', { name: 'Card number' }).waitFor()
  await reads(page, '$27.77')
})

test('a customer finds one of 1,000 plans to renew with on a phone', async () => {
  const customer = await makeCustomer(portal.world(), { card: true, plan: 'kowhai-1' })
  const page = await openPageAsCustomer(portal, 'phone', customer)
  await shop.renewal(page, customer.services[0]!)
  await page.getByRole('radio', { name: 'Choose another plan' }).check()
  await findPlan(page)
  expect(await page.getByRole('radio', { name: '28 GB $27.77' }).isChecked()).toBe(true)
  await inspectPage(page)
})
