import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { anonymousAccount } from '#quality/support/account.ts'
import { getFieldError, createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import { maxNextPathLength, resetRequestMessages } from '../reset-request.contract.ts'
import { authPages } from './auth.pages.ts'

const user = userEvent.setup()
const email = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Email' })
const send = () => screen.getByRole<HTMLButtonElement>('button', { name: 'SEND LINK' })
const ask = 'POST /api/account/password_reset_request/'

async function open(reply: Reply = { message: resetRequestMessages.requested }, search = '') {
  const api = createFakeApi({ 'GET /api/account/': anonymousAccount, [ask]: reply })
  await openPortal(authPages, `/forgot-password/${search}`, api)
  await screen.findByRole('heading', { level: 1, name: 'Forgot Password' })
  return api
}

beforeEach(() => sessionStorage.clear())

test('the forgotten-password page links back to the login page', async () => {
  await open()
  expect(screen.getByRole('link', { name: 'Back to Login' }).getAttribute('href')).toBe('/login/')
})

test('the reset request and the link back to the login page include the page that the visitor wanted to open', async () => {
  const wanted = '?next=%2Fservices%2Fa-1%2F%3Ftab%3Dcalls'
  const api = await open({ message: resetRequestMessages.requested }, wanted)
  expect(screen.getByRole('link', { name: 'Back to Login' }).getAttribute('href')).toBe(`/login/${wanted}`)
  await user.type(email(), 'ana@example.nz{Enter}')
  await screen.findByText(resetRequestMessages.requested)
  expect(api.calls.at(-1)?.body).toEqual({ email: 'ana@example.nz', next: '/services/a-1/?tab=calls' })
})

test("omits the requested page from the reset request when the page's path is too long", async () => {
  const api = await open({ message: resetRequestMessages.requested }, `?next=%2F${'a'.repeat(maxNextPathLength)}`)
  await user.type(email(), 'ana@example.nz{Enter}')
  await screen.findByText(resetRequestMessages.requested)
  expect(api.calls.at(-1)?.body).toEqual({ email: 'ana@example.nz', next: '' })
})

test.each([
  ['', 'This field is required.'],
  ['ana@', 'Please enter a valid email address.'],
])('entering %j as the email address shows the message %s', async (typed, sentence) => {
  const api = await open()
  if (typed) await user.type(email(), typed)
  await user.click(send())
  expect(getFieldError(email())).toBe(sentence)
  expect(api.calls.filter(({ at }) => at === ask)).toEqual([])
})

test('after a reset request, shows and focuses a message that does not contain the email address', async () => {
  const api = await open()
  await user.type(email(), 'ana@example.nz')
  await user.click(send())
  const said = await screen.findByText(resetRequestMessages.requested)
  expect(api.calls.at(-1)).toMatchObject({ at: ask, body: { email: 'ana@example.nz' } })
  expect(said.closest('[role="status"]')).toBe(document.activeElement)
  expect(document.body.textContent).not.toContain('ana@example.nz')
})

test('lets the visitor enter a different email address after a reset request', async () => {
  const api = await open()
  await user.type(email(), 'ana@exmaple.nz')
  await user.click(send())
  await user.click(await screen.findByRole('button', { name: 'Try another address' }))
  expect(email().value).toBe('')
  await user.type(email(), 'ana@example.nz{Enter}')
  await screen.findByText(resetRequestMessages.requested)
  expect(api.calls.filter(({ at }) => at === ask)).toHaveLength(2)
})

test('shows an error after too many password reset requests', async () => {
  await open(new ApiError(429, {}))
  await user.type(email(), 'ana@example.nz{Enter}')
  expect((await screen.findByRole('alert')).textContent).toBe('Too many requests. Please try again shortly.')
})
