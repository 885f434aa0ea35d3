import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Staff } from '#desk/features/staff/staff.contract.ts'
import { meAs, openDeskPage, testStaff } from '#quality/support/desk-page.tsx'

const open = (path: string, change: Partial<Staff> = {}) =>
  openDeskPage(path, { 'GET /api/desk/me/': meAs(testStaff(change)) })

test.each([
  ['/audit/', 'admins and team leads in support or finance'],
  ['/limits/', 'admins and team leads in support or finance'],
  ['/team/', 'admins and team leads in support or finance'],
  ['/audit/checks/', 'team leads in support or finance'],
  ['/money/', 'finance staff'],
  ['/stock/batches/new/', 'admins'],
])('staff without the right role who open %s are told that it is only for %s', async (path, groups) => {
  await open(path)
  expect(await screen.findByRole('heading', { name: 'You can’t open that page' })).toBeTruthy()
  expect(
    screen.getByText(
      `It is only for ${groups}. Your roles: Support. If you need it for your work, ask an admin to change your roles.`,
    ),
  ).toBeTruthy()
})

test('a team lead whose only role is admin cannot open the random checks, and is told who can', async () => {
  await open('/audit/checks/', { roles: ['admin'], is_lead: true })
  expect(
    await screen.findByText(/^It is only for team leads in support or finance\. Your roles: Admin, lead\./),
  ).toBeTruthy()
})

test('the page ignores unknown groups of staff in the URL', async () => {
  await open('/not-allowed/?needs=everybody')
  expect(await screen.findByText(/^Your roles: Support\./)).toBeTruthy()
})
