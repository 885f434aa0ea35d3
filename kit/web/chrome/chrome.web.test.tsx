import { fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { Layout } from '#kit/contract/bootstrap.ts'
import { PageFrame } from './PageFrame.tsx'

const layout: Layout = {
  menus: {
    header: [
      { text: 'Help', url: 'https://help.example/' },
      { text: 'Activate', url: '/activate/' },
    ],
    footer: [{ title: 'Legal', items: [{ text: 'Terms', url: 'https://help.example/terms/' }] }],
  },
  roaming_link_text: '',
  roaming_link_url: '',
  plan_selection_terms: [],
  faq_url: '',
  order_sim_url: '',
  copyright: '© Fantail Mobile',
}

const user = userEvent.setup()

function show(props: Partial<Parameters<typeof PageFrame>[0]> = {}) {
  history.replaceState(null, '', '/activate/')
  render(
    <PageFrame
      layout={layout}
      brand={{
        name: 'Fantail Mobile',
        shortName: 'Fantail',
        mark: '/static/brand/mark.svg',
        description: '',
        help: '',
      }}
      {...props}
    >
      <h1>Page</h1>
    </PageFrame>,
  )
}

const site = () => within(screen.getByRole('navigation', { name: 'Site', hidden: true }))
const link = (name: string) => site().getByRole('link', { name, hidden: true })

test('a visitor finds the menus of the layout and the way to log in', () => {
  show()
  expect(screen.getByRole('link', { name: 'Fantail Mobile, home' }).getAttribute('href')).toBe('/')
  expect(link('Help').getAttribute('href')).toBe('https://help.example/')
  expect(link('Activate').getAttribute('aria-current')).toBe('page')
  expect(link('Login').getAttribute('href')).toBe('/login/')
  expect(site().queryByText('Account Settings')).toBeNull()
  expect(within(screen.getByRole('navigation', { name: 'Legal' })).getByRole('link', { name: 'Terms' })).toBeDefined()
  expect(screen.getByRole('contentinfo').textContent).toContain('© Fantail Mobile')
})

test('the page lies between header and footer, and the keyboard can skip to it', () => {
  show()
  expect(screen.getByRole('main').id).toBe('main')
  expect(screen.getByRole('link', { name: 'Skip to the content' }).getAttribute('href')).toBe('#main')
})

test('a customer finds the account and the way out', async () => {
  const onLogout = vi.fn<() => void>()
  show({ user: { first_name: 'Ana' }, onLogout })
  expect(site().queryByText('Login')).toBeNull()
  await user.click(link('Payment Method'))
  expect(location.pathname).toBe('/account/payment-method/')
  await user.click(site().getByRole('button', { name: 'Logout', hidden: true }))
  expect(onLogout).toHaveBeenCalledOnce()
})

test.for([
  ['a press elsewhere', () => fireEvent.pointerDown(screen.getByRole('main'))],
  ['Escape', () => fireEvent.keyDown(document.body, { key: 'Escape' })],
  ['a choice', () => user.click(link('Contact Details'))],
] as const)('%s closes the account menu', async ([, close]) => {
  show({ user: { first_name: 'Ana' } })
  await user.click(site().getByText('Account Settings'))
  const menu = document.querySelector('details')
  expect(menu?.open).toBe(true)
  await close()
  expect(menu?.open).toBe(false)
})

test('a link of the portal does not load the page anew, a link elsewhere is left alone', async () => {
  show()
  const entries = history.length
  await user.click(link('Login'))
  expect([location.pathname, history.length]).toEqual(['/login/', entries + 1])
})

test('what has gone wrong with the way out is told until it is read', async () => {
  const onNoticeRead = vi.fn<() => void>()
  show({ user: { first_name: 'Ana' }, notice: 'You are still logged in.', onNoticeRead })
  const status = screen.getByRole('status')
  expect(status.textContent).toBe('You are still logged in.')
  await user.click(within(status).getByRole('button', { name: 'Close' }))
  expect(onNoticeRead).toHaveBeenCalledOnce()
})
