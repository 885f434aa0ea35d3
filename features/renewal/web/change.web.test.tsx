import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildPlanStatus } from '#quality/support/account.ts'
import {
  testService,
  orderResponse,
  boughtOrder,
  getButton,
  getLinkHref,
  servicesById,
  openAsCustomer,
  products,
  readOrderEndpoint,
  shortId,
} from '#quality/support/purchase-fixtures.ts'
import { findCalls } from '#quality/support/checkout.ts'
import type { Reply } from '#quality/support/open-portal.tsx'
import { saveVoucher } from '#features/vouchers/web/saved-voucher.ts'
import { renewalPages } from './renewal.pages.ts'

const user = userEvent.setup()
const send = 'POST /api/orders/recharge/'
const line = 'Your 25 GB Prepay Plan of $109.65 will be refunded in full once the new plan is paid for.'
const service = (change: { instead_of: string; line: string } | null) =>
  testService({
    next_plan: { title: '25 GB Prepay Plan', length: 90, starts_on: '2027-02-13T11:00:00Z' },
    outlook: buildPlanStatus({ state: 'next_plan_paid', change_next_plan: change }),
  })
const open = (replies: Record<string, Reply> = {}, path = `/services/renew/${shortId}/?change`) =>
  openAsCustomer(renewalPages, path, {
    'GET /api/services/': servicesById(service({ instead_of: 'FT0000', line })),
    [send]: orderResponse,
    [readOrderEndpoint]: boughtOrder,
    ...replies,
  })

beforeEach(() => sessionStorage.clear())

describe('changing the next plan', () => {
  test('the request to change the next plan contains the new plan, its start and the order to be replaced', async () => {
    const api = await open()
    expect(await screen.findByText(line)).toBeTruthy()
    const plans = within(await screen.findByRole('radiogroup', { name: 'Prepay Plan' }))
    expect(plans.queryAllByRole('radio', { checked: true })).toEqual([])
    expect(screen.queryByRole('radiogroup', { name: 'When should it start?' })).toBeNull()
    expect(screen.queryByText(/is no longer sold/)).toBeNull()
    expect(getButton(/^RENEW/).disabled).toBe(true)
    await user.click(plans.getByRole('radio', { name: /10 GB/ }))
    expect(screen.getByRole('complementary').textContent).toContain('when this plan ends')
    await user.click(getButton(/^RENEW/))
    await screen.findByText('Your order reference is', { exact: false })
    expect(findCalls(api, send)).toMatchObject([
      { body: { product: 'plan-90-10gb', starts: 'at_end', instead_of: 'FT0000' } },
    ])
  })

  test('the voucher page says what happens to the replaced plan, and does not ask when the new plan should start', async () => {
    const api = await open({}, `/services/renew/${shortId}/voucher/?change`)
    expect(await screen.findByText(line)).toBeTruthy()
    expect(getLinkHref('Card payment')).toBe(`/services/renew/${shortId}/plan/?change`)
    expect(screen.queryByRole('radiogroup', { name: 'When should it start?' })).toBeNull()
    expect(findCalls(api, send)).toEqual([])
  })

  test('filling in a saved voucher code keeps “?change” in the URL, so that the next plan is still changed', async () => {
    saveVoucher('ABCDEFGHJKLM')
    await open({ 'GET /api/vouchers/ABCDEFGHJKLM/': { code: 'ABCDEFGHJKLM', product: products['plan-90-25gb'] } })
    expect(await screen.findByText(line)).toBeTruthy()
    await waitFor(() =>
      expect(location.pathname + location.search).toBe(`/services/renew/${shortId}/voucher/ABCDEFGHJKLM/?change`),
    )
    expect(getLinkHref('Card payment')).toBe(`/services/renew/${shortId}/plan/?change`)
  })

  test.each([
    ['too late', null, '?change'],
    ['not requested in the URL', { instead_of: 'FT0000', line }, ''],
  ])('the renewal page does not change the next plan when the change is %s', async (_why, change, search) => {
    const replies = { 'GET /api/services/': servicesById(service(change)) }
    await open(replies, `/services/renew/${shortId}/${search}`)
    await screen.findByText('Your next Prepay Plan, 25 GB Prepay Plan, is already paid for and starts on 14 Feb 2027.')
    expect(screen.queryByRole('button', { name: /^RENEW/ })).toBeNull()
  })

  test('the success page says that the replaced next plan is being cancelled and refunded', async () => {
    const instead_of =
      'Your 25 GB Prepay Plan of $109.65 is being cancelled and refunded in full. We’ll email you when it’s done.'
    await open({ [readOrderEndpoint]: { ...boughtOrder, instead_of } }, '/services/renew/success/?order=FT0001')
    expect(await screen.findByText(instead_of)).toBeTruthy()
  })
})
