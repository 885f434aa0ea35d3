import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { openAsCustomer, findPageTitle, shortId, uuid } from '#quality/support/purchase-fixtures.ts'
import type { Reply } from '#quality/support/open-portal.tsx'
import { renewalPages } from './renewal.pages.ts'

const user = userEvent.setup()
const advice = 'GET /api/account/plan_advice/'
const less = {
  kind: 'less',
  text: 'You used 9 to 13 GB. **15 GB for 90 days would have been enough each time and costs $17.85 less.**',
  plan_id: 'plan-90-10gb',
}
const open = async (reply: Reply) => {
  await openAsCustomer(renewalPages, `/services/renew/${shortId}/`, { [advice]: reply })
  await findPageTitle('Renew Prepay Plan')
}
const same = () => screen.getByRole<HTMLInputElement>('radio', { name: /Renew the same plan/ })

beforeEach(() => sessionStorage.clear())

test('the renewal page recommends a smaller plan, and Compare opens the list of plans without choosing one', async () => {
  await open({ [uuid]: less })
  expect((await screen.findByText(/15 GB for 90 days would have been enough each time/)).tagName).toBe('STRONG')
  expect(same().checked).toBe(true)
  await user.click(screen.getByRole('button', { name: 'Compare' }))
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /Choose another plan/ }).checked).toBe(true)
  expect(screen.queryByText(/would have been enough/)).toBeNull()
  const plans = await screen.findAllByRole<HTMLInputElement>('radio', { name: /10 GB/ })
  expect(plans.some(({ checked }) => checked)).toBe(false)
})

test.each([
  ['missing', {}],
  ['unavailable', new ApiError(500, {})],
])('the renewal page offers no comparison when the plan advice is %s', async (_which, reply) => {
  await open(reply)
  expect(same().checked).toBe(true)
  expect(screen.queryByRole('button', { name: 'Compare' })).toBeNull()
})

test('the renewal page offers no comparison if the current plan is the right one', async () => {
  await open({ [uuid]: { kind: 'right', text: '**25 GB fits you.** You used 18 to 22 GB.', plan_id: null } })
  expect(await screen.findByText('25 GB fits you.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Compare' })).toBeNull()
})
