import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import type { CancelTerms } from '#features/next-plan/next-plan.contract.ts'
import type { Service } from '#features/services/services.contract.ts'
import { buildPlanStatus } from '#quality/support/account.ts'
import {
  dashboardService,
  usageSummary,
  findCalls,
  main,
  openService,
  mockScreenSize,
} from '#quality/support/dashboard.tsx'

const user = userEvent.setup()
beforeEach(() => void mockScreenSize('tablet'))

const address = '/api/services/next_plan/a/'
const waiting = dashboardService('a', {
  outlook: buildPlanStatus({
    state: 'next_plan_paid',
    tone: 'good',
    title: 'Next plan starts on 14 Feb 2027',
    text: '**25 GB, 90 days**, paid on 22 Nov 2026. Cancel it for a full refund until the end of **12 Feb 2027**.',
    can_cancel_next_plan: true,
  }),
})
const terms = (change: Partial<CancelTerms> = {}): CancelTerms => ({
  lines: [
    'We’ll refund **$109.65** to Visa ending 1111, usually within 5 working days.',
    'Your plan then expires on 14 Feb 2027; the last day is **13 Feb 2027**.',
  ],
  button: 'Cancel and refund',
  ...change,
})
const cancel = () => screen.findByRole('button', { name: 'Cancel next plan' })
const dialog = async () => within(await screen.findByRole('dialog', { name: 'Cancel your next plan?' }))

describe('cancelling a paid next plan', () => {
  test('cancels the next plan once, after showing the refund, and then shows the new plan status', async () => {
    const answer = Promise.withResolvers<Service>()
    const api = await openService(waiting, usageSummary(), {
      [`GET ${address}`]: terms(),
      [`DELETE ${address}`]: () => answer.promise,
    })
    await user.click(await cancel())
    const sheet = await dialog()
    expect((await sheet.findByText('$109.65')).tagName).toBe('STRONG')
    expect(sheet.getByText('13 Feb 2027')).toBeTruthy()
    expect(findCalls(api, `DELETE ${address}`)).toEqual([])
    await user.click(sheet.getByRole('button', { name: 'Cancel and refund' }))
    await user.click(sheet.getByRole('button', { name: 'Cancelling your next plan' }))
    answer.resolve(dashboardService('a'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(findCalls(api, `DELETE ${address}`)).toHaveLength(1)
    expect(screen.getByRole('heading', { name: 'Plan expires on 14 Feb 2027' })).toBe(document.activeElement)
    expect(screen.queryByRole('button', { name: 'Cancel next plan' })).toBeNull()
  })

  test('links to the page for changing the next plan', async () => {
    await openService(waiting)
    const link = await screen.findByRole('link', { name: 'Change next plan' })
    expect(link.getAttribute('href')).toBe(`/services/renew/${waiting.plan_short_id}/?change`)
  })

  test('keeps the next plan and sends nothing when the customer presses “Keep next plan”', async () => {
    const api = await openService(waiting, usageSummary(), { [`GET ${address}`]: terms() })
    await user.click(await cancel())
    await (await dialog()).findByText('$109.65')
    await user.click((await dialog()).getByRole('button', { name: 'Keep next plan' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(findCalls(api, `DELETE ${address}`)).toEqual([])
    expect(screen.getByRole('heading', { name: 'Next plan starts on 14 Feb 2027' })).toBeTruthy()
  })

  test('explains why a next plan can no longer be cancelled, and offers no cancel button', async () => {
    const why = 'Your next Prepay Plan starts within a day, so it can’t be cancelled here any more.'
    await openService(waiting, usageSummary(), { [`GET ${address}`]: terms({ lines: [why], button: null }) })
    await user.click(await cancel())
    const sheet = await dialog()
    await sheet.findByText(why)
    expect(sheet.queryByRole('button', { name: /Cancel/ })).toBeNull()
  })

  test.each([
    ['a rejection', new ApiError(400, { __all__: ['It has started.'] }), 'It has started.'],
    ['a server error', new ApiError(500, {}), formMessages.server],
  ])('shows the error in the dialog when cancelling the next plan fails with %s', async (_which, error, words) => {
    await openService(waiting, usageSummary(), { [`GET ${address}`]: terms(), [`DELETE ${address}`]: error })
    await user.click(await cancel())
    await user.click(await (await dialog()).findByRole('button', { name: 'Cancel and refund' }))
    expect((await (await dialog()).findByRole('alert')).textContent).toContain(words)
    expect((await dialog()).getByRole('button', { name: 'Cancel and refund' })).toBeTruthy()
  })

  test('Try Again reloads the cancellation terms after they failed to load', async () => {
    let isBack = false
    await openService(waiting, usageSummary(), {
      [`GET ${address}`]: () => {
        if (!isBack) throw new ApiError(500, {})
        return terms()
      },
    })
    await user.click(await cancel())
    const again = await (await dialog()).findByRole('button', { name: 'Try Again' })
    isBack = true
    await user.click(again)
    expect(await (await dialog()).findByText('$109.65')).toBeTruthy()
  })

  test('shows a phone number instead of a button when a next plan can no longer be cancelled online', async () => {
    const late = { ...waiting.outlook, can_cancel_next_plan: false }
    await openService({ ...waiting, outlook: late })
    expect(await screen.findByText(/^To cancel it now, call/)).toBeTruthy()
    expect(main()).toContain('To cancel it now, call 0800')
    expect(screen.queryByRole('button', { name: 'Cancel next plan' })).toBeNull()
  })

  test('shows no cancel or renew action while the next plan is being cancelled', async () => {
    const outlook = buildPlanStatus({ state: 'next_plan_cancelling', title: 'We’re cancelling your next plan' })
    await openService({ ...waiting, outlook })
    expect(screen.getByRole('heading', { name: 'We’re cancelling your next plan' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Cancel next plan' })).toBeNull()
    expect(screen.queryByRole('link', { name: 'RENEW OR BUY PREPAY PLAN' })).toBeNull()
  })
})
