import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { ApiProvider } from '#kit/web/api.tsx'
import { BootstrapProvider } from '#kit/web/bootstrap.tsx'
import { type Call, createFakeApi, type Reply, testBootstrap } from '#quality/support/open-portal.tsx'
import type { ResultRow, SearchResults } from '../search.contract.ts'
import Palette from './Palette.tsx'
import type { MenuLink } from './matching-menu-entries.ts'

const user = userEvent.setup()
const path = 'GET /api/desk/search/'

const row = (hit: string, href: string, more: Partial<ResultRow> = {}): ResultRow => ({
  kind: 'number',
  hit,
  mark: { start: hit.length - 4, length: 4 },
  name: 'Ana Ta•••••',
  email: 'an•••••@example.nz',
  detail: '25 GB',
  state: 'Number',
  href,
  ...more,
})
const found = (...rows: ResultRow[]): SearchResults => ({
  took_ms: 9,
  order_missing: false,
  groups: [{ kind: 'number', title: 'Numbers ending in 0142', rows, more: false, too_long: false }],
})
const two = found(row('021 555 0142', '/customers/one/'), row('027 410 0142', '/customers/two/'))

function open(reply: Reply, places: readonly MenuLink[] = []) {
  history.replaceState(null, '', '/')
  const api = createFakeApi({ [path]: reply })
  const onClose = vi.fn<() => void>()
  render(
    <BootstrapProvider value={testBootstrap}>
      <ApiProvider api={api}>
        <Palette open places={places} onClose={onClose} />
      </ApiProvider>
    </BootstrapProvider>,
  )
  return { api, onClose, field: screen.getByRole('combobox') }
}
const chosen = () => screen.queryByRole('option', { selected: true })?.textContent ?? null

test('the search palette searches when the person stops typing, and marks the match', async () => {
  const { api, field } = open(two)
  await user.type(field, '0142')
  await screen.findByText('2 found in 9 ms')
  expect(api.calls.map(({ query }) => query)).toEqual([{ q: '0142' }])
  const list = within(screen.getByRole('listbox', { name: 'Found' }))
  expect(within(list.getByRole('group', { name: /^Numbers ending in 0142/ })).getAllByRole('option')).toHaveLength(2)
  expect(list.getAllByText('0142', { selector: 'mark' })).toHaveLength(2)
  expect(field.getAttribute('aria-expanded')).toBe('true')
  expect(document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent).toBe(chosen())
})

test('in the search palette, arrow keys move through the results and wrap around, and Enter opens one', async () => {
  const { onClose, field } = open(two)
  await user.type(field, '0142')
  await screen.findByText('2 found in 9 ms')
  expect(chosen()).toContain('021 555 0142')
  await user.keyboard('{ArrowDown}')
  expect(chosen()).toContain('027 410 0142')
  await user.keyboard('{ArrowDown}')
  expect(chosen()).toContain('021 555 0142')
  await user.keyboard('{ArrowUp}{Enter}')
  expect(onClose).toHaveBeenCalledOnce()
  expect(location.pathname).toBe('/customers/two/')
})

test('the search palette ignores a late response to an older search', async () => {
  const late = Promise.withResolvers<SearchResults>()
  const { field } = open(({ query }: Call) => ((query as { q: string }).q === 'old' ? late.promise : two))
  await user.type(field, 'old')
  await waitFor(() => expect(screen.queryByRole('option')).toBeNull())
  await new Promise((resolve) => setTimeout(resolve, 200))
  await user.clear(field)
  await user.type(field, '0142')
  await screen.findByText('2 found in 9 ms')
  late.resolve(found())
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(screen.getAllByRole('option')).toHaveLength(2)
})

test('if Enter is pressed early, the search palette waits for the current search and does not open an older result', async () => {
  const late = Promise.withResolvers<SearchResults>()
  const { field } = open(({ query }: Call) => ((query as { q: string }).q === '0142' ? two : late.promise))
  await user.type(field, '0142')
  await screen.findByText('2 found in 9 ms')
  await user.type(field, '7{Enter}')
  expect(await screen.findByText('Looking')).toBeDefined()
  expect(location.pathname).toBe('/')
  late.resolve(found(row('027 401 4270', '/customers/three/')))
  await waitFor(() => expect(location.pathname).toBe('/customers/three/'))
})

test('if Enter is pressed early and the search then finds several results, the search palette opens none of them', async () => {
  const { field, onClose } = open(two)
  await user.type(field, '0142{Enter}')
  await screen.findByText('2 found in 9 ms')
  expect(onClose).not.toHaveBeenCalled()
  await user.keyboard('{Enter}')
  expect(location.pathname).toBe('/customers/one/')
})

test('in the search palette, pressing Enter twice during a search, or once before it fails, opens the search page', async () => {
  const { field, api } = open(() => new Promise<never>(() => {}))
  await user.type(field, '01427{Enter}{Enter}')
  expect(location.pathname + location.search).toBe('/find/?q=01427')
  history.replaceState(null, '', '/')
  api.replies[path] = new ApiError(429, { code: 'Too many requests. Please try again shortly.' })
  await user.type(field, '9{Enter}')
  await waitFor(() => expect(location.pathname + location.search).toBe('/find/?q=014279'))
})

test('the search palette does not search for a single letter, and reports errors and searches without results', async () => {
  const { api, field } = open({ took_ms: 1, order_missing: false, groups: [] } satisfies SearchResults)
  await user.type(field, 'a')
  await new Promise((resolve) => setTimeout(resolve, 250))
  expect(api.calls).toEqual([])
  await user.type(field, 'n')
  expect(await screen.findByText('No results.')).toBeDefined()
  api.replies[path] = new ApiError(429, { code: 'Too many requests. Please try again shortly.' })
  await user.type(field, 'a')
  expect((await screen.findByRole('alert')).textContent).toMatch(/Too many|try again/i)
})

test('the search palette says that no order has the code that was typed', async () => {
  const { field } = open({ took_ms: 1, order_missing: true, groups: [] } satisfies SearchResults)
  await user.type(field, 'FT0123456789')
  expect(await screen.findByText('No order with this code.')).toBeDefined()
})

test('the close button closes the search palette', async () => {
  const { onClose } = open(two)
  await user.click(screen.getByRole('button', { name: 'Close, Esc' }))
  expect(onClose).toHaveBeenCalledOnce()
})

const menu: MenuLink[] = [
  { path: '/ports/', title: 'Ports', key: 'p' },
  { path: '/team/', title: 'Team and audit', key: 'a' },
]

test('the search palette lists a menu entry that matches, with its shortcut', async () => {
  const { field } = open({ took_ms: 3, order_missing: false, groups: [] }, menu)
  await user.type(field, 'aud')
  const place = await screen.findByRole('option', { name: /Team and/ })
  expect(place.textContent).toContain('G, then A')
  expect(within(place).getByText('aud', { selector: 'mark' })).toBeTruthy()
  expect(screen.queryByRole('option', { name: /Ports/ })).toBeNull()
  // Menu entries that match are not counted as results, because the server did not search for them.
  expect(await screen.findByText('0 found in 3 ms')).toBeTruthy()
})

test('in the search palette, pressing Enter opens a matching menu entry if the search finds nothing', async () => {
  const { field, onClose } = open({ took_ms: 3, order_missing: false, groups: [] }, menu)
  await user.type(field, 'ports{Enter}')
  await waitFor(() => expect(location.pathname).toBe('/ports/'))
  expect(onClose).toHaveBeenCalledOnce()
})

test('in the search palette, search results come before a menu entry that also matches', async () => {
  const { field } = open(found(row('Porter Ki••', '/customers/one/')), menu)
  await user.type(field, 'port')
  await screen.findByText('1 found in 9 ms')
  expect(chosen()).toContain('Porter')
  await user.type(field, '{ArrowDown}{Enter}')
  await waitFor(() => expect(location.pathname).toBe('/ports/'))
})
