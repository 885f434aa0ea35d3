import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { waitForPath, getLink, openPageAsCustomer } from './account.ts'
import { usePortal } from './use-portal.ts'
import { expectHeading } from './wizard.ts'

const portal = usePortal()
let buyer: Customer
let list: string
let code: string

beforeAll(async () => {
  buyer = await makeCustomer(portal.world(), { card: true })
  const [service] = buyer.services
  code = service?.orderCode ?? ''
  list = `/services/${service?.id}/invoices/`
  await portal
    .world()
    .db.updateTable('invoices')
    .set({ full_name: 'Wh'.repeat(70), email: `${'a'.repeat(60)}@example.nz` })
    .where('order_code', '=', code)
    .execute()
})

const shownText = (page: Page) => page.locator('tbody tr').first().innerText()

test('each row in the purchase history opens its invoice, which can be downloaded and has selectable text', async () => {
  const page = await openPageAsCustomer(portal, 'desktop', buyer)
  await page.goto(list)
  await expectHeading(page, 'Purchase History')
  expect(await shownText(page)).toMatch(
    /^5 GB Prepay Plan, 30 days\s+Visa ending 1111\s+\w{3} \d\d \w{3} \d{4}\s+\w+\s+\$22\.00\s+VIEW INVOICE$/,
  )

  const cell = await page.getByRole('cell', { name: code }).boundingBox()
  if (!cell) throw new Error('the order code is not to be seen')
  await page.mouse.move(cell.x + 1, cell.y + cell.height / 2)
  await page.mouse.down()
  await page.mouse.move(cell.x + cell.width - 1, cell.y + cell.height / 2, { steps: 4 })
  await page.mouse.up()
  expect(await page.evaluate(() => getSelection()?.toString().length)).toBeGreaterThan(3)
  expect(new URL(page.url()).pathname).toBe(list)

  await page.getByRole('cell', { name: '$22.00' }).click()
  await waitForPath(page, `${list}${code}/`)
  await expectHeading(page, 'Tax Invoice')
  const saved = page.waitForEvent('download')
  await getLink(page, 'Download PDF').click()
  expect((await saved).suggestedFilename()).toBe(`tax-invoice-${code}.pdf`)
  expect(new URL(page.url()).pathname).toBe(`${list}${code}/`)
})

test('on a phone, the list of purchases shows dates, cards, order numbers and amounts, and invoices have an accessible table', async () => {
  const page = await openPageAsCustomer(portal, 'phone', buyer)
  await page.goto(list)
  expect(await shownText(page)).toMatch(
    /^5 GB Prepay Plan, 30 days\s+\w{3} \d\d \w{3} \d{4}, Visa ending 1111\s+Order # \w+\s+\$22\.00\s+VIEW$/,
  )
  await getLink(page, 'VIEW').click()
  await expectHeading(page, 'Tax Invoice')
  expect(await page.getByRole('table', { name: 'Items' }).ariaSnapshot()).toMatch(
    /columnheader "Quantity"[^]*rowheader "5 GB Prepay Plan, 30 days"\s+- cell "1"\s+- cell "\$22\.00"/,
  )
})

test('an invoice prints in black and white on a single A4 sheet, without the rest of the page', async () => {
  const page = await openPageAsCustomer(portal, 'desktop', buyer)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`${list}${code}/`)
  await expectHeading(page, 'Tax Invoice')
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  expect(pdf.match(/\/MediaBox \[[^\]]+\]/g)).toEqual([expect.stringMatching(/\[0 0 59[45]\.?\d* 84[12]\.?\d*\]/)])

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  expect((await page.locator('body').innerText()).trim()).toBe((await page.getByRole('article').innerText()).trim())
  const colours = await page
    .getByRole('article')
    .evaluate((article) => [getComputedStyle(article).color, getComputedStyle(document.body).backgroundColor])
  expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
})

test('the Not Found page is shown for another customer’s documents and for unknown codes', async () => {
  const page = await openPageAsCustomer(portal, 'phone', await makeCustomer(portal.world()))
  for (const path of [list, `${list}${code}/`, '/services/none/invoices/', `${list}none/`]) {
    // Request the path outside the page, because every 404 in the page would show up in its console.
    const answer = await page.request.get(path)
    expect([path, answer.status(), await answer.text()]).toEqual([
      path,
      404,
      expect.stringContaining('Unfortunately we could not find what you were looking for'),
    ])
  }
})
