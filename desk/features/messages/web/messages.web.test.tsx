import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { testStaff, meAs, openDeskPage } from '#quality/support/desk-page.tsx'
import type { Reply } from '#quality/support/open-portal.tsx'
import type { DomainStatistics, MessageRow } from '../messages.contract.ts'

const user = userEvent.setup()
const listed = 'GET /api/desk/messages/'
const counted = 'GET /api/desk/messages/domains/'

const row: MessageRow = {
  id: '0c1f0e5f-0000-4000-8000-000000000001',
  channel: 'email',
  what: 'Confirm email address',
  at: '2026-11-23T21:12:00Z',
  domain: 'xtra.co.nz',
  customer: { id: 'c1', name: 'Ana Ta•••••' },
  answer: '552 5.2.2 <•••>: mailbox full',
  tries: 1,
  next_try: null,
  is_reached: false,
  may_again: true,
}
const domains: DomainStatistics = {
  most_counted: 10_000,
  refused: 15,
  stuck: 3,
  mails: { sent: 900, half_seconds: 1.2, most_seconds: 140 },
  texts: null,
  domains: [
    {
      domain: 'xtra.co.nz',
      refused: 14,
      stuck: 3,
      oldest_seconds: 7_200,
      pace: { sent: 2, half_seconds: 4, most_seconds: 9 },
    },
    { domain: null, refused: 1, stuck: 0, oldest_seconds: null, pace: null },
  ],
  others: 4,
}
const none: DomainStatistics = { ...domains, refused: 0, stuck: 0, mails: null, domains: [], others: 0 }

const open = (replies: Record<string, Reply> = {}, at = '/messages/') =>
  openDeskPage(at, { [counted]: domains, [listed]: { rows: [row], next: null }, ...replies })
const table = (name: string) => within(screen.getByRole('table', { name }))
const again = `POST /api/desk/messages/${row.id}/again/`
const said = 'The message is on its way to an•••••@xtra.co.nz, with current details.'

test('the messages page counts rejected messages by domain, and each domain links to its messages', async () => {
  await open()
  const link = await screen.findByRole('link', { name: 'xtra.co.nz' })
  expect(link.getAttribute('href')).toBe('/messages/?to=xtra.co.nz')
  expect(link.closest('tr')?.textContent).toMatch(/14.*3, oldest 2 h.*2.*4 s.*9 s/)
  expect(table('Delivery problems by domain').getByRole('link', { name: 'Texts' }).getAttribute('href')).toBe(
    '/messages/?to=texts',
  )
  expect(screen.getByText('4 more domains with fewer problems.')).toBeTruthy()
  expect(screen.getByText('95% within 2 min')).toBeTruthy()
  expect(screen.getByText('none sent today')).toBeTruthy()
})

test('a count of rejected messages that reaches the counting limit is shown with a plus sign', async () => {
  await open({ [counted]: { ...none, refused: 10_000 } })
  expect(await screen.findByText('10000+')).toBeTruthy()
  expect(screen.getByText('No messages are refused or stuck.')).toBeTruthy()
})

test('a row on the messages page shows time, type, domain and the relay’s reply, and links to the customer', async () => {
  await open()
  const link = await screen.findByRole('link', { name: 'Ana Ta•••••' })
  expect(link.getAttribute('href')).toBe('/customers/c1/')
  expect(link.closest('tr')?.textContent).toMatch(
    /24 Nov, 10:12Email: Confirm email addressxtra\.co\.nz552 5\.2\.2 <•••>: mailbox full1/,
  )
})

test('a rejected message is resent with one click, and only once', async () => {
  const api = await open({ [again]: { said } })
  await user.click(await screen.findByRole('button', { name: /^Send again/ }))
  expect(await screen.findByText(said)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Send again/ })).toBeNull()
  expect(table('Refused').getByText('Sent again')).toBeTruthy()
  expect(api.calls.filter((call) => call.at === again)).toHaveLength(1)
})

test('pressing M on the messages page resends the selected message', async () => {
  const api = await open({ [again]: { said } })
  await screen.findByRole('link', { name: 'Ana Ta•••••' })
  await user.keyboard('m')
  expect(api.calls.filter((call) => call.at === again)).toEqual([])
  await user.keyboard('jm')
  expect(await screen.findByText(said)).toBeTruthy()
})

test('if resending a message fails, the error is shown and the button remains', async () => {
  const why = 'This message was already resent 3 times in the last day. Try again tomorrow.'
  await open({ [again]: new ApiError(409, { __all__: [why] }) })
  await user.click(await screen.findByRole('button', { name: /^Send again/ }))
  expect(await screen.findByText(why)).toBeTruthy()
  expect(screen.getByRole('button', { name: /^Send again/ })).toBeTruthy()
})

test('a message that cannot be resent has no resend button, and shows whether a later message reached the customer', async () => {
  const gone = {
    ...row,
    id: 'm2',
    may_again: false,
    is_reached: true,
    answer: null,
    customer: { id: null, name: 'Unknown customer' },
  }
  await open({ [listed]: { rows: [gone], next: null } })
  expect(await screen.findByText('Customer reached later')).toBeTruthy()
  expect(screen.getByText('Response unknown')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Send again/ })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Unknown customer' })).toBeNull()
})

test('a stuck message shows its next attempt and has no resend button', async () => {
  const waiting = {
    ...row,
    channel: 'sms',
    domain: null,
    may_again: false,
    tries: 0,
    answer: null,
    next_try: '2026-11-23T23:00:00Z',
  }
  const api = await open({ [listed]: { rows: [waiting], next: 'more' } }, '/messages/?of=stuck&to=texts&about=plans')
  const cells = (await screen.findByRole('link', { name: 'Ana Ta•••••' })).closest('tr')?.textContent
  expect(cells).toMatch(/Text: Confirm email addressTextsNot tried yet024 Nov, 12:00/)
  expect(api.calls.find((call) => call.at === listed)?.query).toEqual({ of: 'stuck', to: 'texts', about: 'plans' })
  expect(screen.getByRole('link', { name: 'More' }).getAttribute('href')).toBe(
    '/messages/?of=stuck&to=texts&about=plans&before=more',
  )
  const form = within(screen.getByRole('form', { name: 'Filter the list' }))
  expect(form.getByLabelText<HTMLInputElement>('Domain').value).toBe('texts')
  expect(form.getByRole('link', { name: 'Clear filter' }).getAttribute('href')).toBe('/messages/?of=stuck')
})

test('switching the messages page between rejected and stuck messages keeps the filter', async () => {
  await open({}, '/messages/?to=xtra.co.nz')
  await user.click(await screen.findByRole('radio', { name: 'Stuck' }))
  expect(location.search).toBe('?of=stuck&to=xtra.co.nz')
})

test('the messages page shows an error if the list cannot be loaded, and says so if there are no messages', async () => {
  const api = await open({ [counted]: none, [listed]: new ApiError(503, {}) })
  expect(await screen.findByText('We couldn’t load the messages.')).toBeTruthy()
  expect(screen.getByText('No messages are refused or stuck.')).toBeTruthy()
  api.replies[listed] = { rows: [], next: null }
  await user.click(screen.getByRole('button', { name: /again/i }))
  expect(await screen.findByText('No messages were refused.')).toBeTruthy()
})

test('the list of messages is shown even if the counts by domain cannot be loaded', async () => {
  await open({ [counted]: new ApiError(503, {}) })
  expect(await screen.findByText('We couldn’t load the delivery problems.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Ana Ta•••••' })).toBeTruthy()
})

test('pressing G then E opens the messages page', async () => {
  await openDeskPage('/nowhere/', { [counted]: none, [listed]: { rows: [], next: null } })
  await within(screen.getByRole('navigation', { name: 'Desk' })).findByRole('link', { name: 'Messages' })
  await user.keyboard('ge')
  expect(await screen.findByRole('heading', { name: 'Messages' })).toBeTruthy()
})

test('an admin who has neither the support nor the finance role sees no link to the messages page', async () => {
  await openDeskPage('/nowhere/', { 'GET /api/desk/me/': meAs(testStaff({ roles: ['admin'] })) })
  await screen.findByRole('link', { name: 'Today' })
  expect(screen.queryByRole('link', { name: 'Messages' })).toBeNull()
})
