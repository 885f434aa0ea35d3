import { createEvent, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { Link } from './Link.tsx'

beforeEach(() => history.replaceState(null, '', '/'))

/** Clicks the link. Returns false if the link handled the click, so that the browser does not follow it. */
const click = (init?: MouseEventInit): boolean =>
  fireEvent(screen.getByRole('link'), createEvent.click(screen.getByRole('link'), { button: 0, ...init }))

test('a link within the portal changes the page without reloading the document', () => {
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
  'a link leaves a click with a modifier key or a different mouse button to the browser: %j',
  (init) => {
    const onClick = vi.fn<() => void>()
    render(
      <Link href="/login/" onClick={onClick}>
        Login
      </Link>,
    )
    screen.getByRole('link').addEventListener('click', (event) => expect(event.defaultPrevented).toBe(false))
    // Without this listener, happy-dom would follow the link.
    window.addEventListener('click', (event) => event.preventDefault(), { once: true })
    click(init)
    expect(location.pathname).toBe('/')
    expect(onClick).not.toHaveBeenCalled()
  },
)

test('a link ignores a click that its own handler has cancelled', () => {
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
])('a link to %s is left to the browser', (href, target) => {
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
