import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { BootstrapProvider } from '#kit/web/bootstrap.tsx'
import { testBootstrap } from '#quality/support/open-portal.tsx'
import { BarChart, roundUpScale } from './BarChart.tsx'
import { ChipRow } from './ChipRow.tsx'
import { DataTable, type DataRow } from './DataTable.tsx'
import { DenseButton } from './DenseButton.tsx'
import { Figure } from './Figure.tsx'
import { getInitials } from './StaffAvatar.tsx'
import { setCharacterShortcuts } from './character-shortcuts.ts'
import { Timeline, type TimelineEntry } from './Timeline.tsx'

beforeEach(() => history.replaceState(null, '', '/ports/'))
afterEach(() => setCharacterShortcuts(true))

const focused = () => document.activeElement?.textContent

describe('tables at the staff desk', () => {
  const rows: DataRow[] = ['0161', '0162', '0163'].map((end) => ({
    key: end,
    href: `/ports/${end}/`,
    cells: [`027 555 ${end}`, <button key="take" type="button">{`Take ${end}`}</button>],
  }))
  const show = (some = rows) =>
    render(
      <>
        <input aria-label="Search" />
        <DataTable
          caption="Ports"
          columns={[{ title: 'Number', isName: true }, { title: 'Owner' }]}
          rows={some}
          empty="No transfer waits."
        />
      </>,
    )

  test('the keys J and K move between table rows and stop at the ends', async () => {
    show()
    await userEvent.keyboard('j')
    expect(focused()).toBe('027 555 0161')
    await userEvent.keyboard('jjj')
    expect(focused()).toBe('027 555 0163')
    await userEvent.keyboard('kkkk')
    expect(focused()).toBe('027 555 0161')
  })

  test('the arrow keys, Home and End move the focus from a focused row or from a control in it', async () => {
    show()
    await userEvent.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(document.body)
    await userEvent.keyboard('j{ArrowDown}')
    expect(focused()).toBe('027 555 0162')
    await userEvent.tab()
    expect(focused()).toBe('Take 0162')
    await userEvent.keyboard('{ArrowDown}')
    expect(focused()).toBe('027 555 0163')
    await userEvent.keyboard('{Home}')
    expect(focused()).toBe('027 555 0161')
    await userEvent.keyboard('{End}')
    expect(focused()).toBe('027 555 0163')
  })

  test('a letter key is not a shortcut while it is typed into a field or while shortcuts are turned off', async () => {
    show()
    const field = screen.getByRole<HTMLInputElement>('textbox')
    await userEvent.type(field, 'jk')
    expect([field.value, document.activeElement]).toEqual(['jk', field])
    field.blur()
    setCharacterShortcuts(false)
    await userEvent.keyboard('j')
    expect(document.activeElement).toBe(document.body)
  })

  test('the second key of a sequence that starts with G is not a shortcut of its own', async () => {
    show()
    await userEvent.keyboard('gj')
    expect(document.activeElement).toBe(document.body)
    await userEvent.keyboard('j')
    expect(focused()).toBe('027 555 0161')
  })

  test('keyboard shortcuts still work after a click on a radio button, which does not accept letters', async () => {
    render(<input type="radio" aria-label="Held" />)
    show()
    await userEvent.click(screen.getByRole('radio', { name: 'Held' }))
    await userEvent.keyboard('j')
    expect(focused()).toBe('027 555 0161')
  })

  test('a click on a table row follows its link, but a click on a button in the row does not', async () => {
    show()
    await userEvent.click(screen.getByRole('button', { name: 'Take 0162' }))
    expect(location.pathname).toBe('/ports/')
    await userEvent.click(screen.getByRole('rowheader', { name: '027 555 0162' }))
    expect(location.pathname).toBe('/ports/0162/')
    expect(screen.getByRole('link', { name: '027 555 0163' }).getAttribute('href')).toBe('/ports/0163/')
  })

  test('a table without rows shows a message instead', () => {
    show([])
    expect(screen.getByText('No transfer waits.')).toBeDefined()
  })
})

test('chips work as radio buttons: a click or an arrow key selects a different chip', async () => {
  const told = vi.fn<(value: string) => void>()
  function Kinds() {
    const [kind, setKind] = useState<'all' | 'money' | 'network'>('all')
    const change = (value: typeof kind) => {
      told(value)
      setKind(value)
    }
    const chips = [
      { value: 'all', text: 'All', count: 9 },
      { value: 'money', text: 'Money' },
      { value: 'network', text: 'Network' },
    ] as const
    return <ChipRow label="Kind" chips={chips} value={kind} onChange={change} />
  }
  render(<Kinds />)
  const chip = (name: string) => within(screen.getByRole('group', { name: 'Kind' })).getByRole('radio', { name })
  expect(chip('All 9')).toHaveProperty('checked', true)
  await userEvent.click(chip('Money'))
  expect(chip('Money')).toHaveProperty('checked', true)
  expect(chip('All 9')).toHaveProperty('checked', false)
  await userEvent.keyboard('{ArrowRight}')
  expect(told.mock.calls).toEqual([['money'], ['network']])
})

test('a timeline groups its entries by day and keeps their order', () => {
  vi.useFakeTimers({ now: new Date('2026-11-24T00:00:00Z'), toFake: ['Date'] })
  const at = (instant: string, text: string): TimelineEntry => ({ key: instant, at: instant, icon: 'mail', text })
  render(
    <BootstrapProvider value={testBootstrap}>
      <Timeline
        entries={[
          at('2026-11-23T21:41:00Z', 'Caller verified'),
          at('2026-11-23T20:14:00Z', 'Signed in'),
          at('2026-11-20T20:00:00Z', 'Mail sent'),
          at('2025-11-20T20:00:00Z', 'SIM activated'),
        ]}
      />
    </BootstrapProvider>,
  )
  vi.useRealTimers()
  const days = screen.getAllByRole('region').map((day) => [
    within(day).getByRole('heading').textContent,
    ...within(day)
      .getAllByRole('listitem')
      .map((entry) => entry.textContent),
  ])
  expect(days).toEqual([
    ['Today', '10:41Caller verified', '09:14Signed in'],
    ['Sat 21 Nov', '09:00Mail sent'],
    ['21 Nov 2025', '09:00SIM activated'],
  ])
})

test('a key figure shows its value, how it has changed, and a note', () => {
  const change = { text: '+8%', tone: 'good' } as const
  render(
    <dl>
      <Figure
        label="SIMs activated"
        value="142"
        change={change}
        note="11 gave up"
        spark={{ values: [1, 2], before: [2, 2] }}
      />
    </dl>,
  )
  expect(screen.getByRole('definition').textContent).toBe('142+8% · 11 gave up')
})

test('a bar chart has a table for screen readers, and its scale ends at a round figure', () => {
  const bars = [
    { label: '09', parts: [460, 60], before: 510 },
    { label: '10', parts: [340, 40], before: 520 },
  ]
  render(<BarChart title="Orders by hour" series={['Renewed', 'Activated']} beforeTitle="Last Tuesday" bars={bars} />)
  const table = screen.getByRole('table', { name: 'Orders by hour' })
  expect(within(table).getAllByRole('row').at(-1)?.textContent).toBe('1034040520')
  expect([1, 10, 11, 49, 51, 520, 1_000, 7_001].map(roundUpScale)).toEqual([10, 10, 20, 50, 100, 1_000, 1_000, 10_000])
})

test('an icon button has an accessible name, and a button with a URL is a link', () => {
  render(
    <>
      <DenseButton icon="eye" label="Show the e-mail" />
      <DenseButton href="/orders/" keys="O">
        Orders
      </DenseButton>
    </>,
  )
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Show the e-mail' }).type).toBe('button')
  expect(screen.getByRole('link', { name: 'Orders' }).getAttribute('aria-keyshortcuts')).toBe('O')
})

test.for([
  ['Hine Walker', 'HW'],
  ['Hine', 'H'],
  ['  Te Rauparaha Kiri Aperahama ', 'TA'],
  ['', ''],
] as const)('the initials of %o are %o', ([name, initials]) => expect(getInitials(name)).toBe(initials))
