import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { Dialog, SidePanel } from './Dialog.tsx'

const user = userEvent.setup()

function Example({ Sheet = Dialog }: { Sheet?: typeof Dialog }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Sheet title="Summary" open={open} onClose={() => setOpen(false)}>
        <p>Twenty dollars</p>
      </Sheet>
    </>
  )
}

const opener = () => screen.getByRole('button', { name: 'Open' })
const sheet = () => screen.queryByRole<HTMLDialogElement>('dialog', { name: 'Summary' })

test('a dialog is modal, has its title as its accessible name, and renders its content only while it is open', async () => {
  const showModal = vi.spyOn(HTMLDialogElement.prototype, 'showModal')
  render(<Example />)
  expect(screen.queryByText('Twenty dollars')).toBeNull()
  await user.click(opener())
  expect(showModal).toHaveBeenCalledOnce()
  expect(sheet()?.open).toBe(true)
  expect(screen.getByText('Twenty dollars')).toBeDefined()
})

test.for([
  ['its close button', () => user.click(screen.getByRole('button', { name: 'Close' }))],
  ['a press on the backdrop', () => fireEvent.mouseDown(sheet()!)],
  ['the browser, on Escape', () => act(() => sheet()!.close())],
] as const)('%s closes the dialog and returns the focus to the button that opened it', async ([, close]) => {
  render(<Example />)
  await user.click(opener())
  screen.getByRole('button', { name: 'Close' }).focus()
  await close()
  expect(document.querySelector('dialog')?.open).toBe(false)
  expect(screen.queryByText('Twenty dollars')).toBeNull()
  await expect.poll(() => document.activeElement).toBe(opener())
})

test('Escape closes the dialog even if the focus is outside it, and the dialog can be reopened immediately', async () => {
  render(<Example />)
  await user.click(opener())
  // For Escape, the browser first fires `cancel`, then closes the dialog, and only later fires `close`.
  const told: (() => void)[] = []
  vi.spyOn(HTMLDialogElement.prototype, 'close').mockImplementation(function (this: HTMLDialogElement) {
    this.open = false
    told.push(() => this.dispatchEvent(new Event('close')))
  })
  const dialog = sheet()!
  act(() => void dialog.dispatchEvent(new Event('cancel', { cancelable: true })))
  dialog.close()
  await user.click(opener())
  act(() => told.forEach((tell) => tell()))
  expect(sheet()?.open).toBe(true)
  expect(screen.getByText('Twenty dollars')).toBeDefined()
})

test('cancelling a control inside the dialog, such as a file picker, does not close the dialog', async () => {
  render(<Example />)
  await user.click(opener())
  act(() => void screen.getByText('Twenty dollars').dispatchEvent(new Event('cancel', { bubbles: true })))
  expect(sheet()?.open).toBe(true)
})

test('a click inside the dialog does not close it', async () => {
  render(<Example />)
  await user.click(opener())
  await user.click(screen.getByText('Twenty dollars'))
  expect(sheet()?.open).toBe(true)
})

test('leaving the page closes an open dialog', async () => {
  const { unmount } = render(<Example />)
  await user.click(opener())
  const dialog = sheet()!
  unmount()
  expect(dialog.open).toBe(false)
})

test.for([
  [true, 'showModal'],
  [false, 'show'],
] as const)('a side panel on a narrow screen (%s) is opened with %s', async ([matches, method]) => {
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches }))
  const opened = vi.spyOn(HTMLDialogElement.prototype, method)
  render(<Example Sheet={SidePanel} />)
  await user.click(opener())
  expect(opened).toHaveBeenCalledOnce()
  fireEvent.keyDown(sheet()!, { key: 'Escape' })
  expect(document.querySelector('dialog')?.open).toBe(false)
})

test('a side panel becomes modal when the screen becomes narrow, and stays open', async () => {
  const query = Object.assign(new EventTarget(), { matches: false })
  vi.stubGlobal('matchMedia', () => query)
  const onClose = vi.fn<() => void>()
  render(
    <SidePanel title="Summary" open onClose={onClose}>
      All plans
    </SidePanel>,
  )
  // The browser fires `close` later, when the dialog is open again.
  vi.spyOn(HTMLDialogElement.prototype, 'close').mockImplementation(function (this: HTMLDialogElement) {
    this.removeAttribute('open')
    queueMicrotask(() => this.dispatchEvent(new Event('close')))
  })
  const showModal = vi.spyOn(HTMLDialogElement.prototype, 'showModal')
  await act(async () => {
    query.matches = true
    query.dispatchEvent(new Event('change'))
  })
  expect(showModal).toHaveBeenCalledOnce()
  expect(sheet()?.open).toBe(true)
  expect(onClose).not.toHaveBeenCalled()
})
