import type { Browser, Page } from 'playwright-core'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { normaliseEmail } from '#kit/contract/email.ts'
import { launchChromium } from '#quality/support/chromium.ts'

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await launchChromium()
  page = await browser.newPage()
  await page.setContent('<!doctype html><label>Email <input type="email" required></label>')
})
afterAll(() => browser?.close())

async function typed(text: string): Promise<{ isTaken: boolean; value: string }> {
  await page.getByLabel('Email').fill(text)
  return page
    .getByLabel('Email')
    .evaluate((field: HTMLInputElement) => ({ isTaken: field.validity.valid, value: field.value }))
}

describe('validating email addresses in the browser’s email field and on the server', () => {
  test.each([
    "o'brien@example.nz",
    'ana&b@example.nz',
    'ana@kōwhai.nz',
    'Ana@KŌWHAI.nz',
    'ana@xn--kwhai-g9a.nz',
    'ana@例え.テスト',
    'ana@localhost',
    '.ana..b.@example.nz',
    'ana',
    'ana@',
    'ana@example.nz.',
    'ana@-example.nz',
    'ana b@example.nz',
    'ana@kōwhai.nz/x',
    'ana@[127.0.0.1]',
    'jörg@example.nz',
    '"ana"@example.nz',
    'ana@b@example.nz',
  ])(
    'browser and server agree on %s, and what the browser submits is stored in the same way as what was typed',
    async (text) => {
      const { isTaken, value } = await typed(text)
      expect(normaliseEmail(text) !== null).toBe(isTaken)
      expect(normaliseEmail(value)).toBe(normaliseEmail(text))
    },
  )

  test('browser and server agree on whether each of several hundred random email addresses is valid', async () => {
    const local = fc.string({ unit: fc.constantFrom(...'aZ09.!#$%&\'*+/=?^_`{|}~-(,"ō'), minLength: 1, maxLength: 12 })
    // Leave ß out of domain labels: Chromium's email field turns it into ss, but its address bar does not.
    const label = fc.string({ unit: fc.constantFrom(...'abkZ09-āōéñ中テ_'), minLength: 1, maxLength: 12 })
    const address = fc
      .tuple(local, fc.array(label, { minLength: 1, maxLength: 3 }))
      .map(([name, labels]) => `${name}@${labels.join('.')}.nz`)
    const taken = []
    for (const text of fc.sample(address, 300)) {
      const { isTaken, value } = await typed(text)
      if (isTaken) taken.push(text)
      expect([text, normaliseEmail(text)]).toEqual([text, isTaken ? normaliseEmail(value) : null])
    }
    expect(taken.length).toBeGreaterThan(30)
  })
})
