import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { passwordMessages } from '#kit/contract/password.ts'
import type { PageEntry } from '#kit/web/page.ts'
import { anonymous, signedIn } from '#quality/support/account.ts'
import { errorOf, fakeApi, openPortal, type Reply } from '#quality/support/portal.tsx'
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
  { path: '/', title: 'Home', load: async () => ({ default: () => <h1>My dashboard</h1> }) },
  { path: '/services/:uuid/', title: 'Service', load: async () => ({ default: () => <h1>My service</h1> }) },
]

async function open(reply: Reply = signedIn(), at = path) {
  const api = fakeApi({ 'GET /api/account/': anonymous, [reset]: reply })
  await openPortal(pages, at, api)
  await screen.findByRole('heading', { level: 1, name: 'Set a New Password' })
  return api
}

async function fillIn(first = 'korimako1', second = first) {
  await user.type(password(), first)
  await user.type(again(), second)
}

beforeEach(() => sessionStorage.clear())

test('the page keeps its address, without a closing slash', async () => {
  await open(signedIn(), `${path}/`)
  expect(location.pathname).toBe(path)
})

test('password managers know that both are new', async () => {
  await open()
  expect([password().autocomplete, again().autocomplete]).toEqual(['new-password', 'new-password'])
})

test.each([
  ['12345', '12345', 'password', resetMessages.short],
  ['123456', '123456', 'password', passwordMessages.letter],
  ['korimako1', 'korimako2', 'password_confirm', resetMessages.mismatch],
  ['korimako1', '', 'password_confirm', 'This field is required.'],
  ['', '', 'password', 'This field is required.'],
] as const)('%j and %j are told, at %s: %s', async (first, second, name, sentence) => {
  const api = await open()
  if (first) await user.type(password(), first)
  if (second) await user.type(again(), second)
  await user.click(set())
  expect(errorOf(name === 'password' ? password() : again())).toContain(sentence)
  expect(api.calls.filter(({ at }) => at === reset)).toEqual([])
})

test('the new password signs in, and the link is gone from the history', async () => {
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
])('the page that was wanted before (%s) is where it leads: %s', async (next, end) => {
  await open(signedIn(), `${path}?${new URLSearchParams({ next })}`)
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
  'who is signed in (confirmed: %s) reads why the link was not used, and nothing is sent',
  async (email_verified, end) => {
    const api = fakeApi({ 'GET /api/account/': signedIn({ email_verified }) })
    await openPortal(pages, path, api)
    const notice = await screen.findByText(/Log out to use this link\.$/)
    expect(notice.closest('[role="status"]')).toBeTruthy()
    expect(location.pathname + location.search).toBe(end)
    expect(api.calls.filter(({ at }) => at.startsWith('POST'))).toEqual([])
  },
)

test('a used-up link is told, with a way to ask for another', async () => {
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

test('what only the server knows of a password is told at its field', async () => {
  await open(new ApiError(400, { password: [passwordMessages.common] }))
  await fillIn('password1')
  await user.click(set())
  await screen.findByText(passwordMessages.common)
  expect(errorOf(password())).toBe(passwordMessages.common)
})

test('a PIN is asked for where the address is not confirmed, and goes with the password that was typed', async () => {
  const api = await open(new ApiError(400, { pin: [resetMessages.pinSent('142')] }))
  await fillIn()
  expect(screen.queryByLabelText('One-Time PIN')).toBeNull()
  await user.click(set())
  const pin = await screen.findByLabelText<HTMLInputElement>('One-Time PIN')
  expect(errorOf(pin)).toBe('We’ve sent a One-Time PIN to your number ending in 142. Please enter it here.')
  expect([password().value, pin.autocomplete]).toEqual(['korimako1', 'one-time-code'])
  await user.type(pin, '123456')
  api.replies[reset] = signedIn()
  await user.click(set())
  await screen.findByRole('heading', { level: 1, name: 'My dashboard' })
  expect(api.calls.at(-1)).toMatchObject({
    at: reset,
    body: { password: 'korimako1', password_confirm: 'korimako1', pin: '123456' },
  })
})

test('nothing of it is kept', async () => {
  await open()
  await fillIn()
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('korimako1')
})
