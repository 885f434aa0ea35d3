import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { testBootstrap } from '#quality/support/open-portal.tsx'
import { BootstrapProvider } from '../bootstrap.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { ErrorScreen } from './ErrorScreen.tsx'
import { LoadingScreen } from './LoadingScreen.tsx'
import { NotFoundScreen } from './NotFoundScreen.tsx'

const { brand } = testBootstrap
const wrapper = ({ children }: { children: ReactNode }) => (
  <BootstrapProvider value={testBootstrap}>{children}</BootstrapProvider>
)

function Broken(): never {
  throw new Error('cannot render')
}

test('the error page shows the specified text, and a button to try again if that is possible', async () => {
  const onRetry = vi.fn<() => void>()
  const { rerender } = render(<ErrorScreen />, { wrapper })
  expect(screen.getByRole('heading', { name: 'Something Went Wrong' })).toBeDefined()
  expect(screen.getByText("Unfortunately, something didn't go as planned.")).toBeDefined()
  expect(screen.getByText('Please try again later.')).toBeDefined()
  expect(screen.getByRole('link', { name: brand.help.phone }).getAttribute('href')).toBe('tel:0800326824')
  expect(screen.queryByRole('button')).toBeNull()
  rerender(<ErrorScreen onRetry={onRetry} />)
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  rerender(<ErrorScreen onRetry={onRetry} busy />)
  await userEvent.click(screen.getByRole('button', { name: 'Trying Again', busy: true }))
  expect(onRetry).toHaveBeenCalledOnce()
})

test('the not-found page links to the home page and to the contact number', () => {
  const { container } = render(<NotFoundScreen />, { wrapper })
  expect(
    screen.getByRole('heading', { name: 'Unfortunately we could not find what you were looking for' }),
  ).toBeDefined()
  expect(screen.getByRole('link', { name: 'Back to the home page' }).getAttribute('href')).toBe('/')
  expect(screen.getByRole('link', { name: brand.help.phone }).getAttribute('href')).toBe('tel:0800326824')
  expect(markIn(container)).toEqual([brand.mark, ''])
})

test("the loading screen shows the brand's logo mark and reports that it is loading", () => {
  const { container } = render(<LoadingScreen />, { wrapper })
  expect(markIn(container)).toEqual([brand.mark, ''])
  expect(screen.getByRole('status').textContent).toBe('Loading')
})

test('if a component cannot render, the error page is shown, or nothing if the component is optional', () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const { container, rerender } = render(
    <ErrorBoundary key="page">
      <Broken />
    </ErrorBoundary>,
    { wrapper },
  )
  expect(screen.getByRole('heading', { name: 'Something Went Wrong' })).toBeDefined()
  rerender(
    <ErrorBoundary key="part" silent>
      <Broken />
    </ErrorBoundary>,
  )
  expect(container.innerHTML).toBe('')
  rerender(<ErrorBoundary key="other">Well</ErrorBoundary>)
  expect(container.innerHTML).toBe('Well')
  expect(log).toHaveBeenCalled()
})

const markIn = (container: HTMLElement) =>
  ['src', 'alt'].map((name) => container.querySelector('img')?.getAttribute(name))
