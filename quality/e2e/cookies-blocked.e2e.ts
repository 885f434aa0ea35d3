import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { getButton, getField } from './account.ts'
import { expectNoOverflow, expectFaults, usePortal } from './use-portal.ts'
import { wizard } from './wizard.ts'

const portal = usePortal()
const sentence = 'needs cookies to keep you logged in. Allow cookies for this site in your browser’s settings'

async function openWithoutCookies(): Promise<Page> {
  const page = await portal.open('phone')
  expectFaults(page, /403/)
  await page.addInitScript(() => {
    Object.defineProperty(document, 'cookie', { get: () => '', set: () => {} })
  })
  await page.route('**/*', async (route) => {
    const { cookie: _, ...headers } = await route.request().allHeaders()
    const response = await route.fetch({ headers })
    const { 'set-cookie': __, ...kept } = response.headers()
    await page.context().clearCookies()
    await route.fulfill({ response, headers: kept })
  })
  return page
}

test('if the browser blocks cookies, the login and activation pages say that cookies are needed', async () => {
  const page = await openWithoutCookies()
  await page.goto('/login/')
  await getField(page, 'Email').fill('ana@example.nz')
  await getField(page, 'Password').fill('korimako1')
  await getButton(page, 'LOG IN').click()
  await page.getByRole('alert').getByText(sentence).waitFor()
  await expectNoOverflow(page)

  const sim = await portal.world().newSim()
  await page.goto('/activate/')
  await wizard.simPack(page, sim)
  await page.getByRole('alert').getByText(sentence).waitFor()
  await expectNoOverflow(page)
  expect(await page.getByRole('textbox', { name: /^Phone Number/ }).inputValue()).toBe(formatNational(sim.msisdn))
})
