// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { ErrorScreen } from './ErrorScreen.tsx'
import { LoadingScreen } from './LoadingScreen.tsx'
import { NotFoundScreen } from './NotFoundScreen.tsx'

function Broken(): never {
  throw new Error('cannot render')
}

test('the error page says what the spec says, and offers to try again when somebody can', async () => {
  const onRetry = vi.fn<() => void>()
  const { rerender } = render(<ErrorScreen />)
  expect(screen.getByRole('heading', { name: 'Something Went Wrong' })).toBeDefined()
  expect(screen.getByText("Unfortunately, something didn't go as planned.")).toBeDefined()
  expect(screen.getByText('Please try again later.')).toBeDefined()
  expect(screen.queryByRole('button')).toBeNull()
  rerender(<ErrorScreen onRetry={onRetry} />)
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(onRetry).toHaveBeenCalledOnce()
})

test('the not-found page leads back', () => {
  render(<NotFoundScreen />)
  expect(screen.getByRole('heading', { name: 'Unfortunately we could not find what you were looking for' })).toBeDefined()
  expect(screen.getByRole('link').getAttribute('href')).toBe('/')
})

test('loading is told', () => {
  render(<LoadingScreen />)
  expect(screen.getByRole('status').textContent).toBe('Loading')
})

test('what cannot render gives way to the error page, or to nothing when it may be missed', () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const { container, rerender } = render(<ErrorBoundary key="page"><Broken /></ErrorBoundary>)
  expect(screen.getByRole('heading', { name: 'Something Went Wrong' })).toBeDefined()
  rerender(<ErrorBoundary key="part" silent><Broken /></ErrorBoundary>)
  expect(container.innerHTML).toBe('')
  rerender(<ErrorBoundary key="other">Well</ErrorBoundary>)
  expect(container.innerHTML).toBe('Well')
  expect(log).toHaveBeenCalled()
})
