import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { type Call, createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import type { DeskOrder } from '../orders.contract.ts'
import { orderPages } from './orders.pages.ts'

const user = userEvent.setup()
const code = 'FT0W3ECJ91PM'
const path = `/api/desk/orders/${code}/`

const order: DeskOrder = {
  code,
  state: 'completed',
  state_words: 'Completed',
  tone: 'good',
  kind_words: 'Activation by card',
  title: '5 GB Prepay Plan',
  amount: '22.00',
  currency: 'NZD',
  created: '2026-11-24T03:03:08Z',
  failure: null,
  next_try: null,
  given_up: null,
  customer: { id: 'a1', name: 'Ana Ta•••••', email: 'an•••••@example.nz' },
  number: '027 555 0111',
  rail: {
    steps: [
      { what: 'Placed', at: '2026-11-24T03:03:08Z', seconds: 0, note: null, tone: 'plain' },
      { what: 'No answer yet', at: '2026-11-24T03:03:18Z', seconds: 10, note: 'silent for 10 s', tone: 'warn' },
      { what: 'Completed', at: '2026-11-24T03:03:34Z', seconds: 16, note: null, tone: 'good' },
    ],
    seconds: 26,
    is_over: true,
    usual_seconds: 7,
  },
  payments: [],
  network: [],
  books: { rows: [{ what: 'Taken', one: '$22.00', other: '$22.00', is_same: true }], faults: [], agree: true },
  papers: [{ type: 'invoice', code, amount: '22.00', at: '2026-11-24T03:03:34Z' }],
  messages: [
    { id: 'm1', channel: 'email', subject: 'Welcome', at: '2026-11-24T03:03:34Z', state: 'sent', may_again: true },
    { id: 'm2', channel: 'sms', subject: 'port reply', at: '2026-11-24T03:03:34Z', state: 'refused', may_again: false },
  ],
  tasks: [],
  retry_why: 'This order is already completed.',
  cancel_why: 'This order was delivered. You can refund it instead.',
  refund_why: null,
  refund_all_why: null,
  plan_waits: false,
  undone: [],
  money: { paid: '22.00', given: '0.00', left: '22.00', alone: '10.00', paid_with: 'Visa ending 1111' },
  asked: null,
  unsettled: null,
  disputes: [],
  deciders: ['Mere Ngata', 'Tui Hall'],
  for_gateway: `Order ${code}`,
  for_carrier: `Order ${code}`,
}

async function open(what: Partial<DeskOrder> = {}, replies: Record<string, Reply> = {}, roles = ['support']) {
  const staff = { id: 's1', name: 'Hine Walker', email: 'h@fantail.example', roles, is_lead: false, passkeys: 1 }
  const api = createFakeApi({
    'GET /api/desk/me/': { staff, demo: [] },
    [`GET ${path}`]: { ...order, ...what },
    ...replies,
  })
  await openPortal(orderPages, `/orders/${code}/`, api)
  await screen.findByRole('heading', { name: code })
  return api
}
const bodies = (api: { calls: Call[] }, act: string) =>
  api.calls.filter(({ at }) => at === `POST ${path}${act}`).map(({ body }) => body)
const drawer = () => within(screen.getByRole('dialog', { name: 'Refund' }))

test('the order page shows the order’s steps, and why an action is not possible', async () => {
  await open()
  const steps = within(screen.getByRole('region', { name: 'Progress of this order' })).getAllByRole('listitem')
  expect(steps.map(({ textContent }) => textContent)).toEqual([
    'Placed24 Nov 2026, 16:03:08',
    'No answer yet24 Nov 2026, 16:03:18silent for 10 s',
    'Completed24 Nov 2026, 16:03:34',
  ])
  expect(screen.getByText('usually 7 s')).toBeTruthy()
  expect(screen.getByText('This order was delivered. You can refund it instead.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Cancel order' })).toBeNull()
  expect(screen.getAllByRole('button', { name: 'Send again' })).toHaveLength(1)
})

test('the order page says that staff cancelled an order, and otherwise shows the code of the failure', async () => {
  await open({ state: 'undone', failure: 'cancelled_by_operator' })
  expect(screen.getByText('Reason: cancelled by staff.')).toBeTruthy()
  cleanup()
  await open({ state: 'held', failure: 'NETWORK_BUSY' })
  expect(screen.getByText('Reason: NETWORK BUSY.')).toBeTruthy()
})

test('finance can cancel a plan that has not started, but can refund only part of its price', async () => {
  const notAll = 'This plan has not started yet. For a full refund, cancel the next plan.'
  const waiting = { plan_waits: true, cancel_why: null, refund_all_why: notAll, undone: ['$22.00 goes back'] }
  const api = await open(waiting, { [`POST ${path}cancel/`]: {} }, ['finance'])
  await user.click(screen.getByRole('button', { name: 'Refund' }))
  expect(drawer().getByText(notAll)).toBeTruthy()
  expect(drawer().queryByText('Full refund')).toBeNull()
  expect(drawer().getByLabelText<HTMLInputElement>('Amount').value).toBe('')
  await user.click(drawer().getAllByRole('button', { name: 'Close' })[0]!)
  await user.click(screen.getByRole('button', { name: 'Cancel next plan' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Cancel next plan' }))
  expect(dialog.getByText('$22.00 goes back')).toBeTruthy()
  await user.selectOptions(dialog.getByLabelText('Reason'), 'customers-wish')
  await user.click(dialog.getByRole('button', { name: 'Cancel next plan' }))
  expect(await screen.findByText('The next plan is being cancelled.')).toBeTruthy()
  expect(bodies(api, 'cancel/')).toEqual([{ reason: 'customers-wish', note: '' }])
})

test('a partial refund within the limit needs no approval, and the dialog shows what will happen', async () => {
  const api = await open({}, { [`POST ${path}refund/`]: { outcome: 'received', credit_code: 'CN1', why: null } })
  await user.click(screen.getByRole('button', { name: 'Refund' }))
  expect(drawer().getByRole('button', { name: 'Request approval' })).toBeTruthy()
  await user.click(drawer().getByText('Partial refund'))
  await user.type(drawer().getByLabelText('Amount'), '5')
  expect(drawer().getByText('$0.65')).toBeTruthy()
  expect(drawer().getByText('$5.00 to Visa ending 1111, in 3 to 5 days')).toBeTruthy()
  expect(drawer().queryByText('This refund needs approval.')).toBeNull()
  await user.selectOptions(drawer().getByLabelText('Reason'), 'outage')
  await user.click(drawer().getByRole('button', { name: 'Refund $5.00' }))
  expect(await screen.findByText('The refund is on its way, with credit note CN1.')).toBeTruthy()
  expect(bodies(api, 'refund/')).toEqual([{ amount: '5', left: '22.00', reason: 'outage', note: '' }])
  expect(api.calls.filter(({ at }) => at === `GET ${path}`)).toHaveLength(2)
})

test('a refund above the limit needs a second person, and the dialog names the people who can approve it', async () => {
  const api = await open({}, { [`POST ${path}refund/ask/`]: { id: 'x', lapses: '' } })
  await user.keyboard('r')
  expect(drawer().getByText(/Mere Ngata or Tui Hall can approve this refund within 24 hours/)).toBeTruthy()
  await user.selectOptions(drawer().getByLabelText('Reason'), 'other')
  await user.click(drawer().getByRole('button', { name: 'Request approval' }))
  expect(await drawer().findByText('Please explain the reason in a note of at least ten letters.')).toBeTruthy()
  await user.type(drawer().getByLabelText('Note for colleagues'), 'agreed on the call')
  await user.click(drawer().getByRole('button', { name: 'Request approval' }))
  await screen.findByText(/Request sent/)
  expect(bodies(api, 'refund/ask/')).toEqual([
    { amount: '22.00', left: '22.00', reason: 'other', note: 'agreed on the call' },
  ])
  expect(bodies(api, 'refund/')).toEqual([])
})

test('if a refund fails, the server’s message is shown and the order page is loaded again', async () => {
  const no = new ApiError(403, {
    code: 'This refund needs approval. You can refund up to $2.00 of this order without it.',
    second_person: true,
  })
  const api = await open({}, { [`POST ${path}refund/`]: no })
  await user.click(screen.getByRole('button', { name: 'Refund' }))
  await user.clear(drawer().getByLabelText('Amount'))
  await user.type(drawer().getByLabelText('Amount'), '9.50')
  await user.selectOptions(drawer().getByLabelText('Reason'), 'goodwill')
  await user.click(drawer().getByRole('button', { name: 'Refund $9.50' }))
  expect(
    await drawer().findByText('This refund needs approval. You can refund up to $2.00 of this order without it.'),
  ).toBeTruthy()
  await waitFor(() => expect(api.calls.filter(({ at }) => at === `GET ${path}`)).toHaveLength(2))
})

test('the dialog for cancelling an order lists what is reversed, and requires a reason', async () => {
  const held = { state: 'held', cancel_why: null, retry_why: null, undone: ['the SIM pack can be activated again'] }
  const api = await open(held, { [`POST ${path}cancel/`]: {} })
  await user.click(screen.getByRole('button', { name: 'Cancel order' }))
  const form = within(screen.getByRole('dialog', { name: 'Cancel this order' }))
  expect(form.getByText('The SIM pack can be activated again')).toBeTruthy()
  await user.click(form.getByRole('button', { name: 'Cancel order' }))
  expect(await form.findByText('Please choose a reason.')).toBeTruthy()
  await user.selectOptions(form.getByLabelText('Reason'), 'customers-wish')
  await user.click(form.getByRole('button', { name: 'Cancel order' }))
  await screen.findByText('The order is being cancelled.')
  expect(bodies(api, 'cancel/')).toEqual([{ reason: 'customers-wish', note: '' }])
})

test('the order page lets finance staff refund an order, but not retry or cancel it', async () => {
  await open({ cancel_why: null, retry_why: null }, {}, ['finance'])
  expect(screen.getByRole('button', { name: 'Refund' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Cancel order' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})

const request = { id: 'x', by: 'Hine Walker', amount: '22.00', left_seconds: 82_800, is_own: true, is_stale: false }

test('the order page shows an open refund request, and does not offer a second one', async () => {
  await open({ asked: request })
  expect(screen.getByText(/You requested a refund of \$22.00. The request needs approval/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Refund/ })).toBeNull()
})

test('a refund can be requested again if the open request exceeds the refundable amount', async () => {
  await open({ asked: { ...request, is_stale: true } })
  expect(screen.getByText(/That is more than is left to refund, so it can’t be approved/)).toBeTruthy()
  expect(screen.getByRole('button', { name: /^Refund/ })).toBeTruthy()
})

test('a message about an order can be resent, and a failed attempt shows its error', async () => {
  const resend = `POST ${path}messages/m1/resend/`
  const api = await open(
    {},
    {
      [resend]: new ApiError(409, {
        __all__: ['This message was already resent 3 times in the last day. Try again tomorrow.'],
      }),
    },
  )
  await user.click(screen.getByRole('button', { name: 'Send again' }))
  expect(
    await screen.findByText('This message was already resent 3 times in the last day. Try again tomorrow.'),
  ).toBeTruthy()
  api.replies[resend] = {}
  await user.click(screen.getByRole('button', { name: 'Send again' }))
  expect(await screen.findByText('Sent again')).toBeTruthy()
})

test('staff can copy the order details that the card gateway’s support team needs', async () => {
  await open({
    payments: [
      {
        at: order.created,
        what: 'Authorise',
        reference: `${code}-1`,
        said: 'Authorised',
        tone: 'good',
        psp_reference: 'P1',
        amount: '22.00',
      },
    ],
  })
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await user.click(screen.getByRole('button', { name: 'Copy text for the gateway' }))
  expect(await screen.findByText('Copied')).toBeTruthy()
  expect(write).toHaveBeenCalledWith(`Order ${code}`)
})

test('finance staff can request approval to settle a refund by hand, and see what the approval will do', async () => {
  const unsettled = {
    of: 'refund',
    reference: `${code}-1-refund`,
    amount: '22.00',
    since: '2026-11-24T03:03:08Z',
    may: ['paid', 'not_paid'],
    asked: null,
  } as const
  const disputes = [{ reference: 'D8836149911223344', words: 'Charged back', amount: '22.00' }]
  const ask = `POST ${path}settle/ask/`
  const api = await open(
    { unsettled: { ...unsettled, may: [...unsettled.may] }, disputes },
    { [ask]: { id: 'x', lapses: '' } },
    ['finance'],
  )
  expect(screen.getByRole('link', { name: 'Dispute D8836149911223344' }).getAttribute('href')).toBe(
    '/money/disputes/D8836149911223344/',
  )
  await user.click(screen.getByRole('button', { name: 'Settle by hand' }))
  const form = within(screen.getByRole('dialog', { name: 'Settle by hand' }))
  expect(form.getByText('Nothing happens until Mere Ngata or Tui Hall approves it')).toBeTruthy()
  await user.selectOptions(form.getByLabelText('What the gateway’s site shows'), 'paid')
  expect(form.getByText('If approved, $22.00 counts as refunded, and the customer gets the credit note')).toBeTruthy()
  await user.click(form.getByRole('button', { name: 'Request approval' }))
  expect(await form.findByText(/Please enter the gateway’s reference/)).toBeTruthy()
  await user.type(form.getByLabelText('Gateway’s reference'), 'abcd1234efgh5678')
  await user.selectOptions(form.getByLabelText('Reason'), 'seen-there')
  await user.click(form.getByRole('button', { name: 'Request approval' }))
  expect(await screen.findByText(/Request sent/)).toBeTruthy()
  expect(bodies(api, 'settle/ask/')).toEqual([
    { reference: `${code}-1-refund`, said: 'paid', psp_reference: 'ABCD1234EFGH5678', reason: 'seen-there', note: '' },
  ])
})

test('the page of a mistyped order code says that no order has this code', async () => {
  const me = { id: 's1', name: 'Hine Walker', email: 'h@x.nz', roles: ['support'], is_lead: false, passkeys: 2 }
  const replies = { 'GET /api/desk/me/': { staff: me, demo: [] }, [`GET ${path}`]: new ApiError(404, undefined) }
  await openPortal(orderPages, `/orders/${code}/`, createFakeApi(replies))
  expect(await screen.findByRole('heading', { name: 'No order with this code' })).toBeTruthy()
})
