import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { passwordMessages } from '#kit/contract/password.ts'
import { resetRequestMessages } from '#features/auth/reset-request.contract.ts'
import { signedInAccount } from '#quality/support/account.ts'
import { getFieldError, createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import { changePasswordMessages } from '../change-password.contract.ts'
import { accountPages } from './account.pages.ts'

const user = userEvent.setup()
const change = 'POST /api/account/change_password/'
const names = ['Current password', 'New password', 'Confirm new password']
const box = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'CHANGE PASSWORD' })

async function open(reply?: Reply) {
  const api = createFakeApi({ 'GET /api/account/': signedInAccount(), ...(reply && { [change]: reply }) })
  await openPortal(accountPages, '/account/change-password/', api)
  await screen.findByRole('link', { name: 'Change Password', current: 'page' })
  return api
}

async function fillIn(...texts: string[]) {
  for (const [index, text] of texts.entries()) if (text) await user.type(box(names[index] ?? ''), text)
}

const sent = (api: Awaited<ReturnType<typeof open>>) =>
  api.calls.filter(({ at }) => at === change).map(({ body }) => body)

test('the change-password page shows the password rules and warns that changing the password ends all other sessions', async () => {
  await open()
  expect(screen.getByText(changePasswordMessages.help)).toBeTruthy()
  expect(screen.getByText(/This logs you out everywhere else/)).toBeTruthy()
  expect(names.map((name) => [box(name).type, box(name).autocomplete])).toEqual([
    ['password', 'current-password'],
    ['password', 'new-password'],
    ['password', 'new-password'],
  ])
})

test('the change-password form includes the email address for password managers, but does not submit it', async () => {
  const api = await open({ message: '' })
  expect(document.querySelector<HTMLInputElement>('[autocomplete="username"]')?.value).toBe('ana@example.nz')
  await fillIn('kotare1', 'korimako1', 'korimako1')
  await user.click(button())
  await expect
    .poll(() => sent(api))
    .toEqual([{ old_password: 'kotare1', new_password: 'korimako1', password_confirm: 'korimako1' }])
})

test('the change-password form requires all three password fields', async () => {
  const api = await open()
  await user.click(button())
  expect(names.map((name) => getFieldError(box(name)))).toEqual([
    'Please confirm your current password.',
    formMessages.required,
    formMessages.required,
  ])
  await expect.poll(() => document.activeElement).toBe(box('Current password'))
  expect([button().disabled, sent(api)]).toEqual([true, []])
})

test.each([
  ['12345', passwordMessages.short],
  ['1234567', passwordMessages.letter],
  ['korimako1', null],
])('entering %s as the new password shows the error %s', async (typed, message) => {
  await open()
  await fillIn('', typed)
  await user.tab()
  await user.tab()
  expect(getFieldError(box('New password'))).toBe(message)
})

test('requires the same new password in both fields', async () => {
  const api = await open({ message: '' })
  await fillIn('kotare1', 'korimako1', 'korimako2')
  await user.click(button())
  expect(getFieldError(box('Confirm new password'))).toBe("The two password fields didn't match.")
  expect(sent(api)).toEqual([])
  await user.type(box('Confirm new password'), '{Backspace}1{Enter}')
  await expect.poll(() => sent(api)).toHaveLength(1)
})

test('after a password change, clears the form and says that all other sessions have ended', async () => {
  await open({ message: changePasswordMessages.done })
  await fillIn('kotare1', 'korimako1', 'korimako1')
  await user.click(button())
  const done = await screen.findByText('Thank you, we’ve changed your password.')
  expect(done.closest('[role="status"]')?.textContent).toMatch(/You’ve been logged out everywhere else/)
  expect(names.map((name) => [box(name).value, getFieldError(box(name))])).toEqual(names.map(() => ['', null]))
  await user.type(box('Current password'), 'x')
  expect(screen.queryByText('Thank you, we’ve changed your password.')).toBeNull()
})

test.each([
  [{ old_password: [changePasswordMessages.wrong] }, 'Current password', changePasswordMessages.wrong],
  [{ new_password: [passwordMessages.personal] }, 'New password', passwordMessages.personal],
  [{ new_password: [passwordMessages.common] }, 'New password', passwordMessages.common],
])('shows a server error about a password next to its field: %j', async (body, name, message) => {
  await open(new ApiError(400, body))
  await fillIn('kotare1', 'korimako1', 'korimako1')
  await user.click(button())
  await expect.poll(() => getFieldError(box(name))).toBe(message)
  await expect.poll(() => document.activeElement).toBe(box(name))
  expect(box('New password').value).toBe('korimako1')
})

test('shows an error after too many attempts to change the password', async () => {
  await open(new ApiError(429, {}))
  await fillIn('kotare1', 'korimako1', 'korimako1')
  await user.click(button())
  expect((await screen.findByRole('alert')).textContent).toBe(formMessages.tooMany)
})

test('a customer who has forgotten the current password can have a reset link emailed to their own address', async () => {
  const ask = 'POST /api/account/password_reset_request/'
  const api = await open()
  api.replies[ask] = { message: resetRequestMessages.requested }
  await user.click(screen.getByRole('button', { name: 'EMAIL ME A LINK' }))
  const said = await screen.findByText(resetRequestMessages.sent)
  expect(said.closest('[role="status"]')?.textContent).toMatch(/Log out before you open it/)
  expect(api.calls.filter(({ at }) => at === ask).map(({ body }) => body)).toEqual([
    { email: 'ana@example.nz', next: '' },
  ])
})

test('shows an error after too many requests for a reset link', async () => {
  const api = await open()
  api.replies['POST /api/account/password_reset_request/'] = new ApiError(429, {})
  await user.click(screen.getByRole('button', { name: 'EMAIL ME A LINK' }))
  expect((await screen.findByText(formMessages.tooMany)).closest('[role="status"]')).toBeTruthy()
})
