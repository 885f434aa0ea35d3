import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { meAs, openDeskPage, mockNavigation } from '#quality/support/desk-page.tsx'
import { staffMessages } from '../staff.contract.ts'
import { passkeyMessages } from './me.passkey.ts'

const browser = vi.hoisted(() => ({
  browserSupportsWebAuthn: () => true,
  startRegistration: vi.fn<(asked: object) => Promise<object>>(),
}))
vi.mock('@simplewebauthn/browser', () => browser)

const open = 'POST /api/desk/invitations/open/'
const accept = 'POST /api/desk/invitations/accept/'
const invitation = (challenge: string) => ({
  name: 'Tui Hall',
  email: 'tui@fantail.example',
  roles: ['support', 'finance'],
  options: { challenge },
})

beforeEach(() => void browser.startRegistration.mockResolvedValue({ id: 'key' }))

const visit = (replies: Parameters<typeof openDeskPage>[1]) =>
  openDeskPage('/invited/token/', { 'GET /api/desk/me/': meAs(null), ...replies })
const make = async () => userEvent.click(await screen.findByRole('button', { name: 'Create a passkey' }))

test('the invitation page shows whom the invitation is for, and registers a passkey with a new challenge', async () => {
  const assign = mockNavigation()
  let opened = 0
  const api = await visit({ [open]: () => invitation(`challenge ${++opened}`), [accept]: {} })
  await screen.findByText('Tui Hall')
  expect(screen.getByText('tui@fantail.example')).toBeDefined()
  expect(screen.getByText('Support, Finance')).toBeDefined()
  const name = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name of this passkey' })
  expect(name.value).toBe('This computer')
  await userEvent.clear(name)
  await userEvent.type(name, 'Blue laptop')
  await make()
  await expect.poll(() => assign.mock.calls).toEqual([['/']])
  expect(browser.startRegistration).toHaveBeenCalledWith({ optionsJSON: { challenge: 'challenge 2' } })
  expect(api.calls.at(-1)).toMatchObject({
    at: accept,
    body: { token: 'token', passkey: 'Blue laptop', answer: { id: 'key' } },
  })
})

test('closing the passkey prompt shows a message, and registering a passkey can be tried again', async () => {
  browser.startRegistration.mockRejectedValueOnce(Object.assign(new Error('no'), { name: 'NotAllowedError' }))
  const assign = mockNavigation()
  await visit({ [open]: invitation('abc'), [accept]: {} })
  await make()
  expect((await screen.findByRole('alert')).textContent).toBe(passkeyMessages.closed)
  await make()
  await expect.poll(() => assign.mock.calls).toEqual([['/']])
})

test('an expired invitation shows a message and no button', async () => {
  await visit({ [open]: () => Promise.reject(new ApiError(400, { __all__: [staffMessages.invitation] })) })
  await screen.findByText(staffMessages.invitation)
  expect(screen.queryByRole('button')).toBeNull()
})

test('an invitation page that failed to load can be loaded again', async () => {
  const api = await visit({ [open]: () => Promise.reject(new ApiError(503, undefined)) })
  await screen.findByText('We couldn’t open your invitation. Try again in a moment.')
  api.replies[open] = invitation('abc')
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Tui Hall')).toBeDefined()
})
