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
      { text: 'Your password', url: '/forgot-password/' },
      { text: 'Your card', url: '/account/payment-method/' },
    ],
    footer: [
      {
        title: 'Legal',
        items: [
          { text: 'Terms', url: 'https://help.example/terms/' },
          { text: 'Log in', url: '/login/' },
        ],
      },
      { title: 'Your account', items: [{ text: 'Forgotten password', url: '/forgot-password/' }] },
    ],
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
        help: { phone: '0800 326 824', hours: '8 am to 8 pm' },
      }}
      {...props}
    >
      <h1>Page</h1>
    </PageFrame>,
  )
}

const site = () => within(screen.getByRole('navigation', { name: 'Site', hidden: true }))
const footer = () => within(screen.getByRole('contentinfo'))
const link = (name: string) => site().getByRole('link', { name, hidden: true })

test("the page frame shows a visitor the menus from the provider's layout and the login link", () => {
  show()
  expect(screen.getByRole('link', { name: 'Fantail Mobile, home' }).getAttribute('href')).toBe('/')
  expect(link('Help').getAttribute('href')).toBe('https://help.example/')
  expect(link('Activate').getAttribute('aria-current')).toBe('page')
  expect(link('Login').getAttribute('href')).toBe('/login/')
  expect(site().queryByText('Account Settings')).toBeNull()
  expect(within(screen.getByRole('navigation', { name: 'Legal' })).getByRole('link', { name: 'Terms' })).toBeDefined()
  expect(screen.getByRole('contentinfo').textContent).toContain('© Fantail Mobile')
})

test.each([null, { email_verified: false }, { email_verified: true }])(
  'the footer shows the visitor %j the contact number and its hours',
  (who) => {
    show({ user: who })
    expect(footer().getByText(/^Need a person\?/).textContent).toBe('Need a person? 0800 326 824, 8 am to 8 pm')
    expect(footer().getByRole('link', { name: '0800 326 824' }).getAttribute('href')).toBe('tel:0800326824')
  },
)

test.each([
  [null, ['Legal: Terms, Log in', 'Your account: Forgotten password']],
  [{ email_verified: false }, ['Legal: Terms']],
  [{ email_verified: true }, ['Legal: Terms']],
])('the footer for the user %j shows only links that the user can open, and the copyright line', (who, columns) => {
  show({ user: who })
  expect(
    footer()
      .getAllByRole('navigation')
      .map((column) => {
        const links = within(column).getAllByRole('link')
        return `${within(column).getByRole('heading').textContent}: ${links.map(({ textContent }) => textContent).join(', ')}`
      }),
  ).toEqual(columns)
  expect(footer().getByText('© Fantail Mobile')).toBeDefined()
})

test.each([
  [null, ['Help', 'Activate', 'Your password', 'Your card', 'Login'], []],
  // While the address is unconfirmed, all other account pages redirect to the page that asks for confirmation.
  [{ email_verified: false }, ['Help', 'Activate', 'Confirm Your Email Address', 'Change Email'], ['Logout']],
  [
    { email_verified: true },
    [
      'Help',
      'Activate',
      'Your card',
      'Contact Details',
      'Payment Method',
      'Purchases',
      'Change Password',
      'Security',
      'Privacy',
    ],
    ['Logout'],
  ],
])('the header offers only links that the user %j may open', (who, links, buttons) => {
  show({ user: who })
  const names = (role: 'link' | 'button') =>
    site()
      .queryAllByRole(role, { hidden: true })
      .map(({ textContent }) => textContent)
  expect([names('link'), names('button')]).toEqual([links, buttons])
})

test('a page has a main region that keyboard users can skip to', () => {
  show()
  expect(screen.getByRole('main').id).toBe('main')
  expect(screen.getByRole('link', { name: 'Skip to the content' }).getAttribute('href')).toBe('#main')
})

test('the header shows a customer their account links and a logout button', async () => {
  const onLogout = vi.fn<() => void>()
  show({ user: { email_verified: true }, onLogout })
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
  show({ user: { email_verified: true } })
  await user.click(site().getByText('Account Settings'))
  const menu = document.querySelector('details')
  expect(menu?.open).toBe(true)
  await close()
  expect(menu?.open).toBe(false)
})

test('a link in the header changes the page without reloading the document', async () => {
  show()
  const entries = history.length
  await user.click(link('Login'))
  expect([location.pathname, history.length]).toEqual(['/login/', entries + 1])
})

test('the message about a failed logout has a button that closes it', async () => {
  const onNoticeRead = vi.fn<() => void>()
  show({ user: { email_verified: true }, notice: 'You are still logged in.', onNoticeRead })
  const status = screen.getByRole('status')
  expect(status.textContent).toBe('You are still logged in.')
  await user.click(within(status).getByRole('button', { name: 'Close' }))
  expect(onNoticeRead).toHaveBeenCalledOnce()
})
