import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Menu } from './Menu.tsx'
import { Popup } from './Popup.tsx'

const user = userEvent.setup()

function show() {
  const onSelect = vi.fn<() => void>(() => focusedAtSelect.push(document.activeElement))
  const focusedAtSelect: (Element | null)[] = []
  history.replaceState(null, '', '/')
  const items = [
    { text: 'Disable Auto Renewal', onSelect },
    { text: 'Invoices', url: '/invoices/' },
    { text: 'Details', url: '/details/' },
  ]
  render(
    <>
      <Menu label="More about 021 555 0142" items={items} />
      <button type="button">Elsewhere</button>
    </>,
  )
  return { onSelect, focusedAtSelect }
}

const button = () => screen.getByRole('button', { name: 'More about 021 555 0142' })
const menu = () => screen.queryByRole('menu', { name: 'More about 021 555 0142' })
const here = () => document.activeElement?.textContent

test('the menu button indicates that it has a menu, and whether the menu is open', async () => {
  show()
  expect([button().getAttribute('aria-haspopup'), button().getAttribute('aria-expanded'), menu()]).toEqual([
    'menu',
    'false',
    null,
  ])
  await user.click(button())
  expect([button().getAttribute('aria-expanded'), button().getAttribute('aria-controls')]).toEqual(['true', menu()?.id])
  expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
    'Disable Auto Renewal',
    'Invoices',
    'Details',
  ])
  expect(here()).toBe('Disable Auto Renewal')
  await user.click(button())
  expect(menu()).toBeNull()
})

test('the keyboard can open the menu, move within it and close it', async () => {
  show()
  button().focus()
  await user.keyboard('{ArrowDown}')
  expect(here()).toBe('Disable Auto Renewal')
  await user.keyboard('{ArrowDown}')
  expect(here()).toBe('Invoices')
  await user.keyboard('{End}{ArrowDown}')
  expect(here()).toBe('Disable Auto Renewal')
  await user.keyboard('{ArrowUp}')
  expect(here()).toBe('Details')
  await user.keyboard('{Home}')
  expect(here()).toBe('Disable Auto Renewal')
  await user.keyboard('d')
  expect(here()).toBe('Details')
  await user.keyboard('I')
  expect(here()).toBe('Invoices')
  await user.keyboard('x')
  expect(here()).toBe('Invoices')
  await user.keyboard('{Escape}')
  expect([menu(), document.activeElement]).toEqual([null, button()])
  await user.keyboard('{ArrowUp}')
  expect(here()).toBe('Details')
  await user.keyboard('{Escape}')
  await user.keyboard('{Enter}')
  expect(here()).toBe('Disable Auto Renewal')
})

test('the Tab key leaves and closes the menu', async () => {
  show()
  await user.click(button())
  await user.tab()
  expect([menu(), here()]).toEqual([null, 'Elsewhere'])
})

test('a click elsewhere closes the menu', async () => {
  show()
  await user.click(button())
  fireEvent.pointerDown(screen.getByRole('button', { name: 'Elsewhere' }))
  expect(menu()).toBeNull()
})

test('choosing a menu item closes the menu, returns the focus to the menu button and runs the item once', async () => {
  const { onSelect, focusedAtSelect } = show()
  await user.click(button())
  await user.keyboard('{Enter}')
  expect(onSelect).toHaveBeenCalledOnce()
  expect([menu(), focusedAtSelect]).toEqual([null, [button()]])
})

test.each(['{Enter}', ' '])('pressing %j on a menu item that has an address opens the address', async (key) => {
  show()
  await user.click(button())
  await user.keyboard(`{ArrowDown}${key}`)
  expect(location.pathname).toBe('/invoices/')
  expect(menu()).toBeNull()
})

test('a popup is opened by its button, and is closed by Escape or by a click elsewhere', async () => {
  render(<Popup label="What are these days?">Data comes every 30 days.</Popup>)
  const opener = screen.getByRole('button', { name: 'What are these days?' })
  const words = () => screen.queryByText('Data comes every 30 days.')
  expect([words(), opener.getAttribute('aria-expanded')]).toEqual([null, 'false'])
  await user.click(opener)
  expect(words()?.closest('[role="status"]')).not.toBeNull()
  expect(opener.getAttribute('aria-expanded')).toBe('true')
  await user.keyboard('{Escape}')
  expect([words(), document.activeElement]).toEqual([null, opener])
  await user.click(opener)
  fireEvent.pointerDown(document.body)
  expect(words()).toBeNull()
})
