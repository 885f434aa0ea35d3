import { expect, test } from 'vitest'
import { aNextPlan, nextOf, orderOf, refunded } from '#quality/support/next-plan.ts'
import { until } from '#quality/support/until.ts'
import { link, openAs, reads } from './account.ts'
import { shop } from './buying.ts'
import { says } from './dashboard.ts'
import { usePortal } from './portal.ts'

const portal = usePortal()

test(
  'a customer changes the next plan, and the old one is refunded once the new one is paid for',
  { timeout: 120_000 },
  async () => {
    const waiting = await aNextPlan(portal.world())
    const { customer, service, orderCode } = waiting
    const page = await openAs(portal, 'phone', customer)
    await page.goto(`/services/${service.id}/`)
    await link(page, 'Change next plan').click()
    await reads(page, 'Your 15 GB Prepay Plan of $36.00 is refunded in full once the new one is paid for.')
    await page.getByRole('heading', { name: 'Choose your next plan' }).waitFor()
    expect(await page.getByRole('heading', { name: 'When should it start?' }).count()).toBe(0)
    await page.getByRole('slider', { name: 'Plan length' }).press('End')
    await page.getByRole('radio', { name: /^5 GB/ }).first().check()
    await shop.renewWithSaved(page)
    const code = await shop.renewed(page)
    await reads(page, 'Your 15 GB Prepay Plan of $36.00 is being cancelled and refunded in full.')
    await until(async () => (await refunded(portal.world(), orderCode)) === 3600)
    expect((await orderOf(portal.world(), orderCode)).state).toBe('cancelled')
    expect((await orderOf(portal.world(), code)).state).toBe('completed')
    expect((await nextOf(waiting))?.title).toMatch(/^5 GB/)
    await link(page, /^Back to/).click()
    await says(page, 'Next plan starts on')
  },
)
