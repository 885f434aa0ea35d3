import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { type FakeApi, createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import type { Customer, CustomerPage } from '../customers.contract.ts'
import type { HistoryEntry } from '../customer-history.contract.ts'
import { customersPages } from './customers.pages.ts'

const user = userEvent.setup()
const at = '/api/desk/customers/c1/'
const get = `GET ${at}`

const happened = (title: string, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  at: '2026-11-20T21:00:00.000Z',
  icon: 'order',
  tone: 'good',
  title,
  detail: '',
  by: null,
  why: null,
  order_code: null,
  port: null,
  message: null,
  is_sent_as_copy: false,
  ...more,
})

const customer: Customer = {
  email: 'an•••••@xtra.co.nz',
  email_verified: true,
  since: '2025-03-14T00:00:00.000Z',
  blocked: null,
  erased: null,
  to_be_erased: null,
  contact_phone: '021 555 0142',
  saved_card: { name: 'Visa •••• 1111', expiry: '08/2027' },
  sessions: 1,
  signed_in: '2026-11-23T20:14:00Z',
  limits: [{ of: 'wrong current passwords', used: 5, most: 5, until: '2026-11-20T22:00:00.000Z' }],
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
      auto_renewal: true,
      renewal_failed: false,
      next_plan: null,
      next_starts: null,
      port: null,
    },
  ],
  tasks: [{ id: 't1', reason: 'The capture failed.', order_code: 'FT7KQ2M9XDRA', due: null }],
  notes: [{ id: 'x1', body: 'Works nights.', by: 'Tom Reid', at: '2026-11-20T01:22:00.000Z' }],
  looked: [{ name: 'Hine Walker', what: 'Opened', why: 'Ticket 48213', at: '2026-11-20T21:00:00.000Z' }],
  happened: {
    rows: [
      happened('SIM activated', { detail: '5 GB Prepay Plan · $22.00', order_code: 'FT0W3ECJ91PM' }),
      happened('Email sent: Your new SIM is active', { icon: 'mail', message: 'm1' }),
      happened('Blocked', { icon: 'staff', by: 'Mere Ngata', why: 'Fraud' }),
    ],
    next: 'place',
  },
  acts: ['unlock', 'sign-out', 'block'],
  caller_until: null,
}
const closed: CustomerPage = { name: 'Ana Ta•••••', opened: null, customer: null }
const opened: CustomerPage = {
  name: 'Ana Tamihana',
  opened: { why: 'A call', until: '2026-11-20T21:30:00.000Z' },
  customer,
}

async function open(replies: Record<string, Reply>, search = ''): Promise<FakeApi> {
  const me = { id: 's1', name: 'Hine Walker', email: 'h@x.nz', roles: ['support'], is_lead: false, passkeys: 2 }
  const api = createFakeApi({ 'GET /api/desk/me/': { staff: me, demo: [] }, ...replies })
  await openPortal(customersPages, `/customers/c1/${search}`, api)
  return api
}
const callsTo = (api: FakeApi, path: string) => api.calls.filter((call) => call.at === path)

test('the customer page shows only a masked name until a reason is clicked, which opens the record', async () => {
  const api = await open({ [get]: closed, [`POST ${at}open/`]: {} })
  expect(await screen.findByRole('heading', { name: 'Ana Ta•••••' })).toBeDefined()
  expect(screen.queryByText('What happened')).toBeNull()
  api.replies[get] = opened
  await user.click(screen.getByRole('button', { name: 'A call' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Ana Tamihana' })).toBe(document.activeElement)
  expect(callsTo(api, `POST ${at}open/`).map(({ body }) => body)).toEqual([{ reason: 'call' }])
})

const use = `${get.replace(/\/$/, '')}/numbers/n1/use/`
const nothingElse = { others: [], add_ons: [] }
const left = { name: 'Data', amount: 4.1, total: 25, unit: 'GB', read: new Date().toISOString() }

test('the customer page shows how much of a number’s plan is left, and when it was last read', async () => {
  await open({ [get]: opened, [use]: { left, ...nothingElse, is_silent: false } })
  const fan = await screen.findByRole('progressbar', { name: 'Data left' })
  await waitFor(() => expect(fan.getAttribute('aria-valuetext')).toBe('4.1 of 25 GB'))
  expect(fan.getAttribute('aria-valuenow')).toBe('16')
  expect(screen.getByText('just now')).toBeDefined()
})

test('while the network is not responding, the customer page shows a number’s last known usage, or that it is unknown', async () => {
  const read = new Date(Date.now() - 7_200_000).toISOString()
  await open({ [get]: opened, [use]: { left: { ...left, read }, ...nothingElse, is_silent: true } })
  expect(await screen.findByText('2 h ago, network not answering now')).toBeDefined()
  cleanup()
  await open({ [get]: opened, [use]: { left: null, ...nothingElse, is_silent: true } })
  expect(await screen.findByText('The remaining allowance is not available: no answer from the network.')).toBeDefined()
  cleanup()
  await open({ [get]: opened, [use]: () => Promise.reject(new ApiError(500, undefined)) })
  expect(await screen.findByText('We couldn’t load the remaining allowance.')).toBeDefined()
})

test('opening a customer’s record for a ticket requires the ticket number', async () => {
  const api = await open({ [get]: closed, [`POST ${at}open/`]: {} })
  await user.click(await screen.findByRole('button', { name: 'Open' }))
  expect(await screen.findByText('Please enter the ticket number.')).toBeDefined()
  expect(callsTo(api, `POST ${at}open/`)).toEqual([])
  api.replies[get] = opened
  await user.type(screen.getByRole('textbox', { name: 'Ticket' }), '48213')
  await user.click(screen.getByRole('button', { name: 'Open' }))
  await screen.findByRole('heading', { name: 'Ana Tamihana' })
  expect(callsTo(api, `POST ${at}open/`).map(({ body }) => body)).toEqual([{ reason: 'ticket', ticket: '48213' }])
})

test('a reason in the URL does not open a customer’s record: the page still asks for a reason', async () => {
  const api = await open({ [get]: closed, [`POST ${at}open/`]: {} }, '?why=task')
  expect(await screen.findByRole('button', { name: 'A task' })).toBeDefined()
  expect(callsTo(api, get).map(({ query }) => query ?? {})).toEqual([{}])
  expect(callsTo(api, `POST ${at}open/`)).toEqual([])
})

test('the customer page shows masked personal data, and a history that says who acted and why', async () => {
  await open({ [get]: opened })
  expect(await screen.findByText('an•••••@xtra.co.nz')).toBeDefined()
  for (const words of [
    'Visa •••• 1111, 08/2027',
    'Locked until 11:00',
    '5 of 5 wrong current passwords',
    'E-mail confirmed',
  ])
    expect(screen.getByText(words)).toBeDefined()
  expect(screen.getByText('Mere Ngata · Fraud')).toBeDefined()
  expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'FT0W3ECJ91PM' }).pathname).toBe('/orders/FT0W3ECJ91PM/')
  expect(within(screen.getByRole('region', { name: 'Open tasks' })).getByText('The capture failed.')).toBeDefined()
  expect(within(screen.getByRole('region', { name: 'Access log' })).getByText(/^Ticket 48213,/)).toBeDefined()
})

test('the customer page says that a signed-out customer may be locked out on one network', async () => {
  const limits = [{ of: 'sign-ins with the email address', used: 10, most: 100, until: null }]
  const lockedOut = { ...customer, sessions: 0, signed_in: null, limits, ip_may_be_locked: true }
  await open({ [get]: { ...opened, customer: lockedOut } })
  expect((await screen.findByText('Signed in')).nextElementSibling?.textContent).toBe('No')
  expect(screen.getByText('May be locked on one network')).toBeDefined()
})

test('the customer page shows how much was paid and refunded, and links to each number’s page', async () => {
  await open({ [get]: opened })
  expect(await screen.findByText(/· \$151\.00 paid in the last 90 days · nothing refunded ·/)).toBeDefined()
  expect(screen.getByRole<HTMLAnchorElement>('link', { name: '021 555 0142' }).pathname).toBe(
    '/customers/c1/numbers/n1/',
  )
  expect(screen.queryByText('Auto-renewal failing')).toBeNull()
})

test('the customer page reports failing auto-renewal only for numbers with an active plan', async () => {
  const [running] = customer.numbers
  const failing = (state: 'active' | 'ended') => ({
    ...opened,
    customer: { ...customer, numbers: [{ ...running!, state, renewal_failed: true }] },
  })
  await open({ [get]: failing('active') })
  expect(await screen.findByText('Auto-renewal failing')).toBeDefined()
  expect(screen.getByText('On, last charge failed')).toBeDefined()
  cleanup()
  await open({ [get]: failing('ended') })
  expect(await screen.findByText('Plan ended')).toBeDefined()
  expect(screen.queryByText('Auto-renewal failing')).toBeNull()
})

test('the eye button on a customer’s page reveals the email address', async () => {
  const api = await open({ [get]: opened, [`POST ${at}show-email/`]: { email: 'ana.tamihana@xtra.co.nz' } })
  await user.click(await screen.findByRole('button', { name: 'Show the e-mail address' }))
  expect(await screen.findByText('ana.tamihana@xtra.co.nz')).toBeDefined()
  await waitFor(() => expect(callsTo(api, get)).toHaveLength(2))
})

test('the dialog for an action on a customer explains the effect, requires a reason and confirms the result', async () => {
  const api = await open({
    [get]: opened,
    [`POST ${at}block/`]: { said: 'Blocked. The customer can’t sign in or pay.' },
  })
  await user.click(await screen.findByRole('button', { name: 'Block' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Block' }))
  expect(dialog.getByText('Auto-renewal is switched off for every number.')).toBeDefined()
  await user.click(dialog.getByRole('button', { name: 'Block' }))
  expect(await dialog.findByText('Please choose a reason.')).toBeDefined()
  await user.selectOptions(dialog.getByRole('combobox'), 'fraud')
  api.replies[get] = { ...opened, customer: { ...customer, blocked: '2026-11-20T21:10:00.000Z', acts: ['unblock'] } }
  await user.click(dialog.getByRole('button', { name: 'Block' }))
  expect(await screen.findByText('Blocked. The customer can’t sign in or pay.')).toBeDefined()
  expect(callsTo(api, `POST ${at}block/`).map(({ body }) => body)).toEqual([{ reason: 'fraud', note: '' }])
  expect(screen.getByRole('button', { name: 'Unblock' })).toBeDefined()
  expect(screen.queryByRole('dialog', { name: 'Block' })).toBeNull()
})

test('if an action on a customer fails, its dialog shows why', async () => {
  const why = 'This message was already resent 3 times in the last day. Try again tomorrow.'
  await open({ [get]: opened, [`POST ${at}messages/m1/again/`]: new ApiError(400, { __all__: [why] }) })
  await user.click(await screen.findByRole('button', { name: 'Send again' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Send again' }))
  expect(dialog.getByText('Email sent: Your new SIM is active')).toBeDefined()
  await user.selectOptions(dialog.getByRole('combobox'), 'not-delivered')
  await user.click(dialog.getByRole('button', { name: 'Send again' }))
  expect(await dialog.findByText(why)).toBeDefined()
})

test('before a reminder is sent again, its dialog says that the customer gets a copy with the original details', async () => {
  const row = happened('Email sent: 3 days left', { message: 'm2', is_sent_as_copy: true })
  await open({ [get]: { ...opened, customer: { ...customer, happened: { rows: [row], next: null } } } })
  await user.click(await screen.findByRole('button', { name: 'Send again' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Send again' }))
  expect(dialog.getByText('The customer gets a copy, headed with the date of the original message.')).toBeDefined()
  expect(dialog.queryByText(/current details/)).toBeNull()
})

test('once access to a customer’s record has expired, revealing the email address asks for a reason again', async () => {
  const api = await open({ [get]: opened, [`POST ${at}show-email/`]: new ApiError(403, { code: 'x', why: true }) })
  const eye = await screen.findByRole('button', { name: 'Show the e-mail address' })
  api.replies[get] = closed
  await user.click(eye)
  expect(await screen.findByText('Why do you need to see this customer?')).toBeDefined()
})

test('pressing N on the customer page starts a note', async () => {
  const api = await open({ [get]: opened, [`POST ${at}notes/`]: {} })
  await screen.findByText('Works nights.')
  await user.keyboard('n')
  const field = screen.getByRole('textbox', { name: 'Note for colleagues' })
  expect(document.activeElement).toBe(field)
  await user.keyboard('Call after five.')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Note for colleagues' })).toBeNull())
  expect(callsTo(api, `POST ${at}notes/`).map(({ body }) => body)).toEqual([{ body: 'Call after five.' }])
})

test('on the customer page, pressing U opens the unlock dialog, and pressing V opens caller verification', async () => {
  await open({ [get]: opened, [`${get}caller/`]: unasked })
  await screen.findByText('Works nights.')
  await user.keyboard('v')
  const verifying = await screen.findByRole('dialog', { name: 'Verify caller' })
  await user.click(within(verifying).getByRole('button', { name: 'Close' }))
  await user.keyboard('u')
  expect(await screen.findByRole('dialog', { name: 'Unlock sign-in' })).toBeDefined()
})

test('a customer’s history can be filtered by kind, and older events are added below those already shown', async () => {
  const api = await open({ [get]: opened, [`${get}happened/`]: { rows: [happened('Plan renewed')], next: null } })
  await user.click(await screen.findByRole('button', { name: 'Show older' }))
  expect(await screen.findByText('Plan renewed')).toBeDefined()
  expect(screen.getByText('SIM activated')).toBeDefined()
  await user.click(screen.getByRole('radio', { name: 'Money' }))
  await waitFor(() => expect(screen.queryByText('SIM activated')).toBeNull())
  expect(location.search).toBe('?of=money')
  expect(callsTo(api, `${get}happened/`).map(({ query }) => query)).toEqual([{ before: 'place' }, { of: 'money' }])
})

test('the customer page says that there is no such customer if the id is unknown', async () => {
  await open({ [get]: new ApiError(404, { code: 'Not found.' }) })
  expect(await screen.findByText('This customer doesn’t exist.')).toBeDefined()
})

test('a customer page that failed to load can be loaded again', async () => {
  const api = await open({ [get]: new ApiError(500, undefined) })
  expect(await screen.findByText('We couldn’t load this customer.')).toBeDefined()
  api.replies[get] = opened
  await user.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByRole('heading', { name: 'Ana Tamihana' })).toBeDefined()
})

const ways = [
  { id: 'n1', by: 'text', to: '•••• 0142', why_not: null },
  { id: 'mail', by: 'mail', to: 'an•••••@xtra.co.nz', why_not: 'This address was changed less than 24 hours ago.' },
]
const unasked = { verified_until: null, asked: null, ways }
const asked = {
  ...unasked,
  asked: { by: 'text', to: '•••• 0142', until: '2026-11-20T21:10:00.000Z', tries_left: 5 },
}
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

test('a caller is verified by the PIN that they read out, and the page shows how long the verification is valid', async () => {
  const api = await open({ [get]: opened, [`${get}caller/`]: unasked, [`POST ${at}caller/pin/`]: asked })
  await user.click(await screen.findByRole('button', { name: 'Verify caller' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Verify caller' }))
  expect(await dialog.findByRole('radio', { name: 'Text to •••• 0142', checked: true })).toBeDefined()
  expect(dialog.getByText(/^We can’t send an email to an•••••@xtra\.co\.nz\. This address was changed/)).toBeDefined()
  api.replies[`${get}caller/`] = asked
  await user.click(dialog.getByRole('button', { name: 'Send PIN' }))
  const field = await dialog.findByRole('textbox', { name: 'PIN read out by the caller' })
  expect(document.activeElement).toBe(field)
  expect(callsTo(api, `POST ${at}caller/pin/`).map(({ body }) => body)).toEqual([{ way: 'n1' }])

  const wrong = 'That PIN is wrong. 4 tries left.'
  api.replies[`POST ${at}caller/verify/`] = new ApiError(400, { pin: [wrong] })
  await user.keyboard('12345{Enter}')
  expect(await dialog.findByText('Please enter the six digits the caller reads out.')).toBeDefined()
  await user.type(field, '6')
  await user.click(dialog.getByRole('button', { name: 'Verify' }))
  expect(await dialog.findByText(wrong)).toBeDefined()

  api.replies[`POST ${at}caller/verify/`] = { verified_until: inMinutes(29.5) }
  api.replies[get] = { ...opened, customer: { ...customer, caller_until: inMinutes(29.5) } }
  await user.clear(field)
  await user.type(field, '654321')
  await user.click(dialog.getByRole('button', { name: 'Verify' }))
  expect(await screen.findByText('Caller verified by PIN, 30 min left')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Verify caller' })).toBeNull()
  expect(callsTo(api, `POST ${at}caller/verify/`).map(({ body }) => body)).toEqual([
    { pin: '123456' },
    { pin: '654321' },
  ])
})

test('the caller verification dialog says so if a PIN has been used up or if no more PINs can be sent', async () => {
  const over = 'That was the fifth wrong try, so the PIN no longer works. Send another PIN.'
  const api = await open({
    [get]: opened,
    [`${get}caller/`]: asked,
    [`POST ${at}caller/verify/`]: new ApiError(409, { __all__: [over] }),
  })
  await user.click(await screen.findByRole('button', { name: 'Verify caller' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Verify caller' }))
  await user.type(await dialog.findByRole('textbox'), '123456')
  const closed = ways.map((way) => ({ ...way, why_not: 'This address was changed less than 24 hours ago.' }))
  api.replies[`${get}caller/`] = { ...unasked, ways: closed }
  await user.click(dialog.getByRole('button', { name: 'Verify' }))
  expect(await dialog.findByText(over)).toBeDefined()
  expect(dialog.getByText(/^There is nowhere safe to send a PIN/)).toBeDefined()
  expect(dialog.queryByRole('button', { name: 'Send PIN' })).toBeNull()
})

test('unlocking an account asks for caller verification first, and then continues', async () => {
  const api = await open({ [get]: opened, [`${get}caller/`]: asked, [`POST ${at}caller/verify/`]: {} })
  await user.click(await screen.findByRole('button', { name: 'Unlock sign-in' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Unlock sign-in' }))
  expect(dialog.getByText(/^Please verify the caller first/)).toBeDefined()
  expect(dialog.queryByRole('combobox')).toBeNull()
  await user.type(await dialog.findByRole('textbox'), '123456')
  api.replies[get] = { ...opened, customer: { ...customer, caller_until: inMinutes(30) } }
  await user.click(dialog.getByRole('button', { name: 'Verify' }))
  expect(await dialog.findByRole('combobox', { name: 'Reason' })).toBeDefined()
  expect(dialog.getByText('Limits per IP address stay in place.')).toBeDefined()
})
