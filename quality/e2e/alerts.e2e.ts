import { expect, test } from 'vitest'
import { makeCustomer } from '#quality/support/customer.ts'
import { waitForPath, getButton, openPageAsCustomer, reads } from './account.ts'
import { getServicePath, says, tabTo } from './dashboard.ts'
import { expectNoOverflow, expectFaults, usePortal } from './use-portal.ts'
import { expectHeading } from './wizard.ts'

const portal = usePortal()

test('a customer changes alert settings by keyboard alone, and they are still there after a reload', async () => {
  const customer = await makeCustomer(portal.world(), { services: 1 })
  const page = await openPageAsCustomer(portal, 'phone', customer)
  const path = getServicePath(customer)
  await page.goto(path)
  await says(page, 'At 80% and 100% of your data')
  await tabTo(page, page.getByRole('link', { name: 'Alerts', exact: true }))
  await page.keyboard.press('Enter')
  await waitForPath(page, `${path}alerts/`)
  await expectHeading(page, 'Alerts')
  await expectNoOverflow(page)

  const half = page.getByRole('switch', { name: '50% used' })
  await tabTo(page, half)
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  const way = page.getByRole('combobox', { name: 'How we alert you at 50% used' })
  expect(await way.inputValue()).toBe('email')
  await tabTo(page, getButton(page, 'SAVE'))
  await page.keyboard.press('Enter')
  await reads(page, 'Your alert settings are saved.')

  await page.reload()
  await expectHeading(page, 'Alerts')
  expect([await half.isChecked(), await way.inputValue()]).toEqual([true, 'email'])
  await page.goto(path)
  await says(page, 'At 50%, 80% and 100% of your data')
})

test('alert settings that could not be saved stay on the page as entered', async () => {
  const customer = await makeCustomer(portal.world(), { services: 1 })
  const page = await openPageAsCustomer(portal, 'desktop', customer)
  await page.goto(`${getServicePath(customer)}alerts/`)
  const most = page.getByRole('switch', { name: '80% used' })
  await most.uncheck()
  expectFaults(page, /ERR_INTERNET_DISCONNECTED/)
  await page.context().setOffline(true)
  await getButton(page, 'SAVE').click()
  await page.getByRole('alert').first().waitFor()
  expect(await most.isChecked()).toBe(false)
  await page.context().setOffline(false)
  await getButton(page, 'SAVE').click()
  await reads(page, 'Your alert settings are saved.')
})
