import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { passwordMessages } from '#kit/contract/password.ts'
import type { PageEntry } from '#kit/web/page.ts'
import { anonymousAccount, signedInAccount } from '#quality/support/account.ts'
import { getFieldError, createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import { resetMessages } from '../password-reset.contract.ts'
import { authPages } from './auth.pages.ts'

const user = userEvent.setup()
const password = () => screen.getByLabelText<HTMLInputElement>('New password')
const again = () => screen.getByLabelText<HTMLInputElement>('Confirm new password')
const set = () => screen.getByRole<HTMLButtonElement>('button', { name: 'SET PASSWORD' })
const reset = 'POST /api/forgot_password_reset/dWlk/t0ken-_/'
const path = '/password-reset/dWlk/t0ken-_'

const pages: PageEntry[] = [
  ...authPages,
  { path: '/', title: 'Home', component: async () => ({ default: () => <h1>My dashboard</h1> }) },
  { path: '/services/:uuid/', title: 'Service', component: async () => ({ default: () => <h1>My service</h1> }) },
]

async function open(reply: Reply = signedInAccount(), at = path) {
  const api = createFakeApi({ 'GET /api/account/': anonymousAccount, [reset]: reply })
  await openPortal(pages, at, api)
  await screen.findByRole('heading', { level: 1, name: 'Set a New Password' })
  return api
}

async function fillIn(first = 'korimako1', second = first) {
  await user.type(password(), first)
  await user.type(again(), second)
}

beforeEach(() => sessionStorage.clear())

test("the password reset page's URL has no trailing slash", async () => {
  await open(signedInAccount(), `${path}/`)
  expect(location.pathname).toBe(path)
})

test.each(['t0ken-_%3E', 't0ken-_.', `${'a'.repeat(43)}b`])(
  'a reset link with extra characters at its end says so before a password is typed: %s',
  async (token) => {
    await open(signedInAccount(), `/password-reset/dWlk/${token}`)
    expect(screen.getByText(resetMessages.extraCharacters)).toBeDefined()
    expect(screen.queryByLabelText('New password')).toBeNull()
    expect(screen.getByRole('link', { name: resetMessages.askAgain }).getAttribute('href')).toBe('/forgot-password/')
  },
)

test('both fields on the password reset page are marked as new passwords for password managers', async () => {
  await open()
  expect([password().autocomplete, again().autocomplete]).toEqual(['new-password', 'new-password'])
})

test.each([
  ['12345', '12345', 'password', resetMessages.short],
  ['123456', '123456', 'password', passwordMessages.letter],
  ['korimako1', 'korimako2', 'password_confirm', resetMessages.mismatch],
  ['korimako1', '', 'password_confirm', 'This field is required.'],
  ['', '', 'password', 'This field is required.'],
] as const)(
  'entering the passwords %j and %j shows an error at the field %s: %s',
  async (first, second, name, sentence) => {
    const api = await open()
    if (first) await user.type(password(), first)
    if (second) await user.type(again(), second)
    await user.click(set())
    expect(getFieldError(name === 'password' ? password() : again())).toContain(sentence)
    expect(api.calls.filter(({ at }) => at === reset)).toEqual([])
  },
)

test('setting a new password signs the visitor in and removes the reset link from the browser history', async () => {
  const api = await open()
  const entries = history.length
  await fillIn()
  await user.click(set())
  await screen.findByRole('heading', { level: 1, name: 'My dashboard' })
  expect(api.calls.at(-1)).toMatchObject({ at: reset, body: { password: 'korimako1', password_confirm: 'korimako1' } })
  expect([location.pathname, history.length]).toEqual(['/', entries])
  expect(screen.getByRole('button', { name: 'Logout', hidden: true })).toBeTruthy()
})

test.each([
  ['/services/a-1/?tab=calls', '/services/a-1/?tab=calls'],
  ['//evil.example', '/'],
  ['https://evil.example/', '/'],
  ['/\\evil.example', '/'],
])('when the requested page is %s, setting a new password leads to %s', async (next, end) => {
  await open(signedInAccount(), `${path}?${new URLSearchParams({ next })}`)
  const login = screen.getByRole('link', { name: 'Back to Login' }).getAttribute('href')
  expect(login).toBe(`/login/?${new URLSearchParams({ next })}`)
  await fillIn()
  await user.click(set())
  await screen.findByRole('heading', { level: 1, name: /My dashboard|My service/ })
  expect(location.pathname + location.search).toBe(end)
})

test.each([
  [true, '/?reset-link'],
  [false, '/verify/?reset-link'],
])(
  'tells a signed-in customer (confirmed: %s) to log out before using the reset link, and sends nothing',
  async (email_verified, end) => {
    const api = createFakeApi({ 'GET /api/account/': signedInAccount({ email_verified }) })
    await openPortal(pages, path, api)
    const notice = await screen.findByText(/Log out to use this link\.$/)
    expect(notice.closest('[role="status"]')).toBeTruthy()
    expect(location.pathname + location.search).toBe(end)
    expect(api.calls.filter(({ at }) => at.startsWith('POST'))).toEqual([])
  },
)

test('submitting the password reset page with a used reset link shows an error and a link for requesting a new one', async () => {
  const entry = {
    message: resetMessages.invalid,
    actions: [{ url: '/forgot-password/', text: resetMessages.askAgain }],
  }
  await open(new ApiError(400, { __all__: [entry] }))
  await fillIn()
  await user.click(set())
  expect((await screen.findByRole('alert')).textContent).toContain(resetMessages.invalid)
  const link = screen.getByRole('link', { name: resetMessages.askAgain })
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/forgot-password/', null])
})

test("the password reset page shows the server's error next to the password field", async () => {
  await open(new ApiError(400, { password: [passwordMessages.common] }))
  await fillIn('password1')
  await user.click(set())
  await screen.findByText(passwordMessages.common)
  expect(getFieldError(password())).toBe(passwordMessages.common)
})

test('the password reset page asks for a PIN if the server requires one, and keeps the password already typed', async () => {
  const api = await open(new ApiError(400, { pin: [resetMessages.pinSent('142')] }))
  await fillIn()
  expect(screen.queryByLabelText('One-Time PIN')).toBeNull()
  await user.click(set())
  const pin = await screen.findByLabelText<HTMLInputElement>('One-Time PIN')
  expect(getFieldError(pin)).toBe('We’ve sent a One-Time PIN to your number ending 142. Please enter it here.')
  expect([password().value, pin.autocomplete]).toEqual(['korimako1', 'one-time-code'])
  await user.type(pin, '123456')
  api.replies[reset] = signedInAccount()
  await user.click(set())
  await screen.findByRole('heading', { level: 1, name: 'My dashboard' })
  expect(api.calls.at(-1)).toMatchObject({
    at: reset,
    body: { password: 'korimako1', password_confirm: 'korimako1', pin: '123456' },
  })
})

test('the password reset page does not store typed passwords in the browser', async () => {
  await open()
  await fillIn()
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('korimako1')
})
