import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Link } from '../Link.tsx'
import { type Column, type Row, Table } from './Table.tsx'

const columns: Column[] = [
  { title: 'Date' },
  { title: 'Order #', isName: true },
  { title: 'Amount', isFigure: true, isExtra: true },
  { title: 'Document' },
]
const row = (code: string, href?: string): Row => ({
  key: code,
  href,
  cells: [
    '21 Nov 2026',
    code,
    '$1.00',
    href && (
      <Link key="view" href={href}>
        View
      </Link>
    ),
  ],
})

let visited: string[]

function show(rows: readonly Row[]) {
  visited = ['/']
  vi.spyOn(history, 'pushState').mockImplementation((_state, _title, to) => void visited.push(String(to)))
  render(<Table caption="Purchases" columns={columns} rows={rows} />)
}

test('a table is named by its caption, and its headers belong to their columns and rows', () => {
  show([row('FT1'), row('FT2')])
  const table = within(screen.getByRole('table', { name: 'Purchases' }))
  expect(table.getAllByRole('columnheader').map((head) => [head.textContent, head.getAttribute('scope')])).toEqual([
    ['Date', 'col'],
    ['Order #', 'col'],
    ['Amount', 'col'],
    ['Document', 'col'],
  ])
  expect(table.getAllByRole('rowheader').map((head) => [head.textContent, head.getAttribute('scope')])).toEqual([
    ['FT1', 'row'],
    ['FT2', 'row'],
  ])
})

test("a column's style applies to its header and to its cells", () => {
  show([row('FT1')])
  const looks = (role: string) =>
    screen
      .getAllByRole(role)
      .map(({ className }) => className)
      .filter((name) => name.includes('figure') && name.includes('extra')).length
  expect([looks('columnheader'), looks('cell')]).toEqual([1, 1])
})

describe('a table row with a link', () => {
  const user = userEvent.setup()
  const cell = () => screen.getByRole('cell', { name: '$1.00' })
  beforeEach(() => show([row('FT1', '/invoices/FT1/')]))

  test('a click on a table row or on its link follows the link once', async () => {
    await user.click(cell())
    expect(visited).toEqual(['/', '/invoices/FT1/'])
    await user.click(screen.getByRole('link', { name: 'View' }))
    expect(visited).toEqual(['/', '/invoices/FT1/', '/invoices/FT1/'])
  })

  test.each(['Alt', 'Control', 'Meta', 'Shift'])(
    'leaves a click on a table row to the browser while the %s key is held',
    async (key) => {
      await user.keyboard(`{${key}>}`)
      await user.click(cell())
      await user.keyboard(`{/${key}}`)
      expect(visited).toEqual(['/'])
    },
  )

  test('a table row does not follow its link while text in the row is selected', async () => {
    vi.spyOn(window, 'getSelection').mockReturnValue({ isCollapsed: false } as Selection)
    await user.click(cell())
    expect(visited).toEqual(['/'])
  })
})

test('a click on a table row without a link does nothing', async () => {
  show([row('FT1')])
  await userEvent.click(screen.getByRole('cell', { name: '$1.00' }))
  expect(visited).toEqual(['/'])
})
