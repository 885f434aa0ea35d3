import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { setCharacterShortcuts } from '#kit/web/desk/character-shortcuts.ts'
import { createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import type { Approval } from '#desk/features/approvals/approvals.contract.ts'
import { type Figures, type ProviderStatus, type Task, todayMessages } from '../today.contract.ts'
import { todayPages } from './today.pages.ts'

const user = userEvent.setup()

const figures: Figures = {
  at: '2026-11-23T21:42:00Z',
  weekday: 'Tue',
  activated: { now: 142, before: 131 },
  renewed: { now: 1_204, before: 1_204, by_themselves: 855 },
  money: null,
  payments: { asked: 100, refused: 5, asked_before: 100, refused_before: 3 },
  transfers: { open: 38, late: 6 },
  hours: Array.from({ length: 24 }, (_, hour) => ({ hour, renewed: 1, activated: 1, before: 2 })),
  refusals: [{ why: 'Not enough balance', times: 312 }],
  stock: [
    { plan: null, unused: 1_904, days: 21 },
    { plan: '25 GB Prepay Plan', unused: 86, days: 6 },
    { plan: '15 GB Prepay Plan', unused: 1_200, days: null },
    { plan: '5 GB Prepay Plan', unused: 0, days: 0 },
  ],
  jobs: { oldest_seconds: 4 },
}
const slots: ProviderStatus['slots'] = Array.from({ length: 48 }, (_, at) => ({
  ok: 9,
  slow: 0,
  failed: at === 47 ? 21 : 0,
}))
const runs: ProviderStatus[] = [
  {
    service: 'card_gateway',
    words: 'the card gateway',
    failing_since: null,
    failures: 0,
    last_failure: null,
    slots: slots.map((slot) => ({ ...slot, failed: 0 })),
    p95_ms: 240,
    notice: { kind: 'payments', is_said: false },
  },
  {
    service: 'mobile_network',
    words: 'the mobile network',
    failing_since: '2026-11-23T21:12:00Z',
    failures: 21,
    last_failure: '2026-11-23T21:40:00Z',
    slots,
    p95_ms: 2_400,
    notice: { kind: 'network', is_said: false },
  },
]
const task = (id: string, more: Partial<Task> = {}): Task => ({
  id,
  kind: 'payment',
  kind_words: 'Payment',
  reason: `Task ${id}`,
  created: '2026-11-23T21:00:00Z',
  age_seconds: 2_040,
  due: null,
  is_late: false,
  for_leads: false,
  why_not: null,
  trail_of: null,
  owner: null,
  order: 'FT9D2RMX40KA',
  customer_id: null,
  port: null,
  name: 'Rewi Parata',
  ...more,
})
const approval: Approval = {
  id: 'a1',
  kind: 'refund',
  subject: 'FTM30Z81KWQC',
  amount: '118.00',
  paid: '118.00',
  title: '25 GB Prepay Plan',
  customer: 'Kiri Ap•••••',
  asked_by: 'Tom Reid',
  reason: 'Bought twice',
  note: '',
  asked: '2026-11-23T20:51:00Z',
  lapses: '2026-11-24T20:51:00Z',
  age_seconds: 3_060,
  left_seconds: 83_000,
  state: 'open',
  decided_by: null,
  words: null,
  same_reason: { asker: 2, all: 9 },
  cannot_approve: null,
}

const kinds = [
  { kind: 'payment', words: 'Payment', count: 11 },
  { kind: 'port', words: 'Transfer', count: 2 },
]

async function open(tasks: Task[], replies: Record<string, Reply> = {}, roles = ['support']) {
  const staff = { id: 's1', name: 'Hine Walker', email: 'h@fantail.example', roles, is_lead: false, passkeys: 1 }
  const api = createFakeApi({
    'GET /api/desk/me/': { staff, demo: [] },
    'GET /api/desk/today/': { figures, runs, runs_at: '2026-11-23T21:42:00Z' },
    'GET /api/desk/tasks/': { tasks, has_more: false, kinds },
    'GET /api/desk/approvals/': { to_decide: [], own: [] },
    ...replies,
  })
  await openPortal(todayPages, '/', api)
  await screen.findByRole('heading', { name: 'Today' })
  return api
}
const asked = (api: { calls: { at: string }[] }, at: string): number =>
  api.calls.filter((call) => call.at === at).length
const rowOf = (reason: string) => within(screen.getByText(reason).closest('li') as HTMLElement)

test('the Today page shows the day’s figures, services that are down, and why payments fail', async () => {
  await open([])
  expect(screen.getByText('Compared with the same time on Tuesday last week')).toBeTruthy()
  expect(screen.queryByText('Money taken')).toBeNull()
  expect(screen.getByText(/No answer from the mobile network since 24 Nov, 10:12/)).toBeTruthy()
  expect(screen.getByText('312')).toBeTruthy()
  expect(screen.getByText('Calls, 48 half hours: nothing failed.')).toBeTruthy()
  expect(screen.getByText('Calls, 48 half hours: 10:30: 21 failed, 0 slow.')).toBeTruthy()
  expect(screen.getByText('240 ms')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Publish a notice' }).getAttribute('href')).toBe('/health/?say=network')
  expect(screen.getByText('No open tasks.')).toBeTruthy()
})

test('the Today page shows how long the stock will last and how long the oldest job has waited', async () => {
  await open([])
  const lasts = (name: string) => screen.getByText(name).closest('li')?.querySelector('b')?.textContent
  expect(lasts('SIM packs')).toBe('21 days')
  expect(lasts('Vouchers, 25 GB Prepay Plan')).toBe('6 days')
  expect(lasts('Vouchers, 15 GB Prepay Plan')).toBe('1,200 left')
  expect(lasts('Vouchers, 5 GB Prepay Plan')).toBe('None left')
  expect(screen.getByText('Jobs').closest('li')?.textContent).toBe('Jobsoldest 4 s')
  cleanup()
  await open([], {
    'GET /api/desk/today/': { figures: { ...figures, jobs: null }, runs, runs_at: '2026-11-23T21:42:00Z' },
  })
  expect(screen.getByText('Jobs').closest('li')?.textContent).toBe('Jobsunknown')
})

test('the Today page suggests ending a service notice once all the services that the notice covers work again', async () => {
  const said = { kind: 'messages', is_said: true } as const
  const mail = {
    ...runs[0]!,
    service: 'mail',
    words: 'the mail relay',
    last_failure: '2026-11-23T21:40:00Z',
    notice: said,
  }
  const texts = { ...mail, service: 'sms', words: 'the carrier of texts' }
  const readWith = (...those: ProviderStatus[]) => ({
    'GET /api/desk/today/': { figures, runs: those, runs_at: figures.at },
  })
  await open([], readWith(mail, { ...texts, last_failure: null }))
  const again = screen.getByText('The mail relay is answering again.').closest('div')
  expect(again?.textContent).toContain('The last failure was 24 Nov, 10:40')
  expect(screen.queryByText(/carrier of texts is answering/)).toBeNull()
  expect(screen.getByRole('link', { name: 'End the notice' }).getAttribute('href')).toBe('/health/')
  cleanup()
  await open([], readWith(mail, { ...texts, failing_since: '2026-11-23T21:30:00Z' }))
  expect(screen.queryByText(/is answering again/)).toBeNull()
  cleanup()
  await open([], readWith({ ...mail, last_failure: '2026-11-21T21:40:00Z' }))
  expect(screen.queryByText(/is answering again/)).toBeNull()
})

test('tasks on the Today page can be filtered: all, unassigned, or one’s own', async () => {
  const own = { name: 'Hine Walker', is_own: true }
  await open([task('1'), task('2', { owner: own }), task('3', { owner: { name: 'Tom Reid', is_own: false } })])
  const shown = () => screen.getAllByText(/^Task \d/).map(({ textContent }) => textContent)
  expect(shown()).toEqual(['Task 1', 'Task 2', 'Task 3'])
  await user.click(screen.getByRole('radio', { name: 'Unassigned 1' }))
  expect(shown()).toEqual(['Task 1'])
  await user.click(screen.getByRole('radio', { name: 'Mine 1' }))
  expect(shown()).toEqual(['Task 2'])
  expect(screen.getByRole('link', { name: 'Task 2' }).getAttribute('href')).toBe('/orders/FT9D2RMX40KA/')
  const ofTransfer = { kind: 'port', order: null, customer_id: 'c1', port: 's1-port-2' }
  cleanup()
  await open([task('4', ofTransfer)])
  expect(screen.getByRole('link', { name: 'Task 4' }).getAttribute('href')).toBe('/ports/s1-port-2/')
})

test('tasks on the Today page can be filtered by type, and the filter is in the URL', async () => {
  const api = await open([task('1')])
  api.replies['GET /api/desk/tasks/'] = { tasks: [task('2', { kind: 'port' })], has_more: false, kinds }
  await user.selectOptions(screen.getByLabelText('Type of task'), 'Transfer (2)')
  expect(location.search).toBe('?kind=port')
  expect(await screen.findByText('Task 2')).toBeTruthy()
  expect(screen.queryByText('Task 1')).toBeNull()
  expect(api.calls.filter(({ at }) => at === 'GET /api/desk/tasks/').at(-1)?.query).toEqual({ kind: 'port' })
  api.replies['GET /api/desk/tasks/'] = { tasks: [], has_more: false, kinds: [] }
  await user.selectOptions(screen.getByLabelText('Type of task'), 'Payment (11)')
  expect(await screen.findByText('No open tasks match the filter.')).toBeTruthy()
  await user.selectOptions(screen.getByLabelText('Type of task'), 'All types')
  expect(location.search).toBe('')
})

test('several tasks can be taken at once, and the page says which of them somebody else already has', async () => {
  const others = { owner: { name: 'Tom Reid', is_own: false } }
  const api = await open(
    [task('1'), task('2'), task('3', others), task('4', { why_not: todayMessages.own }), task('5')],
    {
      'POST /api/desk/tasks/take/': {
        taken: ['1'],
        not_taken: [{ id: '5', why: 'Tom Reid has already taken this task.' }],
      },
    },
  )
  const take = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Take selected/ })
  expect(screen.getAllByRole('checkbox', { name: /^Select: / })).toHaveLength(3)
  expect(take().disabled).toBe(true)
  await user.click(screen.getByRole('checkbox', { name: 'Select all unassigned' }))
  await user.click(screen.getByRole('checkbox', { name: 'Select: Task 2' }))
  await user.click(take())
  expect(await screen.findByText('1 task assigned to you.')).toBeTruthy()
  expect(screen.getByText('Task 5: Tom Reid has already taken this task.')).toBeTruthy()
  expect(api.calls.find(({ at }) => at === 'POST /api/desk/tasks/take/')?.body).toEqual({ ids: ['1', '5'] })
  await waitFor(() => expect(asked(api, 'GET /api/desk/tasks/')).toBe(2))
  expect(take().textContent).toBe('Take selected (0)')
})

test('J and K move between tasks, S selects one and T takes it, unless single-key shortcuts are off', async () => {
  const free = { order: null, name: null }
  const api = await open([task('1'), task('2', free), task('3')], {
    'POST /api/desk/tasks/take/': { taken: ['2'], not_taken: [] },
  })
  const bodies = () => api.calls.filter(({ at }) => at === 'POST /api/desk/tasks/take/').map(({ body }) => body)
  await user.keyboard('jj')
  expect(document.activeElement?.textContent).toBe('Task 2')
  await user.keyboard('t')
  await waitFor(() => expect(bodies()).toEqual([{ ids: ['2'] }]))
  await user.keyboard('ks')
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select: Task 1' }).checked).toBe(true)
  await user.keyboard('jjst')
  await waitFor(() => expect(bodies()).toEqual([{ ids: ['2'] }, { ids: ['1', '3'] }]))
  setCharacterShortcuts(false)
  await user.keyboard('kt')
  setCharacterShortcuts(true)
  expect(document.activeElement?.textContent).toBe('Task 3')
  expect(bodies()).toHaveLength(2)
})

test('taking a task that someone else has already taken shows an error with the owner’s name, and the list is loaded again', async () => {
  const api = await open([task('1')], {
    'POST /api/desk/tasks/1/take/': new ApiError(409, { __all__: ['Tom Reid has already taken this task.'] }),
  })
  api.replies['GET /api/desk/tasks/'] = {
    tasks: [task('1', { owner: { name: 'Tom Reid', is_own: false } })],
    has_more: false,
  }
  await user.click(rowOf('Task 1').getByRole('button', { name: 'Take' }))
  expect(await screen.findByText('Tom Reid has already taken this task.')).toBeTruthy()
  await waitFor(() => expect(rowOf('Task 1').getByText('Assigned to Tom Reid')).toBeTruthy())
  expect(rowOf('Task 1').queryByRole('button')).toBeNull()
})

test('a person can hand back their own task, or complete it with a note', async () => {
  const own = { name: 'Hine Walker', is_own: true }
  const api = await open([task('1', { owner: own })], {
    'POST /api/desk/tasks/1/done/': {},
    'POST /api/desk/tasks/1/hand-back/': {},
  })
  await user.click(rowOf('Task 1').getByRole('button', { name: 'Unassign' }))
  await waitFor(() => expect(asked(api, 'POST /api/desk/tasks/1/hand-back/')).toBe(1))
  await user.click(rowOf('Task 1').getByRole('button', { name: 'Done' }))
  await user.type(rowOf('Task 1').getByLabelText('Result'), 'the bank was called{Enter}')
  await waitFor(() =>
    expect(api.calls.find(({ at }) => at === 'POST /api/desk/tasks/1/done/')?.body).toEqual({
      note: 'the bank was called',
    }),
  )
})

test('the Today page says how many tasks are hidden and how many of those are overdue', async () => {
  await open(
    Array.from({ length: 11 }, (_, index) =>
      task(String(index), index === 10 ? { is_late: true, due: '2026-11-23T20:00:00Z' } : {}),
    ),
  )
  expect(screen.queryByText('Task 10')).toBeNull()
  expect(screen.getByText(/, 1 of them overdue/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: '3 more' }))
  expect(rowOf('Task 10').getByText(/was due/)).toBeTruthy()
})

test('if approving someone else’s request fails, the error is shown, and the request can be declined with a note', async () => {
  const path = 'POST /api/desk/approvals/a1/decide/'
  const api = await open([], {
    'GET /api/desk/approvals/': { to_decide: [approval], own: [] },
    [path]: new ApiError(409, { __all__: ['This request was already decided or has expired. Refresh to see it.'] }),
  })
  const card = within(await screen.findByRole('article', { name: 'Refund of $118.00 for FTM30Z81KWQC' }))
  expect(card.getByText('Tom 2, team 9')).toBeTruthy()
  expect(card.getByText('Requested by Tom Reid, 51 min ago')).toBeTruthy()
  await user.click(card.getByRole('button', { name: 'Approve' }))
  expect(await card.findByText('This request was already decided or has expired. Refresh to see it.')).toBeTruthy()
  api.replies[path] = { outcome: null, why: null }
  api.replies['GET /api/desk/approvals/'] = { to_decide: [], own: [] }
  await user.type(card.getByLabelText('Message to Tom (optional)'), 'It was used.')
  await user.click(card.getByRole('button', { name: 'Decline' }))
  await waitFor(() => expect(screen.queryByRole('article')).toBeNull())
  expect(screen.getByText('Declined. Tom Reid will see this on Today.')).toBeTruthy()
  expect(api.calls.findLast(({ at }) => at === path)?.body).toEqual({ decision: 'refused', words: 'It was used.' })
})

test('someone with a new passkey sees when they can approve a request, and can already decline it', async () => {
  const path = 'POST /api/desk/approvals/a1/decide/'
  const why = 'Your passkey is less than 24 hours old.'
  const request: Approval = { ...approval, cannot_approve: { why, until: '2026-11-24T20:51:00Z' } }
  const api = await open([], {
    'GET /api/desk/approvals/': { to_decide: [request], own: [] },
    [path]: { outcome: null, why: null },
  })
  const card = within(await screen.findByRole('article', { name: 'Refund of $118.00 for FTM30Z81KWQC' }))
  expect(card.getByText(`${why} You can approve this from 25 Nov, 09:51.`)).toBeTruthy()
  const approve = card.getByRole<HTMLButtonElement>('button', {
    name: 'Approve',
    description: /less than 24 hours old/,
  })
  expect(approve.disabled).toBe(true)
  await user.click(approve)
  await user.click(card.getByRole('button', { name: 'Decline' }))
  await waitFor(() => expect(api.calls.filter(({ at }) => at === path)).toHaveLength(1))
  expect(api.calls.findLast(({ at }) => at === path)?.body).toEqual({ decision: 'refused', words: '' })
})

test('the Today page says why a person can never approve a request', async () => {
  const request: Approval = { ...approval, cannot_approve: { why: 'This request is about you.', until: null } }
  await open([], { 'GET /api/desk/approvals/': { to_decide: [request], own: [] } })
  expect(await screen.findByText('This request is about you.')).toBeTruthy()
})

test('finishing a task for team leads requires a note, and a team lead cannot handle a task about themselves', async () => {
  const about = { for_leads: true, kind: 'alarm-own', kind_words: 'Own or colleague’s account viewed' }
  const own = { owner: { name: 'Hine Walker', is_own: true } }
  await open([
    task('1', { ...about, ...own, reason: 'Tui has looked at their own account.', trail_of: 't1' }),
    task('2', { ...about, reason: 'Hine has looked at their own account.', why_not: todayMessages.own }),
    task('3', { ...about, kind: 'look', reason: 'Ask Tui about look 7.' }),
  ])
  const link = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
  expect(link('Tui has looked at their own account.')).toBe('/audit/?of=looks&person=t1')
  expect(link('Ask Tui about look 7.')).toBe('/audit/checks/')
  const row = rowOf('Tui has looked at their own account.')
  await user.click(row.getByRole('button', { name: 'Done' }))
  expect(row.getByLabelText<HTMLInputElement>('Result').required).toBe(true)
  const ownRow = rowOf('Hine has looked at their own account.')
  expect(ownRow.getByText(todayMessages.own)).toBeTruthy()
  expect(ownRow.queryByRole('button')).toBeNull()
})

test.each([
  ['finance', '/messages/'],
  ['admin', null],
])('a task about a message links %s to %s', async (role, leads) => {
  const refused = { kind: 'message', kind_words: 'Message', order: null, name: null }
  await open([task('1', { ...refused, reason: 'the mail relay refused this message for good' })], {}, [role])
  const link = (name: string) => screen.queryByRole('link', { name })?.getAttribute('href') ?? null
  expect(screen.getByText('the mail relay refused this message for good')).toBeTruthy()
  expect(link('the mail relay refused this message for good')).toBe(leads)
})

test('an admin can approve higher refund limits, but not once the limits have changed since the request', async () => {
  const { amount: _, paid: __, title: ___, customer: ____, ...asked } = approval
  const limits = { from_order: '10.00', from_day: '100.00', to_order: '15.00', to_day: '150.00' }
  const wish: Approval = { ...asked, ...limits, kind: 'limits', subject: 'support', role: 'support', is_stale: false }
  const path = 'POST /api/desk/approvals/a1/decide/'
  const stale: Approval = { ...wish, id: 'a2', role: 'finance', is_stale: true }
  await open(
    [],
    { 'GET /api/desk/approvals/': { to_decide: [wish, stale], own: [] }, [path]: { outcome: null, why: null } },
    ['admin'],
  )
  const card = within(await screen.findByRole('article', { name: 'Change the limits for Support' }))
  expect(card.getByText('$10.00 → $15.00')).toBeTruthy()
  expect(card.getByText('$100.00 → $150.00')).toBeTruthy()
  const old = within(screen.getByRole('article', { name: 'Change the limits for Finance' }))
  expect(old.queryByRole('button', { name: 'Approve' })).toBeNull()
  await user.click(card.getByRole('button', { name: 'Approve' }))
  expect(
    await screen.findByText(/Support can now refund \$15.00 per order and \$150.00 in 24 hours without approval/),
  ).toBeTruthy()
})

test('a requester sees the result of their request and can dismiss it', async () => {
  const own = { ...approval, state: 'refused' as const, decided_by: 'Mere Ngata', words: 'It was used.' }
  const api = await open([], {
    'GET /api/desk/approvals/': { to_decide: [], own: [own] },
    'POST /api/desk/approvals/a1/seen/': {},
  })
  expect(await screen.findByText(/Mere Ngata declined the refund of \$118.00/)).toBeTruthy()
  api.replies['GET /api/desk/approvals/'] = { to_decide: [], own: [] }
  await user.click(screen.getByRole('button', { name: 'Got it' }))
  await waitFor(() => expect(screen.queryByText(/Mere Ngata has said no/)).toBeNull())
})

test('an admin sees the result of their catalogue request', async () => {
  const { amount: _, paid: __, title: ___, customer: ____, ...asked } = approval
  const own: Approval = {
    ...asked,
    kind: 'catalogue',
    subject: '3',
    path: '/catalogue/versions/7/',
    from: '2026-11-30T11:00:00Z',
    changes: 1,
    worse: [],
    better: [],
    is_stale: true,
    state: 'approved',
    decided_by: 'Mere Ngata',
  }
  await open([], { 'GET /api/desk/approvals/': { to_decide: [], own: [own] } }, ['admin'])
  expect(await screen.findByText(/Mere Ngata approved the new catalogue from 1 Dec, 00:00/)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Version 7' }).getAttribute('href')).toBe('/catalogue/versions/7/')
})
