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

test('one view shows, and it and its tab name each other', () => {
  expect(screen.getByRole('tablist', { name: 'Usage' })).toBeTruthy()
  expect(selected()).toEqual(['Data'])
  // Testing Library finds only the panel that shows.
  expect(panel().textContent).toBe('Megabytes')
  expect(panel().getAttribute('aria-labelledby')).toBe(tab('Data').id)
  for (const each of screen.getAllByRole('tab'))
    expect(document.getElementById(each.getAttribute('aria-controls') ?? '')?.getAttribute('role')).toBe('tabpanel')
})

test('a click shows another', async () => {
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
])('%s leads from the first to %s, and the focus goes along', async (keys, name) => {
  tab('Data').focus()
  await user.keyboard(keys)
  expect(selected()).toEqual([name])
  await expect.poll(() => document.activeElement).toBe(tab(name))
})

test('the tabs are one stop for the Tab key, then comes the view', async () => {
  await user.tab()
  await expect.poll(() => document.activeElement).toBe(tab('Data'))
  await user.keyboard('{End}')
  await user.tab()
  await expect.poll(() => document.activeElement).toBe(panel())
  await user.tab()
  await expect.poll(() => document.activeElement).toBe(screen.getByRole('button', { name: 'Count' }))
})

test('with a key of the browser’s own the arrows are the browser’s', async () => {
  tab('Data').focus()
  await user.keyboard('{Alt>}{ArrowRight}{/Alt}')
  expect(selected()).toEqual(['Data'])
})
