import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import { newPortableNumber, setPortState } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { reads } from './account.ts'
import { applyViewport, expectValidPage } from './inspect-page.ts'
import { usePortal } from './use-portal.ts'
import { resizePage } from './resize-page.ts'

const portal = usePortal({ env: () => ({ DESK_PORT: '0' }) })
const world = portal.world

const diary: string[] = []
afterAll(() => console.log(diary.join('\n')))

async function inspectDesk(page: Page): Promise<void> {
  const usual = page.viewportSize()
  for (const scheme of ['light', 'dark'] as const) {
    await applyViewport(page, { width: 1280, scheme })
    await expectValidPage(page, `${page.url()}, 1280 px, ${scheme}`)
    await resizePage(page, { width: 360, height: 740 })
    await expectValidPage(page, `${page.url()}, 360 px, ${scheme}`)
  }
  await page.emulateMedia({ colorScheme: null })
  if (usual) await resizePage(page, usual)
}

async function aDeclinedPort() {
  const customer = await makeCustomer(world(), { services: 1, last_name: 'Hohepa' })
  const number = await newPortableNumber(world(), 'played')
  const [service] = customer.services
  const answers = { ...portForm(number), billing_method: 2, account_number: '40118277', prepaid_sim_number: '' }
  expect((await customer.visitor.post(`/api/services/port/${service!.id}/`, answers)).status).toBe(200)
  await comesTo(`${service!.id}-port-1`, 'NEW')
  await setPortState(world(), { msisdn: number, state: 'declined' })
  await comesTo(`${service!.id}-port-1`, 'FAILED')
  return { customer, number, service: service! }
}

const comesTo = (reference: string, status: string) =>
  pollUntil(async () => {
    const port = await world()
      .db.selectFrom('porting_requests')
      .select('status')
      .where('external_id', '=', reference)
      .executeTakeFirst()
    const isThere = (await world().ledgers()).network.some(({ external_id: id }) => id === reference)
    return isThere && port?.status === status
  })

test('staff correct the account number for a declined number transfer, and the new request succeeds', async () => {
  const { customer, number, service } = await aDeclinedPort()
  const national = formatNational(number)
  const page = await portal.open('desktop', { baseURL: world().deskUrl ?? '' })
  await page.goto('/sign-in/')
  await page.getByRole('button', { name: /Hine Walker/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  const count = { keys: 0, presses: 0, began: performance.now() }
  const key = async (name: string) => {
    count.keys++
    await page.keyboard.press(name)
  }
  const type = async (text: string) => {
    count.keys += text.length
    await page.keyboard.type(text)
  }
  const press = async (name: string | RegExp) => {
    count.presses++
    await page.getByRole('button', { name }).first().click()
  }

  // Keep pressing the shortcut, because it only works once the page's script has loaded.
  const ports = page.getByRole('heading', { level: 1, name: 'Ports' })
  await expect.poll(async () => (await ports.count()) > 0 || (await key('g'), await key('p'), false)).toBe(true)
  await reads(page, national)
  await inspectDesk(page)
  const row = page.getByRole('link', { name: national })
  await expect
    .poll(async () => (await row.evaluate((link) => link === document.activeElement)) || (await key('j'), false))
    .toBe(true)
  await key('Enter')
  await page.getByRole('heading', { level: 1, name: national }).waitFor()
  await reads(page, 'Skinny has a different account number for this number.')
  await inspectDesk(page)

  await key('e')
  const drawer = page.getByRole('dialog', { name: 'Correct and resubmit' })
  const account = drawer.getByLabel('Account number')
  await account.click()
  await key('End')
  await type('3')
  count.presses++
  await drawer.getByLabel('Reason').selectOption({ label: 'Wrong details sent' })
  const changes = drawer.getByRole('region', { name: 'Changes' })
  await expect.poll(() => changes.innerText()).toContain('401182773')
  await inspectDesk(page)
  await press('Send request 2')
  await page.waitForURL(`**/ports/${service.id}-port-2/`)
  await reads(page, '2 requests')
  const seconds = ((performance.now() - count.began) / 1_000).toFixed(1)
  diary.push(`port declined, account number wrong: ${seconds} s, ${count.presses} presses, ${count.keys} keys`)
  await inspectDesk(page)

  await comesTo(`${service.id}-port-2`, 'NEW')
  for (const state of ['awaitingCustomerReply', 'confirmed', 'completed'])
    await setPortState(world(), { msisdn: number, state })
  await comesTo(`${service.id}-port-2`, 'COMPLETED')
  await page.goto('/ports/?of=done')
  await page.getByRole('link', { name: national }).click()
  await page.getByRole('heading', { level: 1, name: national }).waitFor()
  await reads(page, 'Moved')
  const asked = await world()
    .db.selectFrom('audit_events')
    .select(['actor', 'reason'])
    .where('user_id', '=', customer.id)
    .where('event', '=', 'number_transfer_requested')
    .where('staff_id', 'is not', null)
    .execute()
  expect(asked).toEqual([{ actor: 'staff:Hine Walker', reason: 'details' }])

  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Ana Hohepa' }).click()
  await page.getByRole('button', { name: 'A task' }).click()
  await page.getByRole('heading', { level: 1, name: 'Ana Hohepa' }).waitFor()
  await reads(page, 'Wrong details sent')
  await page.getByRole('link', { name: new RegExp(`^${national} from Skinny, transferred`) }).click()
  await page.waitForURL(`**/ports/${service.id}-port-2/`)
})
