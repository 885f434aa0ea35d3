import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import { testStaff, meAs } from '#quality/support/desk-page.tsx'
import type { Health } from '../health.contract.ts'
import type { ActiveNotice } from '../notices.contract.ts'
import { healthPages } from './health.pages.ts'

const user = userEvent.setup()

const slots = Array.from({ length: 48 }, (_, at) => ({ ok: 10, slow: 0, failed: at === 46 ? 3 : 0 }))
const health: Health = {
  at: '2026-11-23T21:42:00Z',
  runs: [
    {
      service: 'card_gateway',
      words: 'the card gateway',
      failing_since: '2026-11-23T21:12:00Z',
      failures: 3,
      last_failure: '2026-11-23T21:40:00Z',
      slots,
      p95_ms: 240,
      notice: { kind: 'payments', is_said: false },
    },
    {
      service: 'sms',
      words: 'the SMS carrier',
      failing_since: null,
      failures: 0,
      last_failure: null,
      slots: slots.map(() => ({ ok: 0, slow: 0, failed: 0 })),
      p95_ms: null,
      notice: { kind: 'messages', is_said: false },
    },
  ],
  queues: [{ queue: 'orders.advance', waiting: 4, oldest_seconds: 126, failing: 2 }],
  late: [{ sweep: 'plan-life.due', seconds: 340 }],
  errors: [
    {
      fingerprint: 'f1',
      count: 7,
      name: 'TypeError',
      message: 'x is not a function',
      top_frame: '/static/build/a1.js:1:2',
      page: '/services/:uuid/',
      first_seen: '2026-11-23T20:00:00Z',
      last_seen: '2026-11-23T21:00:00Z',
    },
  ],
  version: { product: '0.1.0', node: 'v26.0.0', migration: '0049_notices.sql', fault: null },
}
const standing: ActiveNotice = {
  id: 'n1',
  kind: 'network',
  said: '2026-11-23T21:14:00Z',
  said_by: 'Mere Ngata',
  ends: '2026-11-24T01:14:00Z',
}

async function open(path = '/health/', replies: Record<string, Reply> = {}) {
  const api = createFakeApi({
    'GET /api/desk/me/': meAs(testStaff()),
    'GET /api/desk/health/': health,
    'GET /api/desk/notices/': { notices: [] },
    ...replies,
  })
  await openPortal(healthPages, path, api)
  await screen.findByRole('heading', { name: 'Health' })
  return api
}
type FakeApi = Awaited<ReturnType<typeof open>>
const sent = (api: FakeApi, at: string) => api.calls.filter((call) => call.at === at).map(({ body }) => body)

test('the health page’s text-message row links to the undelivered messages, but only for staff who may see them', async () => {
  await open()
  expect(screen.getByRole('link', { name: 'Text messages' }).getAttribute('href')).toBe('/messages/')
  cleanup()
  await open('/health/', { 'GET /api/desk/me/': meAs(testStaff({ roles: ['admin'] })) })
  expect(screen.getByRole('row', { name: /^Text messages/ })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Text messages' })).toBeNull()
})

test('the health page shows providers, job queues, overdue background jobs, browser errors and the version', async () => {
  await open()
  const row = (name: RegExp) => screen.getByRole('row', { name }).textContent
  expect(row(/^Card gateway/)).toMatch(/No answer since 24 Nov, 10:12.*10:00: 3 failed, 0 slow.*3 of 483240 ms/)
  expect(screen.getByText(/^No answer since/).closest('td')?.childNodes.length).toBe(1)
  expect(row(/^Text messages/)).toMatch(/Answering.*nothing failed.*no calls/)
  expect(row(/^orders.advance/)).toBe('orders.advance42 min2')
  expect(screen.getByText('plan-life.due').closest('li')?.textContent).toBe('plan-life.due for 6 min')
  expect(screen.getByText(/7 times on/).textContent).toContain('/services/:uuid/')
  expect(screen.getByText('0049_notices.sql')).toBeTruthy()
  expect(await screen.findByText('No notices on the portal.')).toBeTruthy()
})

test('if the database does not respond in time, the health page says which parts are missing and shows the rest', async () => {
  await open('/health/', { 'GET /api/desk/health/': { ...health, queues: null, late: null, errors: [] } })
  expect(screen.getAllByText(/The database took too long to answer/)).toHaveLength(2)
  expect(screen.getByText('No browser errors reported.')).toBeTruthy()
})

test('a link opens the dialog for a service notice, with a preview of what customers will read', async () => {
  const path = 'POST /api/desk/notices/'
  const api = await open('/health/?say=payments', {
    [path]: new ApiError(409, { __all__: ['The portal already shows this notice.'] }),
  })
  const drawer = within(await screen.findByRole('dialog', { name: 'Publish a notice' }))
  expect(drawer.getByText(/You won’t be charged for a payment that fails/)).toBeTruthy()
  await user.click(drawer.getByRole('radio', { name: 'Number transfers are delayed.' }))
  expect(drawer.getByText(/Please keep your old SIM until then/)).toBeTruthy()
  await user.selectOptions(drawer.getByLabelText('Ends'), 'In 4 hours')
  await user.click(drawer.getByRole('button', { name: 'Publish a notice' }))
  expect(await drawer.findByText('The portal already shows this notice.')).toBeTruthy()
  api.replies[path] = {}
  api.replies['GET /api/desk/notices/'] = { notices: [standing] }
  await user.click(drawer.getByRole('button', { name: 'Publish a notice' }))
  expect(await screen.findByText('Notice published. Every page of the portal shows it within 15 seconds.')).toBeTruthy()
  expect(sent(api, path).at(-1)).toEqual({ kind: 'transfers', hours: '4' })
  expect(await screen.findByText(/Mere Ngata, 24 Nov, 10:14 · ends automatically 24 Nov, 14:14/)).toBeTruthy()
})

test('a service notice cannot be published without a topic', async () => {
  const api = await open()
  await user.click(screen.getByRole('button', { name: 'Publish a notice' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Publish a notice' }))
  await user.click(drawer.getByRole('button', { name: 'Publish a notice' }))
  expect(await drawer.findByText('Please choose the type of notice.')).toBeTruthy()
  expect(sent(api, 'POST /api/desk/notices/')).toEqual([])
})

test('an active service notice can be extended, and if it cannot be ended, the error is shown', async () => {
  const api = await open('/health/', {
    'GET /api/desk/notices/': { notices: [standing] },
    'POST /api/desk/notices/n1/prolong/': {},
    'POST /api/desk/notices/n1/end/': new ApiError(409, { __all__: ['This notice has already ended.'] }),
  })
  const name = 'The mobile network is responding slowly.'
  await user.click(await screen.findByRole('button', { name: `Extend: ${name}` }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Extend a notice' }))
  await user.selectOptions(drawer.getByLabelText('Ends'), 'In 12 hours')
  await user.click(drawer.getByRole('button', { name: 'Extend' }))
  await waitFor(() => expect(sent(api, 'POST /api/desk/notices/n1/prolong/')).toEqual([{ hours: '12' }]))
  await user.click(screen.getByRole('button', { name: `End now: ${name}` }))
  expect(await screen.findByText('This notice has already ended.')).toBeTruthy()
})
