import type { Page } from 'playwright-core'
import { charged, refunded } from './desk-people.ts'
import { atDesk, failed } from './desk-ways.ts'
import type { Screen } from './screen.ts'

const dispute = {
  at: '/money/disputes/1/',
  as: 'lead',
  make: charged,
  path: (reference: string) => `/money/disputes/${reference}/`,
} as const

const drawer = (press: RegExp) => async (page: Page) => {
  await page.getByRole('button', { name: press }).first().click()
  await page.getByRole('dialog').waitFor()
}

export const moneyScreens: Screen[] = [
  atDesk('money', { at: '/money/', as: 'lead', make: charged }),
  failed('money, failed', '**/api/desk/money/**', { at: '/money/', as: 'lead' }),
  atDesk('refunds', { at: '/money/refunds/', as: 'lead', make: refunded }),
  failed('refunds, failed', '**/api/desk/money/**', { at: '/money/refunds/', as: 'lead' }),
  atDesk('days', { at: '/money/days/', as: 'lead', make: refunded }),
  failed('days, failed', '**/api/desk/money/**', { at: '/money/days/', as: 'lead' }),
  atDesk('dispute', dispute),
  atDesk('dispute, to accept', { ...dispute, act: drawer(/^Accept/) }),
  atDesk('dispute, to contest', { ...dispute, act: drawer(/^Contest|^Answer/) }),
  failed('dispute, failed', '**/api/desk/money/**', dispute),
]
