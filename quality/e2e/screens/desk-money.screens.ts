import type { Page } from 'playwright-core'
import { disputedCharge, refundedOrder } from './desk-people.ts'
import { deskScreen, failedDeskScreen } from './desk-screen.ts'
import type { Screen } from './screen.ts'

const dispute = {
  at: '/money/disputes/1/',
  as: 'lead',
  make: disputedCharge,
  path: (reference: string) => `/money/disputes/${reference}/`,
} as const

const drawer = (press: RegExp) => async (page: Page) => {
  await page.getByRole('button', { name: press }).first().click()
  await page.getByRole('dialog').waitFor()
}

export const moneyScreens: Screen[] = [
  deskScreen('money', { at: '/money/', as: 'lead', make: disputedCharge }),
  failedDeskScreen('money, failed', '**/api/desk/money/**', { at: '/money/', as: 'lead' }),
  deskScreen('refunds', { at: '/money/refunds/', as: 'lead', make: refundedOrder }),
  deskScreen('refunds, all of them', {
    at: '/money/refunds/',
    as: 'lead',
    make: refundedOrder,
    path: () => '/money/refunds/?of=all&from=2026-01-01',
  }),
  failedDeskScreen('refunds, failed', '**/api/desk/money/**', { at: '/money/refunds/', as: 'lead' }),
  deskScreen('days', { at: '/money/days/', as: 'lead', make: refundedOrder }),
  failedDeskScreen('days, failed', '**/api/desk/money/**', { at: '/money/days/', as: 'lead' }),
  deskScreen('dispute', dispute),
  deskScreen('dispute, to accept', { ...dispute, act: drawer(/^Accept/) }),
  deskScreen('dispute, to contest', { ...dispute, act: drawer(/^Contest|^Answer/) }),
  failedDeskScreen('dispute, failed', '**/api/desk/money/**', dispute),
]
