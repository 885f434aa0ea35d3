import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import type { CatalogueFile } from '#quality/support/catalogue-file.ts'
import { inviteStaff } from '#quality/support/staff-member.ts'
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

async function sitAt(name: RegExp, size: 'phone' | 'desktop' = 'desktop') {
  const page = await portal.open(size, { baseURL: world().deskUrl ?? '' })
  await page.goto('/sign-in/')
  await page.getByRole('button', { name }).click()
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  const count = { keys: 0, presses: 0, began: performance.now() }
  return {
    page,
    async key(what: string) {
      count.keys++
      await page.keyboard.press(what)
    },
    async press(role: 'button' | 'link', what: string | RegExp) {
      count.presses++
      await page.getByRole(role, { name: what }).first().click()
    },
    async inspect() {
      const began = performance.now()
      await inspectDesk(page)
      count.began += performance.now() - began
    },
    tell(what: string) {
      const seconds = ((performance.now() - count.began) / 1_000).toFixed(1)
      diary.push(`${what}: ${seconds} s, ${count.presses} presses, ${count.keys} keys`)
    },
  }
}

async function editedFile(page: Page, cents: number): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const saved = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download current catalogue' }).click()
  const download = await saved
  const file = JSON.parse(await readFile(await download.path(), 'utf8')) as CatalogueFile
  for (const plan of file.plans) if (plan.unique_id === 'plan-30-5gb') plan.price_cents = cents
  const text = JSON.stringify(file, null, 2)
  return { name: download.suggestedFilename(), mimeType: 'application/json', buffer: Buffer.from(text) }
}

const priceShown = async () => (await world().visitor().get('/api/products/')).body['plan-30-5gb']?.price

test('staff draft a price increase and request approval; it is approved on a phone and takes effect at the planned midnight', async () => {
  const jo = await sitAt(/Jo Tan/)
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
  // Keep pressing the shortcut, because it only works once the page's script has loaded.
  await expect
    .poll(async () => {
      if (jo.page.url().endsWith('/catalogue/')) return true
      await jo.key('g')
      await jo.key('k')
      return false
    })
    .toBe(true)
  await heading(jo.page, 'Catalogue')
  await jo.inspect()

  await jo.press('button', 'New draft')
  const field = jo.page.getByLabel(/^Catalogue file/)
  await field.setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('{"plans": [{}]}') })
  await jo.press('button', 'Check and save')
  await reads(jo.page, 'line 1: plans.0.unique_id: is missing.')
  await jo.inspect()
  await jo.press('button', 'Close')

  const edited = await editedFile(jo.page, 2_400)
  expect(edited.name).toMatch(/^catalogue-\d+\.json$/)
  await jo.press('button', 'New draft')
  await field.setInputFiles(edited)
  await jo.press('button', 'Check and save')
  await heading(jo.page, /^Draft \d+$/)
  await reads(jo.page, '5 GB Prepay Plan: price $22.00 → $24.00')
  await jo.page.reload()
  await reads(jo.page, '5 GB Prepay Plan: price $22.00 → $24.00')
  await jo.inspect()
  await jo.press('button', 'Publish')
  const at = jo.page.getByLabel('Date and time', { exact: true })
  await at.waitFor()
  const midnight = Temporal.PlainDateTime.from(await at.inputValue())
    .toZonedDateTime('Pacific/Auckland')
    .toInstant()
  await jo.inspect()
  await jo.page.getByLabel('Reason').selectOption({ label: 'New prices' })
  await jo.press('button', 'Request approval')
  await reads(jo.page, 'Request sent. You’ll see the result on the Today page.')
  jo.tell('price rise on the first, asked for')

  const mere = await sitAt(/Mere Ngata/, 'phone')
  const card = mere.page.getByRole('article', { name: /^New catalogue/ })
  await card.getByText('5 GB Prepay Plan: price $22.00 → $24.00').waitFor()
  await mere.inspect()
  await mere.press('button', 'Approve')
  await card.waitFor({ state: 'detached' })
  mere.tell('price rise on the first, approved')

  await jo.page.goto('/')
  await reads(jo.page, /Mere Ngata approved the new catalogue from 1 /)
  await jo.press('link', /^Version \d+$/)
  await heading(jo.page, /^Version \d+$/)
  await reads(jo.page, 'Scheduled')
  await jo.inspect()

  const minutes = Math.floor(world().deps.clock.now().until(midnight).total('minutes')) - 1
  await world().advance(`PT${minutes}M`)
  expect(await priceShown()).toBe('22.00')
  await world().advance('PT3M')
  await expect.poll(priceShown).toBe('24.00')
  await jo.page.reload()
  await reads(jo.page, 'On sale now')
}, 240_000)

async function openWithPasskey(): Promise<Page> {
  const page = await portal.open('desktop', { baseURL: world().deskUrl ?? '' })
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const device = { protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true } as const
  const options = { ...device, hasResidentKey: true, hasUserVerification: true, isUserVerified: true }
  await cdp.send('WebAuthn.addVirtualAuthenticator', { options })
  const token = await inviteStaff(world(), { roles: ['admin'], name: 'Ari Kemp' })
  await page.goto(`/invited/${token}/`)
  await page.getByLabel('Name of this passkey').fill('Laptop')
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  return page
}

test('publishing a catalogue asks staff for their passkey again, even if they have only just signed in with it', async () => {
  const page = await openWithPasskey()
  await page.goto('/catalogue/')
  const before = Math.round(Number(await priceShown()) * 100)
  const edited = await editedFile(page, before - 100)
  await page.getByRole('button', { name: 'New draft' }).click()
  await page.getByLabel(/^Catalogue file/).setInputFiles(edited)
  await page.getByRole('button', { name: 'Check and save' }).click()
  await page.getByRole('heading', { level: 1, name: /^Draft \d+$/ }).waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByLabel('Now').click()
  await page.getByLabel('Reason').selectOption({ label: 'New prices' })
  const asked = page.waitForRequest('**/api/desk/confirm/')
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await asked
  await page.getByRole('heading', { level: 1, name: /^Version \d+$/ }).waitFor()
  expect(Math.round(Number(await priceShown()) * 100)).toBe(before - 100)
})
