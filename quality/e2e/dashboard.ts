import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { formatDate } from '#kit/contract/dates.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { readCustomerService, zone } from '#quality/support/auto-renewal.ts'
import type { Customer } from '#quality/support/customer.ts'
import { expectNoOverflow, type Size, sizes } from './use-portal.ts'
import { resizePage } from './resize-page.ts'

export const sizeNames = Object.keys(sizes) as Size[]

export const getServicePath = ({ services }: Customer, which = 0): string => `/services/${services[which]?.id}/`

export const getPhoneNumber = ({ services }: Customer, which = 0): string =>
  formatNational(services[which]?.msisdn ?? '')

export const phoneNumberPattern = /^0\d\d \d{3} \d{4}$/

export const endOf = async (customer: Customer): Promise<string> =>
  formatDate((await readCustomerService({ customer })).expiry_date, zone)

/** Links on a service's page that work even if the network does not respond. */
export const ways = [
  'USAGE DETAILS',
  'RENEW OR BUY PREPAY PLAN',
  'ENABLE AUTO-RENEWAL',
  'PURCHASE ADD-ONS',
  'Phone Number Settings',
  'Request Number Transfer',
]

export const usageRequestPattern = '**/api/account/usage_summary/**'

export const list = (page: Page, name = 'Ana'): Locator => page.getByRole('navigation', { name: `Welcome, ${name}` })
export const getListEntries = (page: Page): Locator => list(page).getByRole('listitem')

const shown = async (place: Page | Locator): Promise<string> => {
  const part = 'goto' in place ? place.getByRole('main') : place
  return (await part.innerText()).replaceAll(/\s+/g, ' ')
}

export async function says(place: Page | Locator, ...sentences: string[]): Promise<void> {
  await expect.poll(async () => findMissingSentences(await shown(place), sentences)).toEqual([])
}

/** Where the specification has text in capitals, a page may show it in sentence case. */
const isIn = (text: string, sentence: string): boolean =>
  text.includes(sentence) ||
  (sentence === sentence.toUpperCase() && text.toLowerCase().includes(sentence.toLowerCase()))

const findMissingSentences = (text: string, sentences: string[]): string[] => {
  const absentSentences = sentences.filter((sentence) => !isIn(text, sentence))
  return absentSentences.length > 0 ? [...absentSentences, `in: ${text}`] : []
}

export async function expectTextsAbsent(place: Page | Locator, ...sentences: string[]): Promise<void> {
  const text = await shown(place)
  expect(
    sentences.filter((sentence) => isIn(text, sentence)),
    `in: ${text}`,
  ).toEqual([])
}

export async function expectOnAllSizes(page: Page, ...sentences: string[]): Promise<void> {
  const usual = page.viewportSize()
  for (const size of sizeNames) {
    await resizePage(page, sizes[size])
    await says(page, ...sentences)
    await expectNoOverflow(page)
  }
  if (usual) await resizePage(page, usual)
}

export async function openService(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await says(page, 'Updated')
}

export async function tabTo(page: Page, target: Locator): Promise<void> {
  const isFocused = () => target.evaluate((element) => element === document.activeElement)
  for (let presses = 0; !(await isFocused()); presses++) {
    if (presses > 80) throw new Error('Tab does not lead there')
    await page.keyboard.press('Tab')
  }
}
