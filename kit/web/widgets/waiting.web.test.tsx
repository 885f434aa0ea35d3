import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { testBootstrap } from '#quality/support/open-portal.tsx'
import { BootstrapProvider } from '../bootstrap.tsx'
import { LoadingScreen } from '../screens/LoadingScreen.tsx'
import { BusyButton } from './BusyButton.tsx'
import { Skeleton } from './Skeleton.tsx'
import { Unavailable } from './Unavailable.tsx'
import { UnavailableLine } from './UnavailableLine.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const status = () => screen.getByRole('status').textContent
const again = () => screen.getByRole('button', { name: 'Try Again' })
const goOnline = () => act(async () => void window.dispatchEvent(new Event('online')))

describe('the notice that loading is taking a long time', () => {
  test.each([
    ['a skeleton', <Skeleton key="" />],
    [
      'the loading screen',
      <BootstrapProvider key="" value={testBootstrap}>
        <LoadingScreen />
      </BootstrapProvider>,
    ],
  ])('after ten seconds, %s says that loading is taking longer than usual', async (_, waiting) => {
    render(waiting)
    await pass(9_999)
    expect(status()).toBe('Loading')
    await pass(1)
    expect(status()).toBe('LoadingThis is taking longer than usual. We’re still trying, so please keep this page open.')
  })
})

describe('the message shown for unavailable data', () => {
  test.each([
    [500, formMessages.server],
    [0, formMessages.noAnswer],
    [429, formMessages.tooMany],
  ])('data that fails to load with status %i shows an alert with the specified message', (code, why) => {
    render(<Unavailable what="No list." error={new ApiError(code, undefined)} onRetry={() => {}} />)
    expect(screen.getByRole('alert').textContent).toBe(`No list.${why}Try Again`)
  })

  test('unavailable data without an error shows a status message instead of an alert', () => {
    render(<Unavailable what="No list." onRetry={() => {}} />)
    expect(status()).toBe('No list.Try Again')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('the retry button loads the data again and moves the focus to an enclosing element that stays on the page', () => {
    const onRetry = vi.fn<() => void>()
    render(
      <main tabIndex={-1}>
        <div tabIndex={-1}>
          <Unavailable what="No list." onRetry={onRetry} />
        </div>
      </main>,
    )
    fireEvent.click(again())
    expect(onRetry).toHaveBeenCalledOnce()
    expect(document.activeElement?.parentElement).toBe(screen.getByRole('main'))
  })

  test('the retry button below a field moves the focus to that field', () => {
    const onRetry = vi.fn<() => void>()
    render(
      <>
        <input id="provider" />
        <p>
          <UnavailableLine what="No list." control="provider" onRetry={onRetry} />
        </p>
      </>,
    )
    fireEvent.click(again())
    expect(onRetry).toHaveBeenCalledOnce()
    expect(document.activeElement).toBe(screen.getByRole('textbox'))
  })

  test('loads unavailable data again when the connection is back, but only while the message is shown', async () => {
    const onRetry = vi.fn<() => void>()
    const { unmount } = render(<Unavailable what="No list." onRetry={onRetry} />)
    await goOnline()
    expect(onRetry).toHaveBeenCalledOnce()
    unmount()
    await goOnline()
    expect(onRetry).toHaveBeenCalledOnce()
  })
})

test('a busy button says that it is busy, keeps the focus and ignores further clicks', () => {
  const onClick = vi.fn<() => void>()
  const button = (busy: boolean) => (
    <BusyButton busy={busy} busyText="SENDING" onClick={onClick}>
      SEND
    </BusyButton>
  )
  const { rerender } = render(button(false))
  const element = screen.getByRole('button', { name: 'SEND' })
  element.focus()
  fireEvent.click(element)
  rerender(button(true))
  expect(screen.getByRole('button', { name: 'SENDING', busy: true })).toBe(document.activeElement)
  fireEvent.click(element)
  expect(onClick).toHaveBeenCalledOnce()
  rerender(button(false))
  fireEvent.click(element)
  expect(onClick).toHaveBeenCalledTimes(2)
})
