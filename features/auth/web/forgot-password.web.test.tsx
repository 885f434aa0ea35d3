import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { anonymous } from '#testing/account.ts'
import { errorOf, fakeApi, openPortal, type Reply } from '#testing/portal.tsx'
import { resetMessages } from '../password-reset.contract.ts'
import { authPages } from './auth.pages.ts'

const user = userEvent.setup()
const email = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Email' })
const send = () => screen.getByRole<HTMLButtonElement>('button', { name: 'SEND LINK' })
const ask = 'POST /api/account/password_reset_request/'

async function open(reply: Reply = { message: resetMessages.requested }) {
  const api = fakeApi({ 'GET /api/account/': anonymous, [ask]: reply })
  await openPortal(authPages, '/forgot-password/', api)
  await screen.findByRole('heading', { level: 1, name: 'Forgot Password' })
  return api
}

beforeEach(() => sessionStorage.clear())

test('it leads back to the login', async () => {
  await open()
  expect(screen.getByRole('link', { name: 'Back to Login' }).getAttribute('href')).toBe('/login/')
})

test.each([
  ['', 'This field is required.'],
  ['ana@', 'Please enter a valid email address.'],
])('%j is told %s', async (typed, sentence) => {
  const api = await open()
  if (typed) await user.type(email(), typed)
  await user.click(send())
  expect(errorOf(email())).toBe(sentence)
  expect(api.calls.filter(({ at }) => at === ask)).toEqual([])
})

test('who asks is told one thing, whatever the address, and taken there', async () => {
  const api = await open()
  await user.type(email(), 'ana@example.nz')
  await user.click(send())
  const said = await screen.findByText(resetMessages.requested)
  expect(api.calls.at(-1)).toMatchObject({ at: ask, body: { email: 'ana@example.nz' } })
  expect(said.closest('[role="status"]')).toBe(document.activeElement)
  expect(document.body.textContent).not.toContain('ana@example.nz')
})

test('another address may follow', async () => {
  const api = await open()
  await user.type(email(), 'ana@exmaple.nz')
  await user.click(send())
  await user.click(await screen.findByRole('button', { name: 'Try another address' }))
  expect(email().value).toBe('')
  await user.type(email(), 'ana@example.nz{Enter}')
  await screen.findByText(resetMessages.requested)
  expect(api.calls.filter(({ at }) => at === ask)).toHaveLength(2)
})

test('too many requests are told', async () => {
  await open(new ApiError(429, {}))
  await user.type(email(), 'ana@example.nz{Enter}')
  expect((await screen.findByRole('alert')).textContent).toBe('Too many requests. Please try again shortly.')
})
