import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { testStaff, meAs, openDeskPage, mockNavigation } from '#quality/support/desk-page.tsx'
import { staffMessages } from '../staff.contract.ts'
import { createFakeApi } from '#quality/support/open-portal.tsx'
import { passkeyMessages, retryWithPasskey } from './me.passkey.ts'

const browser = vi.hoisted(() => ({
  browserSupportsWebAuthn: vi.fn<() => boolean>(),
  startAuthentication: vi.fn<(asked: object) => Promise<object>>(),
}))
vi.mock('@simplewebauthn/browser', () => browser)

const options = { challenge: 'abc' }
const begin = { 'POST /api/desk/sign-in/begin/': { options } }
const nobody = { 'GET /api/desk/me/': meAs(null) }

beforeEach(() => {
  browser.browserSupportsWebAuthn.mockReturnValue(true)
  browser.startAuthentication.mockResolvedValue({ id: 'key' })
})

const press = () => userEvent.click(screen.getByRole('button', { name: 'Sign in with your passkey' }))
const told = () => screen.findByText(/./, { selector: '[role=alert] p span' })

test('signing in with a passkey returns to the requested page', async () => {
  const assign = mockNavigation()
  const api = await openDeskPage('/sign-in/?next=%2Ffind%2F%3Fq%3D0142', {
    ...nobody,
    ...begin,
    'POST /api/desk/sign-in/': {},
  })
  await press()
  await expect.poll(() => assign.mock.calls).toEqual([['/find/?q=0142']])
  expect(browser.startAuthentication).toHaveBeenCalledWith({ optionsJSON: options })
  expect(api.calls.at(-1)).toMatchObject({ at: 'POST /api/desk/sign-in/', body: { answer: { id: 'key' } } })
})

test('signing in ignores a requested page on a different origin', async () => {
  const assign = mockNavigation()
  await openDeskPage('/sign-in/?next=%2F%2Felsewhere.example%2F', {
    ...nobody,
    ...begin,
    'POST /api/desk/sign-in/': {},
  })
  await press()
  await expect.poll(() => assign.mock.calls).toEqual([['/']])
})

test.for([
  ['NotAllowedError', passkeyMessages.closed],
  ['SecurityError', passkeyMessages.wrongAddress],
  ['UnknownError', passkeyMessages.failed],
] as const)('the browser error %s is shown as a message, and signing in can be tried again', async ([name, words]) => {
  browser.startAuthentication.mockRejectedValueOnce(Object.assign(new Error('no'), { name }))
  const assign = mockNavigation()
  await openDeskPage('/sign-in/', { ...nobody, ...begin, 'POST /api/desk/sign-in/': {} })
  await press()
  expect((await told()).textContent).toBe(words)
  await press()
  await expect.poll(() => assign.mock.calls.length).toBe(1)
})

test('the sign-in page says so if the browser does not support passkeys', async () => {
  browser.browserSupportsWebAuthn.mockReturnValue(false)
  await openDeskPage('/sign-in/', { ...nobody, ...begin })
  await press()
  expect((await told()).textContent).toBe(passkeyMessages.unknownHere)
})

test('signing in with a rejected passkey shows the server’s message', async () => {
  const refusal = new ApiError(400, { __all__: [staffMessages.passkey] })
  await openDeskPage('/sign-in/', { ...nobody, ...begin, 'POST /api/desk/sign-in/': () => Promise.reject(refusal) })
  await press()
  expect((await told()).textContent).toBe(staffMessages.passkey)
})

test('the demo’s sign-in page shows a button for each demo staff member', async () => {
  const assign = mockNavigation()
  const people = [
    { email: 'hine@fantail.example', name: 'Hine Walker', roles: ['support'], is_lead: false },
    { email: 'mere@fantail.example', name: 'Mere Ngata', roles: ['finance'], is_lead: true },
  ]
  const api = await openDeskPage('/sign-in/', {
    'GET /api/desk/me/': meAs(null, people),
    'POST /api/desk/sign-in/demo/': {},
  })
  const buttons = within(screen.getByText(/This is the demo/).parentElement!).getAllByRole('button')
  expect(buttons.map(({ textContent }) => textContent)).toEqual([
    'HWHine Walker, Support',
    'MNMere Ngata, Finance, lead',
  ])
  await userEvent.click(buttons[1]!)
  await expect.poll(() => assign.mock.calls).toEqual([['/']])
  expect(api.calls.at(-1)?.body).toEqual({ email: 'mere@fantail.example' })
})

test('a signed-in staff member is redirected from the desk’s sign-in page to the requested page', async () => {
  await openDeskPage('/sign-in/?next=/nowhere/', {})
  await expect.poll(() => location.pathname).toBe('/nowhere/')
})

test('a request that needs a recently used passkey is repeated after the passkey is used, and any other error is passed on', async () => {
  const refusals = [new ApiError(403, { code: staffMessages.stepUp, step_up: true })]
  const call = vi.fn<() => Promise<string>>(async () => {
    const refusal = refusals.shift()
    if (refusal) throw refusal
    return 'done'
  })
  const api = createFakeApi({
    ...begin,
    'GET /api/desk/me/': { staff: testStaff(), demo: [] },
    'POST /api/desk/sign-in/': {},
  })
  expect(await retryWithPasskey(api, call)).toBe('done')
  expect(api.calls.map(({ at }) => at)).toEqual([
    'GET /api/desk/me/',
    'POST /api/desk/sign-in/begin/',
    'POST /api/desk/sign-in/',
  ])
  expect(call).toHaveBeenCalledTimes(2)
  refusals.push(new ApiError(403, { code: staffMessages.notYours }))
  await expect(retryWithPasskey(api, call)).rejects.toMatchObject({ status: 403 })
})
