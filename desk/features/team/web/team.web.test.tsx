import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { captureDownloads } from '#quality/support/downloaded-files.ts'
import { type Call, createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import { staffMessages } from '#desk/features/staff/staff.contract.ts'
import type { AuditTrail } from '../audit.contract.ts'
import type { TeamPerson } from '../team.contract.ts'
import { teamPages } from './team.pages.ts'

const user = userEvent.setup()
const effective = '2026-11-25T03:03:00Z'

const person = (name: string, more: Partial<TeamPerson> = {}): TeamPerson => ({
  id: name,
  name,
  email: `${name.toLowerCase()}@fantail.example`,
  roles: ['support'],
  is_lead: false,
  passkeys: 2,
  passkey_used: '2026-11-24T03:03:00Z',
  is_here: true,
  seen: '2026-11-24T03:03:00Z',
  invited_until: null,
  suspended: null,
  ...more,
})
const staff = { id: 'Jo', name: 'Jo', email: 'jo@fantail.example', roles: ['admin'], is_lead: false, passkeys: 0 }

const lead = { ...staff, id: 'Mere', name: 'Mere', roles: ['finance'], is_lead: true }

async function open(path: string, replies: Record<string, Reply>, title: string) {
  const api = createFakeApi({ 'GET /api/desk/me/': { staff, demo: [] }, ...replies })
  await openPortal(teamPages, path, api)
  await screen.findByRole('heading', { name: title, level: 1 })
  return api
}
const openTeam = (replies: Record<string, Reply> = {}) => {
  const gone = person('Tom', { is_here: false, suspended: '2026-11-24T03:03:00Z', passkeys: 0 })
  const people = [person('Hine'), person('Jo', { roles: ['admin'] }), gone]
  const nothing = { to_decide: [], own: [] }
  const all = { 'GET /api/desk/team/': { people }, 'GET /api/desk/approvals/': nothing, ...replies }
  return open('/team/', all, 'Team')
}
const sent = (api: { calls: Call[] }, at: string) => api.calls.filter((call) => call.at === at).map(({ body }) => body)

test('an admin can change everyone on the team page except themselves', async () => {
  await openTeam()
  const row = (name: RegExp) => screen.getByRole('row', { name })
  expect(row(/^Jo /).textContent).toMatch(/You$/)
  expect(within(row(/^Hine/)).getAllByRole('button')).toHaveLength(4)
  expect(row(/^Tom/).textContent).toContain('Suspended 24 Nov, 16:03')
  expect(within(row(/^Tom/)).getAllByRole('button')).toHaveLength(1)
})

test('an admin is asked about a mistyped address before the invitation is requested', async () => {
  const api = await openTeam({ 'POST /api/desk/team/invite/': { effective } })
  await user.click(screen.getByRole('button', { name: 'Invite' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Invite' }))
  await user.type(drawer.getByLabelText('Name'), 'Kiri Pai')
  await user.click(drawer.getByLabelText('Support'))
  await user.type(drawer.getByLabelText('E-mail'), 'kiri.pai@outlok.com{Enter}')
  await drawer.findByRole('group', { name: 'Did you mean kiri.pai@outlook.com?' })
  expect(sent(api, 'POST /api/desk/team/invite/')).toEqual([])
  await user.click(drawer.getByRole('button', { name: 'Yes' }))
  await expect
    .poll(() => sent(api, 'POST /api/desk/team/invite/'))
    .toMatchObject([{ email: 'kiri.pai@outlook.com', name: 'Kiri Pai' }])
})

test('inviting someone asks for the passkey again, and shows how long the invitation waits for approval', async () => {
  let times = 0
  const api = await openTeam({
    'POST /api/desk/sign-in/demo/': {},
    'POST /api/desk/team/invite/': () => {
      times += 1
      return times === 1
        ? new ApiError(403, { code: 'Please confirm with your passkey again.', step_up: true })
        : { effective }
    },
  })
  await user.click(screen.getByRole('button', { name: 'Invite' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Invite' }))
  await user.type(drawer.getByLabelText('E-mail'), 'kiri@fantail.example')
  await user.type(drawer.getByLabelText('Name'), 'Kiri Pai')
  await user.click(drawer.getByRole('button', { name: 'Request invitation' }))
  expect(await drawer.findByText('Please choose at least one role.')).toBeTruthy()
  await user.click(drawer.getByLabelText('Support'))
  await user.click(drawer.getByRole('button', { name: 'Request invitation' }))
  expect(
    await screen.findByText(/^Request sent\. Waiting for approval: it takes effect on 25 Nov, 16:03 unless/),
  ).toBeTruthy()
  expect(sent(api, 'POST /api/desk/sign-in/demo/')).toHaveLength(1)
  expect(sent(api, 'POST /api/desk/team/invite/').at(-1)).toMatchObject({
    name: 'Kiri Pai',
    support: true,
    admin: false,
  })
})

test('requests for staff changes show what they change, and can be approved or cancelled', async () => {
  const asked = {
    kind: 'staff',
    id: 'a1',
    subject: 'kiri@fantail.example',
    asked_by: 'Al Fox',
    reason: 'New team member',
    note: '',
    asked: '2026-11-24T03:03:00Z',
    lapses: effective,
    age_seconds: 60,
    left_seconds: 86_340,
    state: 'open',
    decided_by: null,
    words: null,
    same_reason: { asker: 1, all: 1 },
    act: 'invite',
    before: null,
    after: { name: 'Kiri Pai', roles: ['support'], is_lead: true },
    is_stale: false,
  } as const
  const rights = { name: 'Hine', roles: ['support'], is_lead: false, suspended: false } as const
  const own = { ...asked, id: 'a2', act: 'roles', before: rights, after: { ...rights, roles: ['support', 'finance'] } }
  const api = await openTeam({
    'GET /api/desk/approvals/': { to_decide: [{ ...asked, cannot_approve: null }], own: [own] },
    'POST /api/desk/approvals/a1/decide/': { outcome: null, why: null },
    'POST /api/desk/approvals/a2/withdraw/': {},
  })
  const card = within(await screen.findByRole('article', { name: 'Invite Kiri Pai' }))
  expect(card.getByText('Support, Lead')).toBeTruthy()
  expect(card.getByText('We’ll email it to kiri@fantail.example')).toBeTruthy()
  expect(card.getByText(/^Waiting for approval\. Takes effect on 25 Nov, 16:03 unless/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Cancel the request for new roles for Hine' }))
  expect(sent(api, 'POST /api/desk/approvals/a2/withdraw/')).toHaveLength(1)
  await user.click(card.getByRole('button', { name: 'Approve' }))
  expect(await screen.findByText('The invitation is on its way to kiri@fantail.example.')).toBeTruthy()
})

test('suspending someone sends the reason, and the team page then shows the suspension', async () => {
  const api = await openTeam({ 'POST /api/desk/team/Hine/suspend/': {} })
  await user.click(screen.getByRole('button', { name: 'Suspend Hine' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Suspend Hine' }))
  await user.type(drawer.getByLabelText('Reason'), 'Has left')
  await user.click(drawer.getByRole('button', { name: 'Suspend' }))
  expect(await screen.findByText('Hine is suspended.')).toBeTruthy()
  expect(sent(api, 'POST /api/desk/team/Hine/suspend/')).toEqual([{ reason: 'Has left' }])
})

test('the audit log’s filters are in its URL, and customers are linked only if the reader may open them', async () => {
  const row = { at: '2026-11-24T03:03:00Z', who: 'Hine', why: 'A call' }
  const trail: AuditTrail = {
    rows: [
      {
        ...row,
        key: 'a',
        what: 'Opened a customer record',
        subject: null,
        customer: { text: 'Ana Ta•••••', path: '/customers/1a2b/' },
      },
      { ...row, key: 'b', what: 'Searched', subject: null, customer: { text: 'Customer …3c4d', path: null } },
    ],
    customers: [],
    more_customers: false,
    next: 'place',
    people: [{ id: 'Hine', name: 'Hine' }],
    acts: [{ code: 'customer_opened', text: 'Opened a customer record' }],
  }
  const api = await open('/audit/?of=looks', { 'GET /api/desk/audit/': trail }, 'Audit')
  expect(screen.getByRole('link', { name: 'Ana Ta•••••' }).getAttribute('href')).toBe('/customers/1a2b/')
  expect(screen.getByRole('row', { name: /Ana Ta/ }).textContent).toContain('24 Nov 2026, 16:03')
  expect(screen.queryByRole('link', { name: 'Customer …3c4d' })).toBeNull()
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Access' }).checked).toBe(true)
  expect(screen.getByRole('link', { name: 'Older' }).getAttribute('href')).toBe('/audit/?of=looks&before=place')
  await user.selectOptions(screen.getByLabelText('Person'), 'Hine')
  expect(location.search).toBe('?of=looks&person=Hine')
  expect(api.calls.filter(({ at }) => at === 'GET /api/desk/audit/').length).toBeGreaterThan(0)
  const form = within(screen.getByRole('form', { name: 'Filter the audit log' }))
  expect(form.getByRole('option', { name: 'Opened a customer record' })).toBeTruthy()
  expect(screen.getByRole<HTMLFormElement>('form', { name: 'Filter the audit log' }).method).toBe('get')
})

test('filters in the URL fill the audit form, apply to the download and can be cleared', async () => {
  const query = `?of=acts&act=note_written&customer=${crypto.randomUUID()}&day=2026-11-24`
  const trail: AuditTrail = {
    rows: [],
    next: null,
    people: [],
    acts: [{ code: 'note_written', text: 'Note added' }],
    customers: [],
    more_customers: false,
  }
  await open(`/audit/${query}`, { 'GET /api/desk/audit/': trail, 'POST /api/desk/sign-in/demo/': {} }, 'Audit')
  expect(await screen.findByText('No matching activity.')).toBeTruthy()
  expect(screen.getByLabelText<HTMLSelectElement>('Activity').value).toBe('note_written')
  expect(screen.getByLabelText<HTMLInputElement>('Day').value).toBe('2026-11-24')
  expect(screen.getByRole('link', { name: 'Clear filter' }).getAttribute('href')).toBe('/audit/?of=acts')
  expect(screen.getByText('CSV, the newest 10,000 rows at most')).toBeTruthy()
  const fetched = vi
    .spyOn(globalThis, 'fetch')
    .mockResolvedValueOnce(
      Response.json({ code: 'Please confirm with your passkey again.', step_up: true }, { status: 403 }),
    )
    .mockResolvedValueOnce(new Response('\uFEFFa,b'))
  const kept = captureDownloads()
  await user.click(screen.getByRole('button', { name: 'Download' }))
  expect(await screen.findByText('The file audit.csv is in your downloads.')).toBeTruthy()
  expect(fetched.mock.calls.map(([url]) => url)).toEqual([
    `/api/desk/audit/file/${query}`,
    `/api/desk/audit/file/${query}`,
  ])
  expect(kept).toEqual(['audit.csv'])
  const [savedFile] = vi.mocked(URL.createObjectURL).mock.calls[0] as [Blob]
  expect([...new Uint8Array(await savedFile.arrayBuffer())]).toEqual([0xef, 0xbb, 0xbf, ...Buffer.from('a,b')])
})

test('a team lead can look at the team but not change anything, and the page says so', async () => {
  await openTeam({ 'GET /api/desk/me/': { staff: lead, demo: [] } })
  expect(screen.getByRole('row', { name: /^Hine/ })).toBeTruthy()
  expect(within(screen.getByRole('region', { name: 'People' })).queryByRole('button')).toBeNull()
  expect(screen.queryByRole('columnheader', { name: 'Actions' })).toBeNull()
  expect(screen.getByText(staffMessages.leadReads)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Limits' })).toBeTruthy()
})

test('an email address on the team page is one element, so that a phone’s card layout does not pull it apart', async () => {
  await openTeam({})
  for (const cell of screen.getAllByText(/@/)) expect(cell.closest('td')?.childNodes.length).toBe(1)
})

const emptyTrail: AuditTrail = { rows: [], next: null, people: [], acts: [], customers: [], more_customers: false }

test('a team lead can filter the audit log by a customer’s name, choose a match, and cannot download the log', async () => {
  const customers = [
    { id: 'c1', name: 'Ana Ta•••••' },
    { id: 'c2', name: 'Ana To•••••' },
  ]
  const replies = { 'GET /api/desk/me/': { staff: lead, demo: [] } }
  const trail = { ...emptyTrail, customers, more_customers: true }
  const api = await open('/audit/?q=ana', { ...replies, 'GET /api/desk/audit/': trail }, 'Audit')
  expect(screen.getByLabelText<HTMLInputElement>(/^Customer: name/).value).toBe('ana')
  expect(api.calls.find(({ at }) => at === 'GET /api/desk/audit/')?.query).toEqual({ q: 'ana' })
  const match = screen.getByRole('link', { name: 'Ana To•••••' })
  expect(match.getAttribute('href')).toBe('/audit/?customer=c2')
  expect(screen.getByText('More customers match. Enter more of the name.')).toBeTruthy()
  expect(screen.getByText('Only admins can download the audit log.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Download' })).toBeNull()
  expect(screen.getByRole('link', { name: 'Random checks' })).toBeTruthy()
  api.replies['GET /api/desk/audit/'] = { ...emptyTrail, customers: customers.slice(1) }
  await user.click(match)
  expect((await screen.findByRole('link', { name: 'Ana To•••••' })).getAttribute('href')).toBe('/customers/c2/')
})

test('the audit page says that a search for a customer was stopped, not that no customer matches', async () => {
  const replies = { 'GET /api/desk/me/': { staff: lead, demo: [] } }
  await open('/audit/?q=ana', { ...replies, 'GET /api/desk/audit/': { ...emptyTrail, more_customers: true } }, 'Audit')
  expect(screen.getByText('This search took too long and was stopped. Be more specific.')).toBeTruthy()
  expect(screen.queryByText(/^No customer matches/)).toBeNull()
})

test('the audit page does not present one match of an incomplete search as the only one', async () => {
  const replies = { 'GET /api/desk/me/': { staff: lead, demo: [] } }
  const trail = { ...emptyTrail, customers: [{ id: 'c1', name: 'Ana Ta•••••' }], more_customers: true }
  await open('/audit/?q=ana', { ...replies, 'GET /api/desk/audit/': trail }, 'Audit')
  expect(screen.getByText(/^More customers match\./)).toBeTruthy()
})

test('a team lead whose only role is admin is not offered the random checks, and can filter by customer ID only', async () => {
  const replies = { 'GET /api/desk/me/': { staff: { ...staff, is_lead: true }, demo: [] } }
  await open('/audit/', { ...replies, 'GET /api/desk/audit/': emptyTrail }, 'Audit')
  expect(screen.queryByRole('link', { name: 'Random checks' })).toBeNull()
  expect(screen.getByLabelText('Customer ID')).toBeTruthy()
})
