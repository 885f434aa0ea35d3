import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { withFakeTime, pass } from '#quality/support/fake-time.ts'
import { toastDurationMs } from '../toast-time.ts'
import { useToast } from './Toast.tsx'

withFakeTime('2026-11-21T00:00:00Z')

const lasting = 8_000
const status = () => screen.getByRole('status')
const bubble = () => status().firstElementChild!
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

function Page() {
  const { toast, show } = useToast()
  return (
    <>
      <button type="button" onClick={() => show('Saved')}>
        Save
      </button>
      <button type="button" onClick={() => show('Sent')}>
        Send
      </button>
      <button type="button" onClick={() => show('Auto-renewal is on', lasting)}>
        Enable
      </button>
      {toast}
    </>
  )
}

beforeEach(() => void render(<Page />))

describe('toast messages', () => {
  test('a toast is shown in a status region for a second and a half, without a button', async () => {
    expect(status().textContent).toBe('')
    press('Save')
    expect(status().textContent).toBe('Saved')
    expect(screen.queryByRole('button', { name: 'Close' })).toBeNull()
    fireEvent.pointerEnter(bubble())
    await pass(toastDurationMs - 1)
    expect(status().textContent).toBe('Saved')
    await pass(1)
    expect(status().textContent).toBe('')
  })

  test('the next toast replaces the current one and is shown for its full time', async () => {
    press('Save')
    await pass(1_000)
    press('Send')
    expect(status().textContent).toBe('Sent')
    await pass(toastDurationMs - 1)
    expect(status().textContent).toBe('Sent')
    await pass(1)
    expect(status().textContent).toBe('')
  })

  test('a second toast with the same text is shown for its full time', async () => {
    press('Save')
    await pass(1_000)
    press('Save')
    await pass(1_000)
    expect(status().textContent).toBe('Saved')
  })

  test.each([
    [100, false],
    [innerHeight - 8, true],
  ])('whether the toast is at the top if the focused control ends at %d: %s', (bottom, isTop) => {
    const save = screen.getByRole('button', { name: 'Save' })
    save.getBoundingClientRect = () => ({ bottom }) as DOMRect
    save.focus()
    press('Save')
    expect(bubble().className.includes('top')).toBe(isTop)
  })
})

describe('long-lasting toasts', () => {
  test('a long-lasting toast can be closed, and the next one still ends by itself', async () => {
    const enable = screen.getByRole('button', { name: 'Enable' })
    enable.focus()
    press('Enable')
    fireEvent.pointerEnter(bubble())
    act(() => screen.getByRole('button', { name: 'Close' }).focus())
    press('Close')
    expect(status().textContent).toBe('')
    await expect.poll(() => document.activeElement).toBe(enable)
    press('Save')
    await pass(toastDurationMs)
    expect(status().textContent).toBe('')
  })

  test.each([
    ['the pointer', 'pointerEnter', 'pointerLeave'],
    ['the focus', 'focusIn', 'focusOut'],
  ] as const)('a long-lasting toast stays while %s is on it', async (_what, enter, leave) => {
    press('Enable')
    await pass(lasting - 1)
    act(() => void fireEvent[enter](bubble()))
    await pass(60_000)
    expect(status().textContent).toBe('Auto-renewal is on')
    act(() => void fireEvent[leave](bubble()))
    await pass(lasting - 1)
    expect(status().textContent).toBe('Auto-renewal is on')
    await pass(1)
    expect(status().textContent).toBe('')
  })
})
