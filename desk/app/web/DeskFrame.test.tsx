import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { testStaff, meAs, openDeskPage, mockNavigation } from '#quality/support/desk-page.tsx'
import { findCurrentEntry, menuEntries } from './menu-entries.ts'
import { createQueryClient } from '#kit/web/query/query-client.ts'
import { createFakeApi } from '#quality/support/open-portal.tsx'
import { checkSession } from './session.ts'

// The desk has no page at this URL, so only the frame is rendered.
const here = '/nowhere/'
beforeEach(() => void vi.spyOn(location, 'reload').mockImplementation(() => {}))
afterEach(() => void (document.cookie = 'desk_csrf=; max-age=0'))

const menu = () => within(screen.getByRole('navigation', { name: 'Desk' }))

test('the desk menu shows only the sections for a person’s roles', async () => {
  await openDeskPage(here, {})
  expect(menu().getByRole('link', { name: 'Today' })).toBeDefined()
  expect(menu().queryByRole('link', { name: 'Customers' })).not.toBeNull()
  expect(menu().queryByRole('link', { name: 'Team and audit' })).toBeNull()
})

test('the desk menu shows “Team and audit” to team leads, and “Random checks” to those who are not also admins', async () => {
  await openDeskPage(here, { 'GET /api/desk/me/': meAs(testStaff({ is_lead: true })) })
  expect(menu().getByRole('link', { name: 'Random checks' })).toBeDefined()
  expect(menu().getByRole('link', { name: 'Team and audit' })).toBeDefined()
  cleanup()
  await openDeskPage(here, { 'GET /api/desk/me/': meAs(testStaff({ is_lead: true, roles: ['support', 'admin'] })) })
  expect(menu().getByRole('link', { name: 'Team and audit' })).toBeDefined()
  expect(menu().queryByRole('link', { name: 'Random checks' })).toBeNull()
})

const quiet = { tasks: 0, approvals: 0, ports: 0, disputes: null, incident: null }

test('a desk menu entry shows how many items are waiting, but no number if there are none', async () => {
  await openDeskPage(here, { 'GET /api/desk/waits/': { ...quiet, tasks: 8, approvals: 1, ports: 120 } })
  expect(await menu().findByRole('link', { name: 'Today 9 wait' })).toBeDefined()
  expect(menu().getByRole('link', { name: 'Ports 99+ wait' })).toBeDefined()
  expect(menu().getByRole('link', { name: 'Stock' })).toBeDefined()
})

test.each([
  [{ kind: 'outage', words: 'the mobile network' }, 0, 'No answer from the mobile network since 24 Nov, 10:12'],
  [{ kind: 'notice', about: 'transfers' }, 2, 'Notice on the portal (transfers late) since 24 Nov, 10:12, and 2 more'],
])('the desk shows a banner about a current incident: %j', async (of, others, words) => {
  const incident = { of, since: '2026-11-23T21:12:00Z', others }
  await openDeskPage(here, { 'GET /api/desk/waits/': { ...quiet, incident } })
  expect((await screen.findByRole('link', { name: words })).getAttribute('href')).toBe('/health/')
})

test('staff who may not open customers’ records do not get the customer search field', async () => {
  await openDeskPage(here, { 'GET /api/desk/me/': meAs(testStaff({ roles: ['admin'] })) })
  await screen.findByText('Admin', { selector: 'summary small' })
  expect(screen.queryByRole('search')).toBeNull()
})

test('the desk’s sign-in page has no menu', async () => {
  await openDeskPage('/sign-in/', { 'GET /api/desk/me/': meAs(null) })
  await screen.findByRole('heading', { name: 'Sign in' })
  expect(screen.queryByRole('navigation')).toBeNull()
})

test('signing out of the desk loads the sign-in page as a new document', async () => {
  const assign = mockNavigation()
  const api = await openDeskPage(here, { 'POST /api/desk/sign-out/': {} })
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out', hidden: true }))
  await expect.poll(() => assign.mock.calls).toEqual([['/sign-in/']])
  expect(api.calls.at(-1)?.at).toBe('POST /api/desk/sign-out/')
})

test('if signing out fails, a message says that the person is still signed in', async () => {
  await openDeskPage(here, { 'POST /api/desk/sign-out/': () => Promise.reject(new ApiError(0, undefined)) })
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out', hidden: true }))
  expect(await screen.findByText(/^You’re still signed in/)).toBeDefined()
})

test.each([
  ['/', 'Today'],
  ['/find/', 'Customers'],
  ['/customers/12/', 'Customers'],
  ['/limits/', 'Team and audit'],
  ['/audit/checks/', 'Random checks'],
  ['/nowhere/', undefined],
])('on the page %s, the desk menu marks the entry %s as current', (here, title) =>
  expect(findCurrentEntry(menuEntries, here)?.title).toBe(title),
)

test('a desk page reloads when a check finds that the session has ended, but not while the session is valid', async () => {
  const client = createQueryClient({ retries: 0 })
  client.setQueryData(['me'], meAs(testStaff()))
  const api = createFakeApi({ 'GET /api/desk/me/': meAs(testStaff({ name: 'Hine Walker-Reid' })) })
  await checkSession(api, client)
  expect(location.reload).not.toHaveBeenCalled()
  api.replies['GET /api/desk/me/'] = meAs(null)
  await checkSession(api, client)
  await waitFor(() => expect(location.reload).toHaveBeenCalledOnce())
})
