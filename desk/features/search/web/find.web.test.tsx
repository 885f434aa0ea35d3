import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import { searchPages } from './search.pages.ts'

const user = userEvent.setup()
const path = 'GET /api/desk/search/'
const me = { id: 's1', name: 'Hine Walker', email: 'h@x.nz', roles: ['support'], is_lead: false, passkeys: 2 }
const row = {
  kind: 'order',
  hit: 'FT7KQ2M9XDRA',
  mark: { start: 0, length: 4 },
  name: 'Ana Ta•••••',
  email: 'an•••••@xtra.co.nz',
  detail: 'Plan renewed',
  state: 'Order',
  href: '/orders/FT7KQ2M9XDRA/',
}

async function open(search: string, reply: Reply, staff: object = me) {
  const api = createFakeApi({ 'GET /api/desk/me/': { staff, demo: [] }, [path]: reply })
  await openPortal(searchPages, `/find/${search}`, api)
  return api
}

test('search results link to their pages, and a plain HTML form searches again without JavaScript', async () => {
  const api = await open('?q=ft7k', {
    took_ms: 3,
    order_missing: false,
    groups: [{ kind: 'order', title: 'Orders', rows: [row], more: true, too_long: false }],
  })
  expect((await screen.findByRole<HTMLAnchorElement>('link', { name: /Q2M9XDRA/ })).pathname).toBe(row.href)
  expect(screen.getByText('There are more results. Be more specific.')).toBeDefined()
  const form = screen.getByRole<HTMLFormElement>('search')
  expect([form.method, form.getAttribute('action')]).toEqual(['get', '/find/'])
  await user.type(screen.getByRole('searchbox'), 'q{Enter}')
  expect(location.search).toBe('?q=ft7kq')
  expect(api.calls.filter(({ at }) => at === path).map(({ query }) => query)).toContainEqual({ q: 'ft7k' })
})

test('the search page sends no empty query, and reports errors and searches without results', async () => {
  const api = await open('', { took_ms: 1, order_missing: false, groups: [] })
  expect(await screen.findByText(/^Search by number, name/)).toBeDefined()
  expect(api.calls.some(({ at }) => at === path)).toBe(false)
  await user.type(screen.getByRole('searchbox'), 'nobody{Enter}')
  expect(await screen.findByText('No results.')).toBeDefined()
  api.replies[path] = new ApiError(429, { code: 'x' })
  await user.clear(screen.getByRole('searchbox'))
  await user.type(screen.getByRole('searchbox'), 'ana{Enter}')
  expect(await screen.findByText('Too many requests. Please try again shortly.')).toBeDefined()
})

test('the search page says that no order has the code that was typed', async () => {
  await open('?q=FT0123456789', { took_ms: 1, order_missing: true, groups: [] })
  expect(await screen.findByText('No order with this code.')).toBeDefined()
})

test('an admin without the support or finance role is redirected from the search page to a page that says who may see it', async () => {
  await open('', { took_ms: 1, order_missing: false, groups: [] }, { ...me, roles: ['admin'] })
  await waitFor(() => expect(location.pathname).toBe('/not-allowed/'))
})
