import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import type { PageEntry, PageLoader } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { anonymousAccount, signedInAccount } from '#quality/support/account.ts'
import { createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'

const user = userEvent.setup()
const read = 'GET /api/account/'
const logout = 'POST /api/account/logout/'
const needs = async (): Promise<PageLoader> => ({ queries: (api) => [accountQuery(api)] })
const pages: PageEntry[] = [
  { path: '/', title: 'Home', loader: needs, component: async () => ({ default: () => <h1>Home</h1> }) },
]

const site = () => within(screen.getByRole('navigation', { name: 'Site', hidden: true }))
const way = (name: string) => site().findByRole(name === 'Login' ? 'link' : 'button', { name, hidden: true })

async function open(who: Reply, reply: Reply = anonymousAccount, at = '/') {
  const api = createFakeApi({ [read]: who, [logout]: reply })
  const left = vi.spyOn(location, 'assign').mockReturnValue()
  await openPortal(pages, at, api)
  return { api, left }
}

beforeEach(() => sessionStorage.clear())

describe('the portal’s header', () => {
  test('the header shows visitors a login link', async () => {
    const { api } = await open(anonymousAccount)
    expect((await way('Login')).getAttribute('href')).toBe('/login/')
    expect(api.calls.map(({ at }) => at)).toEqual([read])
    expect(site().queryByText('Account Settings')).toBeNull()
  })

  test('the header shows signed-in customers their account settings and a way to log out', async () => {
    await open(signedInAccount())
    expect(await way('Logout')).toBeTruthy()
    expect(site().getByText('Account Settings')).toBeTruthy()
    expect(site().queryByText('Login')).toBeNull()
  })

  test('for a customer with an unconfirmed email address, the account menu links only to confirming and changing the address', async () => {
    await open(signedInAccount({ email_verified: false }))
    expect(await way('Logout')).toBeTruthy()
    const menu = site().getByText('Account Settings').closest('details')!
    expect([...menu.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Confirm Your Email Address', '/verify/'],
      ['Change Email', '/account/contact-details/change-email/'],
    ])
  })

  test('the header shows a login link if the account could not be loaded', async () => {
    await open(new ApiError(503, undefined))
    expect(await way('Login')).toBeTruthy()
  })
})

describe('logging out of the portal', () => {
  test('logging out loads a new document and clears the customer’s data from the tab', async () => {
    sessionStorage.setItem('draft:contact-details', '{"first_name":"Ana"}')
    sessionStorage.setItem('key:renewal', 'k-1')
    const { api, left } = await open(signedInAccount())
    await user.click(await way('Logout'))
    await waitFor(() => expect(left).toHaveBeenCalledExactlyOnceWith('/login/'))
    expect(api.calls.map(({ at }) => at)).toEqual([read, logout])
    expect({ ...sessionStorage }).toEqual({})
  })

  test('a double click on Logout logs out only once', async () => {
    const answer = Promise.withResolvers<object>()
    const { api, left } = await open(signedInAccount(), answer.promise)
    await user.dblClick(await way('Logout'))
    await act(async () => answer.resolve(anonymousAccount))
    await waitFor(() => expect(left).toHaveBeenCalledOnce())
    expect(api.calls.filter(({ at }) => at === logout)).toHaveLength(1)
  })

  test('a failed logout shows a message, keeps the customer’s data and can be tried again', async () => {
    sessionStorage.setItem('draft:contact-details', '{}')
    const { api, left } = await open(signedInAccount(), new ApiError(0, undefined))
    await user.click(await way('Logout'))
    const notice = await screen.findByText(/^You’re still logged in\./)
    expect(notice.closest('[role="status"]')).toBeTruthy()
    expect(left).not.toHaveBeenCalled()
    expect(sessionStorage.length).toBe(1)

    api.replies[logout] = anonymousAccount
    await user.click(await way('Logout'))
    await waitFor(() => expect(left).toHaveBeenCalledOnce())
    expect(screen.queryByText(/^You’re still logged in\./)).toBeNull()
  })
})

describe('the notice about an unused password link', () => {
  const notice = () =>
    screen.queryByText(/your link to set a new password has not been used\. Log out to use this link\.$/)

  test('a signed-in customer who followed a password link sees why it was not used, until they close the notice', async () => {
    await open(signedInAccount(), anonymousAccount, '/?reset-link')
    await way('Logout')
    await expect.poll(() => notice()?.closest('[role="status"]')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Close' }))
    expect(notice()).toBeNull()
    expect(location.pathname + location.search).toBe('/')
  })

  test('an anonymous visitor who followed a password link sees no notice', async () => {
    await open(anonymousAccount, anonymousAccount, '/?reset-link')
    await way('Login')
    expect(notice()).toBeNull()
  })
})
