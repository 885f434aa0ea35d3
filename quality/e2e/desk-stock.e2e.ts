import { Buffer } from 'node:buffer'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { headerLine, formatPack, createSimStock } from '#quality/support/sim-stock.ts'
import { inspectPage } from './inspect-page.ts'
import { usePortal } from './use-portal.ts'

const portal = usePortal({ env: () => ({ DESK_PORT: '0' }) })
const world = portal.world

const diary: string[] = []
afterAll(() => console.log(diary.join('\n')))

async function sitAt(name: RegExp) {
  const page = await portal.open('desktop', { baseURL: world().deskUrl ?? '' })
  await page.goto('/sign-in/')
  await page.getByRole('button', { name }).click()
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  const count = { keys: 0, presses: 0, began: performance.now() }
  return {
    page,
    async press(what: string | RegExp) {
      count.presses++
      await page.getByRole('button', { name: what }).first().click()
    },
    async go(what: string) {
      count.presses++
      await page.getByRole('link', { name: what }).first().click()
    },
    async type(label: string, text: string) {
      count.keys += text.length
      await page.getByLabel(label).fill(text)
    },
    async choose(label: string, value: string) {
      count.presses += 2
      await page.getByLabel(label).selectOption(value)
    },
    tell(what: string) {
      const seconds = ((performance.now() - count.began) / 1_000).toFixed(1)
      diary.push(`${what}: ${seconds} s, ${count.presses} presses, ${count.keys} keys`)
    },
  }
}

const packs = 100_000
const bad = 41

function aLargeFile(): Buffer {
  const packOf = createSimStock(world().deps.market.code, packs)
  const every = Math.floor(packs / bad)
  let left = bad
  const lines = Array.from({ length: packs }, (_, n) => {
    const pack = packOf(n)
    if (n % every !== 7 || left === 0) return formatPack(pack)
    left--
    return formatPack({ ...pack, iccid: `${pack.iccid.slice(0, 12)}O${pack.iccid.slice(13)}` })
  })
  return Buffer.from(`${[headerLine, ...lines].join('\n')}\n`)
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

test('staff load a file of 100,000 SIM packs and can download its 41 invalid lines', async () => {
  const file = { name: 'sim-packs-christchurch.csv', mimeType: 'text/csv', buffer: aLargeFile() }
  const hine = await sitAt(/Hine Walker/)
  const { page } = hine
  await hine.go('Stock')
  await heading(page, 'Stock')
  await inspectPage(page)
  await hine.go('Load SIM packs')
  await heading(page, 'Load SIM packs')
  await page.getByLabel('CSV file').setInputFiles(file)
  await inspectPage(page)
  await hine.press('Upload and check')
  await page.waitForURL(/\/stock\/loads\/\w{8}\/$/, { timeout: 120_000 })
  await heading(page, file.name)
  hine.tell('100,000 SIM packs, sent')
  await page.reload()
  await heading(page, file.name)
  const load = page.getByRole('button', { name: 'Load the 99,959 good lines' })
  await load.waitFor({ timeout: 120_000 })
  hine.tell('100,000 SIM packs, checked')
  expect(await page.getByRole('table', { name: 'Bad lines' }).getByRole('row').count()).toBe(bad + 1)
  expect(await page.locator('mark').first().textContent()).toBe('O')
  await inspectPage(page)
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download bad lines' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/^bad-lines-\w{8}\.csv$/)
  await hine.press('Load the 99,959 good lines')
  await page.reload()
  await page.getByText('99,959 SIM packs are on sale').waitFor({ timeout: 120_000 })
  hine.tell('100,000 SIM packs of which 41 are bad')
  await inspectPage(page)
  const { loaded } = await world()
    .db.selectFrom('sim_loads')
    .select('loaded')
    .where('file_name', '=', file.name)
    .executeTakeFirstOrThrow()
  expect(loaded).toBe(packs - bad)
}, 400_000)

test('vouchers can only be created with a second person’s approval, and their codes can be downloaded only once', async () => {
  const jo = await sitAt(/Jo Tan/)
  await jo.go('Stock')
  await jo.go('Make vouchers')
  await heading(jo.page, 'Make vouchers')
  await jo.type('Number of vouchers', '500')
  await jo.choose('Plan', 'plan-30-5gb')
  await jo.type('Valid until the end of', '2027-12-31')
  await jo.choose('Reason', 'retail')
  await jo.page.getByText(/500 vouchers × 5 GB Prepay Plan/).waitFor()
  await inspectPage(jo.page)
  await jo.press('Request approval')
  await heading(jo.page, /^Batch /)
  await inspectPage(jo.page)
  jo.tell('500 vouchers, asked for')
  const mere = await sitAt(/Mere Ngata/)
  const card = mere.page.getByRole('article', { name: /Make voucher batch .*500 vouchers/ })
  await card.waitFor()
  await mere.press('Approve')
  await card.waitFor({ state: 'detached' })
  mere.tell('500 vouchers, approved')
  await jo.page.reload()
  const downloading = jo.page.waitForEvent('download')
  await jo.press('Download the codes')
  expect((await downloading).suggestedFilename()).toMatch(/^vouchers-\w{8}\.txt$/)
  await jo.page.getByText(/has 500 codes/).waitFor()
  await inspectPage(jo.page)
  await jo.press('I have the file')
  await jo.page.getByText('500 vouchers are now valid.').waitFor()
  jo.tell('500 vouchers')
  await jo.page.reload()
  await jo.page.getByText('They can’t be shown again.').waitFor()
  await inspectPage(jo.page)
  expect(await jo.page.getByRole('button', { name: 'Download the codes' }).count()).toBe(0)
})
