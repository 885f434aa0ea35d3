import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { Tabs } from './Tabs.tsx'

const user = userEvent.setup()
const tab = (name: string) => screen.getByRole('tab', { name })
const panel = () => screen.getByRole('tabpanel')
const selected = () =>
  screen
    .getAllByRole('tab')
    .filter((each) => each.getAttribute('aria-selected') === 'true')
    .map((each) => each.textContent)

const tabs = [
  { title: 'Data', content: <p>Megabytes</p> },
  { title: 'Calls', content: <p>Minutes</p> },
  {
    title: 'SMS',
    content: (
      <p>
        Messages <button type="button">Count</button>
      </p>
    ),
  },
]

beforeEach(() => void render(<Tabs label="Usage" tabs={tabs} />))

test('shows one tab panel, which is linked to its tab', () => {
  expect(screen.getByRole('tablist', { name: 'Usage' })).toBeTruthy()
  expect(selected()).toEqual(['Data'])
  // Testing Library finds only the visible panel.
  expect(panel().textContent).toBe('Megabytes')
  expect(panel().getAttribute('aria-labelledby')).toBe(tab('Data').id)
  for (const each of screen.getAllByRole('tab'))
    expect(document.getElementById(each.getAttribute('aria-controls') ?? '')?.getAttribute('role')).toBe('tabpanel')
})

test('a click on a tab shows its panel', async () => {
  await user.click(tab('SMS'))
  expect(selected()).toEqual(['SMS'])
  expect(panel().textContent).toContain('Messages')
})

test.each([
  ['{ArrowRight}', 'Calls'],
  ['{ArrowRight}{ArrowRight}{ArrowRight}', 'Data'],
  ['{ArrowLeft}', 'SMS'],
  ['{End}', 'SMS'],
  ['{End}{Home}', 'Data'],
  ['{ArrowDown}', 'Data'],
])('the keys %s move from the first tab to %s, and the focus follows', async (keys, name) => {
  tab('Data').focus()
  await user.keyboard(keys)
  expect(selected()).toEqual([name])
  await expect.poll(() => document.activeElement).toBe(tab(name))
})

test('the Tab key moves from the selected tab straight to its panel', async () => {
  await user.tab()
  await expect.poll(() => document.activeElement).toBe(tab('Data'))
  await user.keyboard('{End}')
  await user.tab()
  await expect.poll(() => document.activeElement).toBe(panel())
  await user.tab()
  await expect.poll(() => document.activeElement).toBe(screen.getByRole('button', { name: 'Count' }))
})

test('arrow keys with the Alt key are left to the browser', async () => {
  tab('Data').focus()
  await user.keyboard('{Alt>}{ArrowRight}{/Alt}')
  expect(selected()).toEqual(['Data'])
})
