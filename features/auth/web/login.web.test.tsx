import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import type { PageEntry } from '#kit/web/page.ts'
import { anonymousAccount, signedInAccount } from '#quality/support/account.ts'
import { getFieldError, createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import { loginMessages } from '../login.contract.ts'
import { authPages } from './auth.pages.ts'
import { requireCustomer } from './guards.ts'

const user = userEvent.setup()
const email = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Email' })
const password = () => screen.getByLabelText<HTMLInputElement>('Password')
const logIn = () => screen.getByRole<HTMLButtonElement>('button', { name: 'LOG IN' })
const read = 'GET /api/account/'
const login = 'POST /api/account/login/'

const titled =
  (title: string): PageEntry['component'] =>
  async () => ({ default: () => <h1>{title}</h1> })
const needs: PageEntry['loader'] = async () => ({ redirect: requireCustomer })
const pages: PageEntry[] = [
  ...authPages,
  { path: '/', title: 'Home', loader: needs, component: titled('My dashboard') },
  { path: '/services/:uuid/', title: 'Service', loader: needs, component: titled('My service') },
]

async function open(reply: Reply = signedInAccount(), path = '/login/') {
  const api = createFakeApi({ [read]: anonymousAccount, [login]: reply })
  await openPortal(pages, path, api)
  await screen.findByRole('heading', { level: 1, name: 'Welcome Back' })
  return api
}

async function fillIn() {
  await user.type(email(), 'Ana@example.nz')
  await user.type(password(), 'korimako1')
}

const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const address = () => location.pathname + location.search

beforeEach(() => sessionStorage.clear())

test('the login page links to the forgotten-password page and to SIM activation', async () => {
  await open()
  expect(screen.getByRole('link', { name: 'Forgot Password' }).getAttribute('href')).toBe('/forgot-password/')
  expect(screen.getByRole('link', { name: 'Activate your SIM' }).getAttribute('href')).toBe('/activate/')
})

test('after a successful activation in this browser, the login page offers to activate another SIM', async () => {
  const needs: PageEntry['loader'] = async () => ({ queries: () => [finished] })
  const finished = { queryKey: ['activation-finished'], queryFn: async () => ({ finished: true }) }
  const [loginPage, ...others] = authPages
  await openPortal(
    [{ ...(loginPage as PageEntry), loader: needs }, ...others],
    '/login/',
    createFakeApi({ [read]: anonymousAccount }),
  )
  const link = await screen.findByRole('link', { name: 'Activate another SIM' })
  expect(link.getAttribute('href')).toBe('/activate/new/')
})

describe('the login page in a browser that blocks cookies', () => {
  const sentence = /^Fantail needs cookies to keep you logged in\. Allow cookies .* reload this page\.$/

  test('says that cookies are needed when a login fails because there is no session cookie', async () => {
    await open(new ApiError(403, { __all__: ['Please refresh the page and try again.'] }))
    await fillIn()
    await user.click(logIn())
    expect((await screen.findByRole('alert')).textContent).toMatch(sentence)
  })

  test('warns before a login that cookies are blocked, and does not repeat the warning after the login fails', async () => {
    vi.spyOn(navigator, 'cookieEnabled', 'get').mockReturnValue(false)
    await open(new ApiError(403, {}))
    expect((await screen.findByText(sentence)).closest('[role=status]')).toBeTruthy()
    await fillIn()
    await user.click(logIn())
    expect(await screen.findByRole('alert')).toBeTruthy()
    expect(screen.getAllByText(sentence)).toHaveLength(1)
  })

  test('warns that cookies are blocked even if the only sign of it is blocked session storage, as in Chromium', async () => {
    vi.stubGlobal('sessionStorage', {
      getItem() {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      },
    })
    onTestFinished(() => void vi.unstubAllGlobals())
    await open()
    expect(await screen.findByText(sentence)).toBeTruthy()
  })

  test('the error after a failed login does not mention cookies if there is a session cookie', async () => {
    document.cookie = 'csrftoken=t0ken'
    onTestFinished(() => void (document.cookie = 'csrftoken=; max-age=0'))
    await open(new ApiError(403, {}))
    await fillIn()
    await user.click(logIn())
    expect((await screen.findByRole('alert')).textContent).not.toMatch(/cookies/)
  })
})

test('the link to the forgotten-password page includes the requested page', async () => {
  await open(signedInAccount(), '/login/?next=%2Fservices%2Fa-1%2F%3Ftab%3Dcalls')
  const link = screen.getByRole('link', { name: 'Forgot Password' })
  expect(link.getAttribute('href')).toBe('/forgot-password/?next=%2Fservices%2Fa-1%2F%3Ftab%3Dcalls')
})

test('the login fields have the right autocomplete values for password managers', async () => {
  await open()
  expect([email().autocomplete, email().type, password().autocomplete, password().type]).toEqual([
    'username',
    'email',
    'current-password',
    'password',
  ])
})

test('the login form requires both the email address and the password', async () => {
  const api = await open()
  await user.click(logIn())
  for (const field of [email(), password()]) expect(getFieldError(field)).toBe('This field is required.')
  expect(api.calls.map(({ at }) => at)).toEqual([read])
})

test('logging in opens the dashboard without loading the account again', async () => {
  const api = await open()
  await fillIn()
  await user.click(logIn())
  await heading('My dashboard')
  expect(api.calls).toMatchObject([
    { at: read },
    { at: login, body: { username: 'Ana@example.nz', password: 'korimako1' } },
  ])
  expect(screen.getByRole('button', { name: 'Logout', hidden: true })).toBeTruthy()
})

test('logging in returns the visitor to the requested page, including its query string', async () => {
  const api = createFakeApi({ [read]: anonymousAccount, [login]: signedInAccount() })
  await openPortal(pages, '/services/a-1/?tab=calls&page=2', api)
  await heading('Welcome Back')
  expect(address()).toBe(`/login/?next=${encodeURIComponent('/services/a-1/?tab=calls&page=2')}`)
  await fillIn()
  await user.type(password(), '{Enter}')
  await heading('My service')
  expect(address()).toBe('/services/a-1/?tab=calls&page=2')
})

test.each(['//evil.example', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)', 'services/a-1/', ''])(
  'a login does not lead to %j, because it is not a page on this site',
  async (next) => {
    await open(signedInAccount(), `/login/?next=${encodeURIComponent(next)}`)
    await fillIn()
    await user.click(logIn())
    await heading('My dashboard')
    expect(address()).toBe('/')
  },
)

test('logging in with an unconfirmed email address opens the confirmation page and remembers the requested page', async () => {
  await open(signedInAccount({ email_verified: false }), '/login/?next=%2Fservices%2Fa-1%2F')
  await fillIn()
  await user.click(logIn())
  await heading('Confirm Your Email Address')
  expect(address()).toBe('/verify/?next=%2Fservices%2Fa-1%2F')
})

describe('failed logins', () => {
  test.each([
    [new ApiError(400, { __all__: [loginMessages.wrong] }), loginMessages.wrong],
    [new ApiError(429, {}), 'Too many requests. Please try again shortly.'],
    [new ApiError(502, undefined), 'Something went wrong. Please try refreshing the page.'],
    [new ApiError(0, undefined), 'Sorry, there was an unexpected error. Please refresh and try again.'],
  ])('a failed login shows a message and keeps what was typed: %s', async (refusal, sentence) => {
    const api = await open(refusal)
    await fillIn()
    await user.click(logIn())
    expect((await screen.findByRole('alert')).textContent).toBe(sentence)
    expect([email().value, password().value, logIn().disabled]).toEqual(['Ana@example.nz', 'korimako1', false])
    api.replies[login] = signedInAccount()
    await user.click(logIn())
    await heading('My dashboard')
  })
})

test('the login page offers a password reset to a customer who is locked out', async () => {
  await open(new ApiError(429, { code: 'Too many requests. Please try again shortly.', hints: [loginMessages.locked] }))
  await fillIn()
  await user.click(logIn())
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Too many requests. Please try again shortly.')
  expect(alert.textContent).toContain('If you don’t want to wait, set a new password to log in straight away')
  expect(within(alert).getByRole('link', { name: 'Forgot Password' }).getAttribute('href')).toBe('/forgot-password/')
})

test('a reload of the login page keeps the email address but not the password', async () => {
  await open()
  await fillIn()
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('korimako1')
  cleanup()
  await open()
  expect([email().value, password().value]).toEqual(['Ana@example.nz', ''])
})

test.each([
  ['/login/', '/'],
  ['/forgot-password/', '/'],
  ['/password-reset/dWlk/t0ken', '/?reset-link'],
])('a signed-in customer is redirected from %s', async (path, end) => {
  await openPortal(pages, path, createFakeApi({ [read]: signedInAccount() }))
  await heading('My dashboard')
  expect(address()).toBe(end)
})
