import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { type Call, createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import { type ReviewedAccess, reviewMessages, type AccessReviews } from '../access-reviews.contract.ts'
import { accessReviewPages } from './access-reviews.pages.ts'

const user = userEvent.setup()
const staff = {
  id: 'Mere',
  name: 'Mere',
  email: 'mere@fantail.example',
  roles: ['finance'],
  is_lead: true,
  passkeys: 0,
}

const look = (id: string, who: string, more: Partial<ReviewedAccess> = {}): ReviewedAccess => ({
  id,
  who,
  is_own: false,
  customer: { text: `Customer …${id}`, path: `/customers/${id}/` },
  why: 'A call',
  at: '2026-11-18T03:03:00Z',
  decision: null,
  decided_by: null,
  ...more,
})
const checks = (more: Partial<AccessReviews> = {}): AccessReviews => ({
  week: '2026-11-16',
  found: 240,
  looks: [look('1a2b', 'Hine'), look('3c4d', 'Tui', { decision: 'asked', decided_by: 'Kiri' })],
  past: [],
  ...more,
})

async function open(answer: Reply, replies: Record<string, Reply> = {}) {
  const api = createFakeApi({
    'GET /api/desk/me/': { staff, demo: [] },
    'GET /api/desk/audit/checks/': answer,
    ...replies,
  })
  await openPortal(accessReviewPages, '/audit/checks/', api)
  await screen.findByRole('heading', { name: 'Random checks', level: 1 })
  return api
}
const row = (name: RegExp) => screen.getByRole('row', { name })
const sent = (api: { calls: Call[] }, at: string) => api.calls.filter((call) => call.at === at).map(({ body }) => body)

test('an access picked for review shows its reason and the team lead’s decision, and links to the customer’s record', async () => {
  await open(checks())
  expect(screen.getByText('16 Nov to 22 Nov, 10 of 240, at random')).toBeTruthy()
  expect(row(/Hine/).textContent).toContain('18 Nov, 16:03')
  expect(row(/Hine/).textContent).toContain('A call')
  expect(screen.getByRole('link', { name: 'Customer …1a2b' }).getAttribute('href')).toBe('/customers/1a2b/')
  expect(row(/Tui/).textContent).toContain('Kiri asked for an explanation')
  expect(within(row(/Tui/)).queryByRole('button')).toBeNull()
  expect(screen.getByText('There are no earlier checks.')).toBeTruthy()
})

test('a team lead’s decision about an access to a customer record is sent and shown; if it is rejected, an error is shown', async () => {
  let said: 'in_order' | 'asked' | null = null
  const api = await open(
    () =>
      checks({ looks: [look('1a2b', 'Hine', { decision: said, decided_by: said && 'Mere' }), look('5e6f', 'Ana')] }),
    {
      'POST /api/desk/audit/checks/1a2b/': () => {
        said = 'in_order'
        return {}
      },
      'POST /api/desk/audit/checks/5e6f/': new ApiError(409, { code: reviewMessages.decided }),
    },
  )
  await user.click(screen.getByRole('button', { name: 'Mark as OK: customer viewed by Hine' }))
  expect(await screen.findByText('Marked as OK by Mere')).toBeTruthy()
  expect(sent(api, 'POST /api/desk/audit/checks/1a2b/')).toEqual([{ decision: 'in_order' }])
  await user.click(screen.getByRole('button', { name: 'Ask about it: customer viewed by Ana' }))
  expect(await screen.findByText(reviewMessages.decided)).toBeTruthy()
  expect(sent(api, 'POST /api/desk/audit/checks/5e6f/')).toEqual([{ decision: 'asked' }])
})

test('a team lead sees no decision buttons for their own access to a customer’s record', async () => {
  await open(checks({ looks: [look('1a2b', 'Mere', { is_own: true })] }))
  expect(row(/Mere/).textContent).toContain(reviewMessages.own)
  expect(within(row(/Mere/)).queryByRole('button')).toBeNull()
})

test('the “Random checks” page says so if there was nothing to check last week, and summarises earlier weeks', async () => {
  const past = [
    { week: '2026-11-09', looks: 10, in_order: 7, asked: 1 },
    { week: '2026-11-02', looks: 0, in_order: 0, asked: 0 },
  ]
  await open(checks({ found: 0, looks: [], past }))
  expect(screen.getByText('16 Nov to 22 Nov')).toBeTruthy()
  expect(screen.getByText('Last week, nobody viewed a customer without taking action afterwards.')).toBeTruthy()
  const region = within(screen.getByRole('region', { name: 'Previous weeks' }))
  const [before, first] = region.getAllByRole('listitem')
  expect(before?.textContent).toBe('9 Nov to 15 Nov 10 selected: 7 marked as OK, 1 followed up, 2 not checked')
  expect(first?.textContent).toBe('2 Nov to 8 Nov none to check')
})

test('the “Random checks” page can be reloaded after an error', async () => {
  let times = 0
  await open(() => {
    times += 1
    return times === 1 ? new ApiError(409, { code: 'Sorry.' }) : checks()
  })
  await user.click(await screen.findByRole('button', { name: 'Try Again' }))
  expect(await screen.findByRole('link', { name: 'Customer …1a2b' })).toBeTruthy()
})
