import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import type { Customer } from '#desk/features/customers/customers.contract.ts'
import { customersPages } from '#desk/features/customers/web/customers.pages.ts'
import { orderPages } from '#desk/features/orders/web/orders.pages.ts'
import { meAs, testStaff } from '#quality/support/desk-page.tsx'
import { type FakeApi, createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import type { RenewalOffer } from '../renewals.contract.ts'

const user = userEvent.setup()
const at = '/api/desk/customers/c1/'
const renewal = `${at}numbers/n1/renewal/`

const customer: Customer = {
  email: 'an•••••@xtra.co.nz',
  email_verified: true,
  since: '2025-03-14T00:00:00.000Z',
  blocked: null,
  erased: null,
  to_be_erased: null,
  contact_phone: null,
  saved_card: null,
  sessions: 0,
  signed_in: null,
  limits: [],
  ip_may_be_locked: false,
  marketing: false,
  money: { paid: '151.00', given: '0.00' },
  numbers: [
    {
      id: 'n1',
      number: '021 555 0142',
      name: null,
      state: 'active',
      plan: '25 GB Prepay Plan',
      ends: '2026-12-24T11:00:00.000Z',
      since: '2025-03-14T00:00:00.000Z',
      released: null,
      sim: '•••• 0142',
      auto_renewal: false,
      renewal_failed: false,
      next_plan: null,
      next_starts: null,
      port: null,
    },
  ],
  tasks: [],
  notes: [],
  looked: [],
  happened: { rows: [], next: null },
  acts: [],
  caller_until: new Date(Date.now() + 20 * 60_000).toISOString(),
}
const page = (change: Partial<Customer> = {}) => ({
  name: 'Ana Tamihana',
  opened: { why: 'A call', until: '2026-11-20T21:30:00.000Z' },
  customer: { ...customer, ...change },
})
const offer: RenewalOffer = {
  number: '021 555 0142',
  plan: { id: 'p25', title: '25 GB Prepay Plan', ends: '2026-12-24T11:00:00Z', is_over: false },
  next: null,
  saved_card: { name: 'Visa •••• 1111', expiry: '08/2027' },
  plans: [
    { id: 'p5', title: '5 GB Prepay Plan', length: 30, price: '22.00' },
    { id: 'p25', title: '25 GB Prepay Plan', length: 30, price: '43.00' },
  ],
}

async function open(replies: Record<string, Reply>): Promise<{ api: FakeApi; dialog: ReturnType<typeof within> }> {
  const api = createFakeApi({
    'GET /api/desk/me/': meAs(testStaff()),
    [`GET ${at}`]: page(),
    [`GET ${renewal}`]: offer,
    'GET /api/desk/orders/FT7KQ2M9XDRA/': new ApiError(404, { code: 'Not found.' }),
    ...replies,
  })
  await openPortal([...customersPages, ...orderPages], '/customers/c1/', api)
  await user.click(await screen.findByRole('button', { name: 'Renew plan' }))
  return { api, dialog: within(await screen.findByRole('dialog', { name: 'Renew plan' })) }
}
const posts = (api: FakeApi) => api.calls.filter((call) => call.at === `POST ${renewal}`)

test('the renewal dialog shows the charge and the start date, asks staff to type the amount, and then opens the order', async () => {
  const { api, dialog } = await open({ [`POST ${renewal}`]: { order_code: 'FT7KQ2M9XDRA', is_open: false } })
  expect(await dialog.findByRole('radio', { name: 'Visa •••• 1111', checked: true })).toBeDefined()
  expect(dialog.getByText('$43.00 is charged to Visa •••• 1111 now.')).toBeDefined()
  expect(
    dialog.getByText('25 GB Prepay Plan, 30 days, starts on 021 555 0142 on 25 Dec 2026, when the current plan ends.'),
  ).toBeDefined()
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Plan' }), '5 GB Prepay Plan, 30 days: $22.00')
  await user.click(dialog.getByRole('radio', { name: 'Now, replacing the current plan' }))
  expect(dialog.getByText('Anything left on 25 GB Prepay Plan is lost.')).toBeDefined()
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Reason' }), 'customers-wish')
  const amount = dialog.getByRole('textbox', { name: 'Type the amount to be charged: $22.00' })
  await user.type(amount, '43.00')
  await user.click(dialog.getByRole('button', { name: 'Renew' }))
  expect(await dialog.findByText('Please type the amount that will be charged: $22.00.')).toBeDefined()
  expect(posts(api)).toEqual([])
  await user.clear(amount)
  await user.type(amount, '22.00')
  await user.click(dialog.getByRole('button', { name: 'Renew' }))
  await waitFor(() => expect(location.pathname).toBe('/orders/FT7KQ2M9XDRA/'))
  expect(posts(api)).toMatchObject([
    {
      body: {
        pay: 'saved_card',
        product: 'p5',
        starts: 'now',
        ends: '2026-12-24T11:00:00Z',
        total: '22.00',
        amount: '22.00',
        reason: 'customers-wish',
      },
      headers: { 'idempotency-key': expect.stringMatching(/^[\da-f-]{36}$/) },
    },
  ])
})

test('a renewal that got no response is repeated with the same idempotency key, and a declined renewal with a new key', async () => {
  const { api, dialog } = await open({ [`POST ${renewal}`]: new ApiError(0, undefined) })
  await user.type(await dialog.findByRole('textbox', { name: /^Type the amount to be charged/ }), '43.00')
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Reason' }), 'customers-wish')
  const press = () => user.click(dialog.getByRole('button', { name: 'Renew' }))
  await press()
  await waitFor(() => expect(posts(api)).toHaveLength(1))
  const declined = 'Your bank declined this payment. Nothing was charged. Try another card or call your bank.'
  api.replies[`POST ${renewal}`] = new ApiError(400, { __all__: [declined] })
  await press()
  expect(await dialog.findByText(declined)).toBeDefined()
  await press()
  await waitFor(() => expect(posts(api)).toHaveLength(3))
  const keys = posts(api).map(({ headers }) => headers?.['idempotency-key'])
  expect(keys[0]).toBe(keys[1])
  expect(keys[2]).not.toBe(keys[0])
})

test('the renewal dialog says so if the price has changed, and asks for the new amount', async () => {
  const said = 'It costs $45.00 now, not $43.00. Nothing was charged. Press the button again if you still want it.'
  const { api, dialog } = await open({ [`POST ${renewal}`]: new ApiError(409, { __all__: [said] }) })
  await user.type(await dialog.findByRole('textbox', { name: /^Type the amount to be charged/ }), '43.00')
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Reason' }), 'customers-wish')
  api.replies[`GET ${renewal}`] = { ...offer, plans: [{ ...offer.plans[1], price: '45.00' }] }
  await user.click(dialog.getByRole('button', { name: 'Renew' }))
  expect(await dialog.findByText(said)).toBeDefined()
  expect(await dialog.findByRole('textbox', { name: 'Type the amount to be charged: $45.00' })).toBeDefined()
})

test('the renewal dialog accepts only a voucher as payment if the customer has no saved card', async () => {
  const { api, dialog } = await open({
    [`GET ${renewal}`]: { ...offer, saved_card: null, plan: { ...offer.plan, is_over: true } },
    [`POST ${renewal}`]: { order_code: 'FT7KQ2M9XDRA', is_open: false },
  })
  await user.type(await dialog.findByRole('textbox', { name: 'Voucher code' }), 'abcd-1234-efgh')
  expect(dialog.queryByRole('radio')).toBeNull()
  expect(dialog.getByText(/^Nothing is charged\. The voucher determines the plan/)).toBeDefined()
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Reason' }), 'customers-wish')
  await user.click(dialog.getByRole('button', { name: 'Renew' }))
  await waitFor(() => expect(location.pathname).toBe('/orders/FT7KQ2M9XDRA/'))
  expect(posts(api)).toMatchObject([{ body: { pay: 'voucher', code: 'ABCD1234EFGH', starts: 'now' } }])
})

test('the renewal dialog asks for caller verification first', async () => {
  const { api, dialog } = await open({
    [`GET ${at}`]: page({ caller_until: null }),
    [`GET ${at}caller/`]: { verified_until: null, asked: null, ways: [] },
  })
  expect(
    dialog.getByText('Please verify the caller first, because renewing charges their card or uses up a voucher.'),
  ).toBeDefined()
  expect(await dialog.findByText(/^There is nowhere safe to send a PIN/)).toBeDefined()
  expect(api.calls.some(({ at: call }) => call === `GET ${renewal}`)).toBe(false)
})

test('the renewal dialog says so if a next plan has already been paid for', async () => {
  const { dialog } = await open({
    [`GET ${renewal}`]: { ...offer, next: { title: '5 GB', starts: '2026-12-24T11:00:00Z' } },
  })
  expect(await dialog.findByText(/^The next plan for 021 555 0142, 5 GB, is already paid for/)).toBeDefined()
})
