import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import { createNextPlan } from '#quality/support/next-plan.ts'
import { newPortableNumber } from '#quality/support/simulators.ts'
import { getButton, getLink, openPageAsCustomer, reads } from './account.ts'
import { expectHeading } from './wizard.ts'
import { usePortal } from './use-portal.ts'

/*
 * The most common tasks on a phone, for a signed-in customer with one number and a saved card. docs/beside-others.md states how many taps
 * each task takes.
 */
const portal = usePortal()
const world = () => portal.world()

const table = readFileSync(join(import.meta.dirname, '../../docs/beside-others.md'), 'utf8')
/** Looks up how many taps a task takes according to docs/beside-others.md, in rows such as `| See what is left | 1 |`. */
const promised = (job: string): number => Number(table.match(new RegExp(`^\\| ${job} +\\| (\\d) `, 'm'))?.[1] ?? NaN)

async function atHome(customer: Pick<Subscriber, 'visitor'>) {
  const page = await openPageAsCustomer(portal, 'phone', customer)
  await page.goto('/')
  await expectHeading(page, /^Welcome/)
  let taps = 0
  return {
    page,
    taps: () => taps,
    async tap(target: Locator): Promise<void> {
      await target.click()
      taps++
    },
  }
}
describe('number of taps from the home page to complete a task', () => {
  test('checking how much data is left takes as many taps as documented', async () => {
    const { page, taps } = await atHome(await makeSubscriber(world(), { card: true }))
    await page.getByText('left of').first().waitFor()
    expect(taps()).toBe(promised('See what is left'))
  })

  test('renewing the same plan takes as many taps as documented', async () => {
    const { page, taps, tap } = await atHome(await makeSubscriber(world(), { card: true }))
    await tap(getLink(page, 'RENEW OR BUY PREPAY PLAN'))
    await tap(getButton(page, 'RENEW WITH VISA **** 1111'))
    await expectHeading(page, 'Renewal Successful!')
    expect(taps()).toBe(promised('Renew the same plan'))
  })

  test('buying more data takes as many taps as documented', async () => {
    const { page, taps, tap } = await atHome(await makeSubscriber(world(), { card: true }))
    await tap(getLink(page, 'PURCHASE ADD-ONS'))
    await tap(page.getByRole('radio', { name: /^Extra 2 GB/ }))
    await tap(getButton(page, 'CONTINUE'))
    await tap(getButton(page, 'CONFIRM & PAY'))
    await expectHeading(page, 'Add-On Purchase Successful!')
    expect(taps()).toBe(promised('Buy more data'))
  })

  test('cancelling a next plan that has already been paid for takes as many taps as documented', async () => {
    const { customer } = await createNextPlan(world())
    const { page, taps, tap } = await atHome(customer)
    await tap(getButton(page, 'Cancel next plan'))
    await tap(page.getByRole('dialog').getByRole('button', { name: 'Cancel and refund' }))
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(taps()).toBe(promised('Take back a plan that is paid for'))
  })

  test('checking the state of a number transfer takes as many taps as documented', async () => {
    const customer = await makeSubscriber(world(), { card: true })
    const number = await newPortableNumber(world(), 'waits_for_reply')
    const asked = await customer.visitor.post(`/api/services/port/${customer.service.id}/`, portForm(number))
    expect(asked.status).toBe(200)
    const { page, taps } = await atHome(customer)
    await reads(page, /^We’re moving/)
    expect(taps()).toBe(promised('See where a transfer stands'))
  })
})
