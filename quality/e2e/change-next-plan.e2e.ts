import { expect, test } from 'vitest'
import { createNextPlan, readNextPlan, readOrder, readRefundedCents } from '#quality/support/next-plan.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { getLink, openPageAsCustomer, reads } from './account.ts'
import { shop } from './purchase-steps.ts'
import { says } from './dashboard.ts'
import { usePortal } from './use-portal.ts'

const portal = usePortal()

test(
  'a customer changes the next plan, and the old one is refunded once the new one has been paid for',
  { timeout: 120_000 },
  async () => {
    const waiting = await createNextPlan(portal.world())
    const { customer, service, orderCode } = waiting
    const page = await openPageAsCustomer(portal, 'phone', customer)
    await page.goto(`/services/${service.id}/`)
    await getLink(page, 'Change next plan').click()
    await reads(page, 'Your 15 GB Prepay Plan of $36.00 will be refunded in full once the new plan is paid for.')
    await page.getByRole('heading', { name: 'Choose your next plan' }).waitFor()
    expect(await page.getByRole('heading', { name: 'When should it start?' }).count()).toBe(0)
    await page.getByRole('slider', { name: 'Plan length' }).press('End')
    await page.getByRole('radio', { name: /^5 GB/ }).first().check()
    await shop.renewWithSaved(page)
    const code = await shop.renewed(page)
    await reads(page, 'Your 15 GB Prepay Plan of $36.00 is being cancelled and refunded in full.')
    await pollUntil(async () => (await readRefundedCents(portal.world(), orderCode)) === 3600)
    expect((await readOrder(portal.world(), orderCode)).state).toBe('cancelled')
    expect((await readOrder(portal.world(), code)).state).toBe('completed')
    expect((await readNextPlan(waiting))?.title).toMatch(/^5 GB/)
    await getLink(page, /^Back to/).click()
    await says(page, 'Next plan starts on')
  },
)
