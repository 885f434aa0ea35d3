import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import type { PageEntry, PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { anonymous, signedIn } from '#quality/support/account.ts'
import { fakeApi, openPortal, type Reply } from '#quality/support/portal.tsx'

const user = userEvent.setup()
const read = 'GET /api/account/'
const logout = 'POST /api/account/logout/'
const needs = async (): Promise<PageNeeds> => ({ queries: (api) => [accountQuery(api)] })
const pages: PageEntry[] = [{ path: '/', title: 'Home', needs, load: async () => ({ default: () => <h1>Home</h1> }) }]

const site = () => within(screen.getByRole('navigation', { name: 'Site', hidden: true }))
const way = (name: string) => site().findByRole(name === 'Login' ? 'link' : 'button', { name, hidden: true })

async function open(who: Reply, reply: Reply = anonymous, at = '/') {
  const api = fakeApi({ [read]: who, [logout]: reply })
  const left = vi.spyOn(location, 'assign').mockReturnValue()
  await openPortal(pages, at, api)
  return { api, left }
}

beforeEach(() => sessionStorage.clear())

describe('the header', () => {
  test('offers a visitor the login, and a customer their account and the way out', async () => {
    const { api } = await open(anonymous)
    expect((await way('Login')).getAttribute('href')).toBe('/login/')
    expect(api.calls.map(({ at }) => at)).toEqual([read])
    expect(site().queryByText('Account Settings')).toBeNull()
  })

  test('offers a customer their account and the way out', async () => {
    await open(signedIn())
    expect(await way('Logout')).toBeTruthy()
    expect(site().getByText('Account Settings')).toBeTruthy()
    expect(site().queryByText('Login')).toBeNull()
  })

  test('offers no account to who has yet to confirm their address: each of its pages would send them back', async () => {
    await open(signedIn({ email_verified: false }))
    expect(await way('Logout')).toBeTruthy()
    expect(site().queryByText('Account Settings')).toBeNull()
  })

  test('takes whom it could not ask about for a visitor', async () => {
    await open(new ApiError(503, undefined))
    expect(await way('Login')).toBeTruthy()
  })
})

describe('logging out', () => {
  test('leaves with a new document, and with nothing of the customer in the tab', async () => {
    sessionStorage.setItem('draft:contact-details', '{"first_name":"Ana"}')
    sessionStorage.setItem('key:renewal', 'k-1')
    const { api, left } = await open(signedIn())
    await user.click(await way('Logout'))
    await waitFor(() => expect(left).toHaveBeenCalledExactlyOnceWith('/login/'))
    expect(api.calls.map(({ at }) => at)).toEqual([read, logout])
    expect({ ...sessionStorage }).toEqual({})
  })

  test('happens once, however often it is pressed', async () => {
    const answer = Promise.withResolvers<object>()
    const { api, left } = await open(signedIn(), answer.promise)
    await user.dblClick(await way('Logout'))
    await act(async () => answer.resolve(anonymous))
    await waitFor(() => expect(left).toHaveBeenCalledOnce())
    expect(api.calls.filter(({ at }) => at === logout)).toHaveLength(1)
  })

  test('that fails says so, keeps everything and can be tried again', async () => {
    sessionStorage.setItem('draft:contact-details', '{}')
    const { api, left } = await open(signedIn(), new ApiError(0, undefined))
    await user.click(await way('Logout'))
    const notice = await screen.findByText(/^You are still logged in\./)
    expect(notice.closest('[role="status"]')).toBeTruthy()
    expect(left).not.toHaveBeenCalled()
    expect(sessionStorage.length).toBe(1)

    api.replies[logout] = anonymous
    await user.click(await way('Logout'))
    await waitFor(() => expect(left).toHaveBeenCalledOnce())
    expect(screen.queryByText(/^You are still logged in\./)).toBeNull()
  })
})

describe('who was led here from the link of a mail', () => {
  const notice = () =>
    screen.queryByText(/your link to set a new password has not been used\. Log out to use this link\.$/)

  test('reads why, until they have read it', async () => {
    await open(signedIn(), anonymous, '/?reset-link')
    await way('Logout')
    await expect.poll(() => notice()?.closest('[role="status"]')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Close' }))
    expect(notice()).toBeNull()
    expect(location.pathname + location.search).toBe('/')
  })

  test('has nothing to log out of', async () => {
    await open(anonymous, anonymous, '/?reset-link')
    await way('Login')
    expect(notice()).toBeNull()
  })
})
