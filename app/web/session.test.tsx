import { waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { createQueryClient, type QueryClient } from '#kit/web/query/query-client.ts'
import type { Account } from '#features/auth/auth.contract.ts'
import { anonymousAccount, signedInAccount } from '#quality/support/account.ts'
import { createFakeApi, type FakeApi } from '#quality/support/open-portal.tsx'
import { accountKey, refreshAccount, watchSession } from './session.ts'

const read = 'GET /api/account/'
let client: QueryClient
let api: FakeApi

function known(account: Account, now: Account | ApiError): void {
  client.setQueryData(accountKey, account)
  api = createFakeApi({ [read]: now })
}

function whileAway(happens: () => void): void {
  const visibility = vi.spyOn(document, 'visibilityState', 'get')
  visibility.mockReturnValue('hidden')
  document.dispatchEvent(new Event('visibilitychange'))
  happens()
  visibility.mockReturnValue('visible')
  document.dispatchEvent(new Event('visibilitychange'))
}

const watch = () => onTestFinished(watchSession(api, client))
const asked = () => api.calls.map(({ at }) => at)
const setToken = (token: string) => void (document.cookie = `csrftoken=${token}`)

beforeEach(() => {
  client = createQueryClient({ retries: 0 })
  setToken('tok-1')
})

describe('checking who is logged in', () => {
  test('simultaneous session checks send only one request', async () => {
    known(signedInAccount(), anonymousAccount)
    await Promise.all([refreshAccount(api, client), refreshAccount(api, client), refreshAccount(api, client)])
    expect(asked()).toEqual([read])
    expect(client.getQueryData(accountKey)).toEqual(anonymousAccount)
  })

  test('a failed session check leaves the cached account unchanged', async () => {
    known(signedInAccount(), new ApiError(0, undefined))
    await refreshAccount(api, client)
    expect(client.getQueryData(accountKey)).toEqual(signedInAccount())
  })

  test('the page reloads if a different customer has logged in', async () => {
    const reload = vi.spyOn(location, 'reload').mockReturnValue()
    known(signedInAccount(), signedInAccount({ first_name: 'Anahera' }))
    await refreshAccount(api, client)
    expect(reload).not.toHaveBeenCalled()
    api.replies[read] = signedInAccount({ email: 'ben@example.nz' })
    await refreshAccount(api, client)
    expect(reload).toHaveBeenCalledOnce()
  })

  test('the first session check does not reload the page', async () => {
    const reload = vi.spyOn(location, 'reload').mockReturnValue()
    api = createFakeApi({ [read]: signedInAccount() })
    await refreshAccount(api, client)
    expect(client.getQueryData(accountKey)).toEqual(signedInAccount())
    expect(reload).not.toHaveBeenCalled()
  })
})

describe('a tab that becomes visible again', () => {
  test('a tab that becomes visible checks the session if a different tab has logged in or out', async () => {
    known(signedInAccount(), anonymousAccount)
    watch()
    whileAway(() => setToken('tok-2'))
    await waitFor(() => expect(client.getQueryData(accountKey)).toEqual(anonymousAccount))
  })

  test('a tab that becomes visible checks the session even if a different host has set a cookie of the same name', async () => {
    const cookies = vi.spyOn(document, 'cookie', 'get').mockReturnValue('csrftoken=theirs; a=1; csrftoken=tok-1')
    known(signedInAccount(), anonymousAccount)
    watch()
    whileAway(() => cookies.mockReturnValue('csrftoken=theirs; a=1; csrftoken=tok-2'))
    await waitFor(() => expect(client.getQueryData(accountKey)).toEqual(anonymousAccount))
  })

  test('a tab that becomes visible checks the session while the customer’s email address is unconfirmed', async () => {
    known(signedInAccount({ email_verified: false }), signedInAccount())
    watch()
    whileAway(() => {})
    await waitFor(() => expect(client.getQueryData(accountKey)).toEqual(signedInAccount()))
  })

  test('a tab that becomes visible makes no request when nothing has changed', () => {
    known(signedInAccount(), signedInAccount())
    watch()
    whileAway(() => {})
    expect(client.isFetching(accountKey)).toBe(false)
    expect(asked()).toEqual([])
  })
})

describe('a page restored from the back/forward cache', () => {
  const shownAgain = (persisted: boolean) => window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }))

  test.each([
    ['the page of a customer reloads', signedInAccount(), 'tok-1', true, 1],
    ['an anonymous visitor’s page reloads after a login in another tab', anonymousAccount, 'tok-2', true, 1],
    ['an anonymous visitor’s page stays if no other tab has logged in', anonymousAccount, 'tok-1', true, 0],
    ['a page that is loaded, not restored, stays', signedInAccount(), 'tok-1', false, 0],
  ])('a restored page reloads only if its customer may have changed: %s', (_name, account, token, persisted, times) => {
    const reload = vi.spyOn(location, 'reload').mockReturnValue()
    known(account, account)
    watch()
    setToken(token)
    shownAgain(persisted)
    expect(reload).toHaveBeenCalledTimes(times)
  })
})

describe('form drafts in the browser', () => {
  const draft = () => sessionStorage.getItem('draft:renew-card-1AB')
  const asAna = signedInAccount()
  const asBen = signedInAccount({ email: 'ben@example.nz' })

  beforeEach(() => {
    sessionStorage.clear()
    sessionStorage.setItem('draft:renew-card-1AB', '{"plan":"plan-90-25gb"}')
  })

  test('a customer’s form draft is kept after their session has ended, even in a new document', () => {
    known(asAna, asAna)
    watch()
    client.setQueryData(accountKey, anonymousAccount)
    client.setQueryData(accountKey, asAna)
    expect(draft()).not.toBeNull()
    client = createQueryClient()
    known(anonymousAccount, anonymousAccount)
    watch()
    client.setQueryData(accountKey, asAna)
    expect(draft()).not.toBeNull()
  })

  test('a form draft from before login is kept after login', () => {
    known(anonymousAccount, anonymousAccount)
    watch()
    client.setQueryData(accountKey, asBen)
    expect(draft()).not.toBeNull()
  })

  test.each([
    ['logs in', () => client.setQueryData(accountKey, asBen)],
    [
      'opens the portal in the same tab',
      () => {
        client = createQueryClient()
        known(asBen, asBen)
        watch()
      },
    ],
  ])('a form draft is deleted when a different customer %s', (_, comes) => {
    known(asAna, asAna)
    watch()
    client.setQueryData(accountKey, anonymousAccount)
    expect(draft()).not.toBeNull()
    setToken('tok-2')
    comes()
    expect(draft()).toBeNull()
  })

  test('a form draft is kept when the customer’s email address changes', () => {
    known(asAna, asAna)
    watch()
    client.setQueryData(accountKey, signedInAccount({ email: 'ana.new@example.nz' }))
    expect(draft()).not.toBeNull()
  })

  test('the customer’s cached data is kept when session storage is unavailable', () => {
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new Error('no storage')
    })
    known(asAna, asAna)
    watch()
    expect(client.getQueryData(accountKey)).toEqual(asAna)
  })
})
