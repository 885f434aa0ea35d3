import { createEvent, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { Link } from './Link.tsx'

beforeEach(() => history.replaceState(null, '', '/'))

/** Clicks; false when the link has taken care of it itself, and so kept the browser from following it. */
const click = (init?: MouseEventInit): boolean =>
  fireEvent(screen.getByRole('link'), createEvent.click(screen.getByRole('link'), { button: 0, ...init }))

test('a link of the portal changes the page without loading it anew', () => {
  const onClick = vi.fn<() => void>()
  render(
    <Link href="/login/" onClick={onClick}>
      Login
    </Link>,
  )
  const entries = history.length
  expect(click()).toBe(false)
  expect([location.pathname, history.length]).toEqual(['/login/', entries + 1])
  expect(onClick).toHaveBeenCalledOnce()
})

test.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }])(
  'a click that wants something else of the browser is left to it: %j',
  (init) => {
    const onClick = vi.fn<() => void>()
    render(
      <Link href="/login/" onClick={onClick}>
        Login
      </Link>,
    )
    screen.getByRole('link').addEventListener('click', (event) => expect(event.defaultPrevented).toBe(false))
    // happy-dom would follow it.
    window.addEventListener('click', (event) => event.preventDefault(), { once: true })
    click(init)
    expect(location.pathname).toBe('/')
    expect(onClick).not.toHaveBeenCalled()
  },
)

test('so is one that has been dealt with', () => {
  render(
    <Link href="/login/" onClick={(event) => event.preventDefault()}>
      Login
    </Link>,
  )
  click()
  expect(location.pathname).toBe('/')
})

test.each([
  ['https://elsewhere.example/', undefined],
  ['tel:+6421555', undefined],
  ['/invoice.pdf', '_blank'],
])('%s is a plain link', (href, target) => {
  const pushed = vi.spyOn(history, 'pushState')
  render(
    <Link href={href} target={target}>
      There
    </Link>,
  )
  window.addEventListener('click', (event) => event.preventDefault(), { once: true })
  click()
  expect(pushed).not.toHaveBeenCalled()
})
