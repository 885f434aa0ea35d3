import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { passwordMessages } from '#kit/contract/password.ts'
import { activationView } from '#quality/support/activation-view.ts'
import { getFieldError, createFakeApi, openPortal } from '#quality/support/open-portal.tsx'
import { signupMessages } from '../signup-step.contract.ts'
import { activationPages } from './activation.pages.ts'

const user = userEvent.setup()
const name = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Full name' })
const email = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Email' })
const password = () => screen.getByLabelText<HTMLInputElement>('New password')
const consent = () => screen.getByRole<HTMLInputElement>('checkbox')
const proceed = () => screen.getByRole<HTMLButtonElement>('button', { name: 'CONTINUE' })

const signup = 'POST /api/activate/signup/'

async function open(replies = {}) {
  const api = createFakeApi({ 'GET /api/activate/': activationView(), ...replies })
  await openPortal(activationPages, '/activate/signup/', api)
  await screen.findByRole('checkbox')
  return api
}

async function fillIn() {
  await user.type(name(), 'Ana Rewi')
  await user.type(email(), 'ana@example.nz')
  await user.type(password(), 'korimako1')
}

beforeEach(() => sessionStorage.clear())

test('CONTINUE is disabled until the consent box is ticked', async () => {
  await open()
  await fillIn()
  expect(proceed().disabled).toBe(true)
  expect(screen.getByText('Tick the box to continue.')).toBeTruthy()
  await user.click(consent())
  expect(proceed().disabled).toBe(false)
  expect(screen.queryByText('Tick the box to continue.')).toBeNull()
  await user.click(consent())
  expect(proceed().disabled).toBe(true)
})

test('pressing Enter sends nothing until the consent box is ticked', async () => {
  const api = await open()
  await fillIn()
  await user.type(password(), '{Enter}')
  expect(api.calls).toHaveLength(1)
})

test('requires every field in the sign-up form', async () => {
  const api = await open()
  await user.click(consent())
  await user.click(proceed())
  for (const field of [name(), email(), password()]) expect(getFieldError(field)).toBe('This field is required.')
  expect(api.calls).toHaveLength(1)
})

test.each([
  ['Ana', signupMessages.fullName],
  [' Ana ', signupMessages.fullName],
  [`${'A'.repeat(31)} Rewi`, signupMessages.firstNameLong],
  [`Ana ${'R'.repeat(151)}`, signupMessages.lastNameLong],
  ['Ana Rewi', null],
])('entering %j as the full name shows the message %s', async (typed, message) => {
  await open()
  await user.click(name())
  await user.paste(typed)
  await user.tab()
  expect(getFieldError(name())).toBe(message)
})

test('requires a valid email address at sign-up', async () => {
  await open()
  await user.type(email(), 'ana@')
  await user.tab()
  expect(getFieldError(email())).toBe('Please enter a valid email address.')
})

test.each(['ana@localhost', 'ana..rewi@example.nz', 'ana@127.0.0.1', `${'a'.repeat(65)}@example.nz`])(
  'rejects the email address %s at sign-up, because no mail can reach it',
  async (typed) => {
    await open()
    await user.click(email())
    await user.paste(typed)
    await user.tab()
    expect(getFieldError(email())).toBe('Please enter a valid email address.')
  },
)

test('asks whether a mistyped email address is right before it sends the personal details', async () => {
  const api = await open({ [signup]: activationView({ state: 'DETAILS_ENTERED' }) })
  await user.type(name(), 'Ana Rewi')
  await user.type(password(), 'korimako1')
  await user.click(consent())
  await user.type(email(), 'ana.at.signup@xtra.co.nx{Enter}')
  await screen.findByRole('group', { name: 'Did you mean ana.at.signup@xtra.co.nz?' })
  expect(api.calls.filter(({ at }) => at === signup)).toEqual([])
  await user.click(screen.getByRole('button', { name: 'No' }))
  await expect
    .poll(() => api.calls.filter(({ at }) => at === signup).map(({ body }) => body))
    .toMatchObject([{ email: 'ana.at.signup@xtra.co.nx' }])
})

test('requires a sign-up password of at least 6 characters, including a letter', async () => {
  await open()
  expect(screen.getByText('At least 6 characters and one letter')).toBeTruthy()
  await user.type(password(), '12345')
  await user.click(email())
  expect(getFieldError(password())).toBe(signupMessages.password)
  await user.type(password(), '6')
  await user.click(email())
  expect(getFieldError(password())).toBe(passwordMessages.letter)
  await user.type(password(), 'a')
  expect(getFieldError(password())).toBeNull()
})

test('the visitor can make the sign-up password visible', async () => {
  await open()
  await user.type(password(), 'korimako1')
  expect([password().type, password().autocomplete]).toEqual(['password', 'new-password'])
  await user.click(screen.getByRole('button', { name: 'Show password' }))
  expect(password().type).toBe('text')
})

test('pressing CONTINUE sends the personal details', async () => {
  const api = await open({
    [signup]: activationView({ state: 'DETAILS_ENTERED' }),
    'GET /api/account/': { authenticated: false, user: null },
  })
  await fillIn()
  await user.click(consent())
  await user.click(proceed())
  await screen.findByRole('heading', { level: 1, name: 'Choose Your Prepay Plan' })
  const body = { full_name: 'Ana Rewi', email: 'ana@example.nz', password: 'korimako1', marketing_consent: true }
  expect(api.calls.find(({ at }) => at === signup)?.body).toEqual(body)
})

test('fills in the personal details entered earlier, except for the password', async () => {
  await open({ 'GET /api/activate/': activationView({ full_name: 'Ana Rewi', email: 'ana@example.nz' }) })
  expect([name().value, email().value, password().value]).toEqual(['Ana Rewi', 'ana@example.nz', ''])
})

test('a reload keeps the sign-up details, but not the password', async () => {
  await open()
  await fillIn()
  await user.click(consent())
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('korimako1')
  cleanup()
  await open()
  expect([name().value, email().value, password().value, consent().checked]).toEqual([
    'Ana Rewi',
    'ana@example.nz',
    '',
    true,
  ])
})
