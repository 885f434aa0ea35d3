import { expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import { readDonorCode, newPortableNumber } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { getButton, openPageAsCustomer } from './account.ts'
import { findForeignWords, readAllText } from './foreign-words.ts'
import { usePortal } from './use-portal.ts'

const portal = usePortal({ env: () => ({ MARKET: 'AU' }) })

// The tests in `screens/` check the portal's own pages, emails and text messages for wording that applies only to New Zealand.
test.each(['/demo/', '/demo/mailbox/'])(
  'the Australian demo shows no words or numbers from New Zealand in %s',
  async (path) => {
    const page = await portal.open('desktop')
    await page.goto(path)
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
    expect(findForeignWords(await readAllText(page))).toEqual([])
  },
)

test('a number is transferred only after the customer has entered the code texted to the old SIM', async () => {
  const world = portal.world()
  const customer = await makeCustomer(world, { services: 1 })
  const service = customer.services[0]!
  const number = await newPortableNumber(world, 'asks_code')
  await customer.visitor.post(`/api/services/port/${service.id}/`, portForm(number))
  const code = await pollUntil(() => readDonorCode(world, number))
  const page = await openPageAsCustomer(portal, 'phone', customer)
  await page.goto(`/services/${service.id}/port/`)
  await page.getByRole('heading', { name: 'Enter the code from the text' }).waitFor()
  const field = page.getByRole('textbox', { name: 'Code from the text' })
  await field.fill(code === '000000' ? '111111' : '000000')
  await getButton(page, 'Confirm the transfer').click()
  await page.getByText('This code wasn’t accepted.').waitFor()
  await field.fill(code)
  await getButton(page, 'Confirm the transfer').click()
  await page
    .locator('[aria-current=step]')
    .getByRole('heading', { name: /^(Your number moves|Put in)/ })
    .waitFor()
  await world.advance('PT5H')
  await page.reload()
  await page.getByRole('heading', { level: 1, name: `${formatNational(number)} has moved to Fantail` }).waitFor()
  expect(findForeignWords(await readAllText(page))).toEqual([])
})
