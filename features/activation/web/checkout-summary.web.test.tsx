import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { testProduct } from '#quality/support/activation-view.ts'
import { openCheckout, toPay, voucherActivation } from '#quality/support/checkout.ts'
import { getFieldError } from '#quality/support/open-portal.tsx'
import type { Activation } from '../activation.contract.ts'

const user = userEvent.setup()
const aside = () => screen.getByRole('complementary')
const dialog = () => screen.queryByRole('dialog', { name: 'Summary' })

function rowsOf(summary: HTMLElement): Record<string, string> {
  const texts = (role: string) =>
    within(summary)
      .getAllByRole(role)
      .map(({ textContent }) => textContent ?? '')
  const values = texts('definition')
  return Object.fromEntries(texts('term').map((label, index) => [label, values[index] ?? '']))
}

const porting_request = {
  msisdn: '0275550111',
  provider: 'skinny',
  billing_method: 2,
  prepaid_sim_number: '',
  account_number: 'A1',
} as const

const person = { Name: 'Ana Rewi', Email: 'ana@example.nz' }
const plan = { 'Prepay Plan': '25 GB Prepay Plan · 90 days', Data: '75 GB in all, 25 GB at a time' }
const averages = { 'Per 30 days': '$36.47', 'Monthly average': '$36.97' }

beforeEach(() => sessionStorage.clear())

describe('the activation checkout summary', () => {
  test.each<[string, Activation, Record<string, string>, string]>([
    [
      'shows a card payment',
      toPay(),
      { 'Phone number': '021 505 0103', ...plan, ...averages, ...person, 'Total Due': '$109.40' },
      'NZD, including $14.27 GST',
    ],
    [
      'shows which plan follows the chosen one',
      toPay({ next_product: { ...testProduct, data_gb: 15, length: 30, price: '43.00' } }),
      {
        'Phone number': '021 505 0103',
        ...plan,
        ...averages,
        'After that': '15 GB for 30 days, $43.00',
        ...person,
        'Total Due': '$109.40',
      },
      'NZD, including $14.27 GST',
    ],
    [
      'shows the title that the provider gave the plan, and its data',
      toPay({ product: { ...testProduct, title: 'Nest', length: 28, data_gb: 8 } }),
      {
        'Phone number': '021 505 0103',
        'Prepay Plan': 'Nest · 28 days',
        Data: '8 GB',
        'Per 30 days': '$117.21',
        'Monthly average': '$118.84',
        ...person,
        'Total Due': '$109.40',
      },
      'NZD, including $14.27 GST',
    ],
    [
      'labels the price of a plan of exactly 30 days as the price for 30 days',
      toPay({ product: { ...testProduct, title: 'Nest', length: 30, data_gb: 8 } }),
      {
        'Phone number': '021 505 0103',
        'Prepay Plan': 'Nest · 30 days',
        Data: '8 GB',
        'For 30 days': '$109.40',
        'Monthly average': '$110.92',
        ...person,
        'Total Due': '$109.40',
      },
      'NZD, including $14.27 GST',
    ],
    [
      'shows only the title and the length of a plan without data',
      toPay({
        product: { ...testProduct, title: 'Just Talk', length: 28, data_gb: 0 },
        next_product: { ...testProduct, title: 'More Talk', length: 56, data_gb: 0, price: '43.00' },
      }),
      {
        'Phone number': '021 505 0103',
        'Prepay Plan': 'Just Talk · 28 days',
        'Per 30 days': '$117.21',
        'Monthly average': '$118.84',
        'After that': 'More Talk for 56 days, $43.00',
        ...person,
        'Total Due': '$109.40',
      },
      'NZD, including $14.27 GST',
    ],
    [
      'shows a voucher payment',
      voucherActivation(),
      { 'Phone number': '021 505 0103', ...plan, ...person, 'Total Due': '$0.00' },
      'Paid with your voucher',
    ],
    [
      'shows a number that is being transferred',
      toPay({ setup_porting: true, porting_request }),
      {
        'SIM pack number': '021 505 0103',
        'Number to transfer': '027 555 0111',
        ...plan,
        ...averages,
        ...person,
        'Total Due': '$109.40',
      },
      'NZD, including $14.27 GST',
    ],
    [
      'omits a number that is no longer being transferred',
      toPay({ porting_request }),
      { 'Phone number': '021 505 0103', ...plan, ...averages, ...person, 'Total Due': '$109.40' },
      'NZD, including $14.27 GST',
    ],
  ])('the checkout summary %s', async (_, now, rows, note) => {
    await openCheckout({}, now)
    expect(rowsOf(aside())).toEqual(rows)
    expect(within(aside()).getByText(note)).toBeTruthy()
  })

  test('in New Zealand, the summary bar shows the price’s monthly average, unless a voucher pays for the plan', async () => {
    await openCheckout()
    expect(screen.getByText('Monthly average $36.97')).toBeTruthy()
    cleanup()
    await openCheckout({}, voucherActivation())
    expect(screen.queryByText(/Monthly average/)).toBeNull()
  })

  test('SEE SUMMARY opens the checkout summary in a dialog', async () => {
    await openCheckout()
    expect(dialog()).toBeNull()
    await user.click(screen.getByRole('button', { name: 'SEE SUMMARY' }))
    expect(rowsOf(dialog()!)).toEqual(rowsOf(aside()))
    await user.click(within(dialog()!).getByRole('button', { name: 'Close' }))
    expect(dialog()).toBeNull()
  })

  test('opening and closing the checkout summary sends nothing and keeps what was typed', async () => {
    const api = await openCheckout()
    const number = screen.getByRole<HTMLInputElement>('textbox', { name: 'Card number' })
    await user.type(number, '4111')
    const before = api.calls.length
    await user.click(screen.getByRole('button', { name: 'SEE SUMMARY' }))
    await user.click(within(dialog()!).getByRole('button', { name: 'Close' }))
    expect(number.value).toBe('4111')
    expect(getFieldError(screen.getByRole('textbox', { name: 'Name on card' }))).toBeNull()
    expect(api.calls.length).toBe(before)
  })
})
