import { describe, expect, test } from 'vitest'
import { pages } from '#app/pages.ts'
import { matchPage } from '#kit/web/page.ts'
import { createQueryClient } from '#kit/web/query/query-client.ts'
import { loadPageLoader } from '#kit/web/router/page-modules.ts'
import { findRedirect } from '#kit/web/router/redirect.ts'
import type { Account } from '#features/auth/auth.contract.ts'
import { anonymousAccount, pendingPhone, signedInAccount } from '#quality/support/account.ts'

// These tests apply sections 2.1 and 2.2 of the specification to the real table of pages.

const visitors = {
  anonymous: anonymousAccount,
  unverified: signedInAccount({ email_verified: false, email_verification: pendingPhone }),
  verified: signedInAccount({ email_verification: pendingPhone }),
}
type Who = keyof typeof visitors | 'unknown'

async function wayOf(who: Who, address: string): Promise<string[]> {
  const client = createQueryClient()
  if (who !== 'unknown') client.setQueryData<Account>(['account'], visitors[who])
  const way: string[] = []
  for (let next: string | null = address; next !== null && way.length < 9;) {
    way.push(next)
    const [path = '', search = ''] = next.split(/\?(.*)/s)
    const match = matchPage(pages, path)
    await loadPageLoader(match.page)
    next = findRedirect(match, { path, search }, client)
  }
  return way
}

const endOf = async (who: Who, address: string): Promise<string | undefined> => (await wayOf(who, address)).at(-1)

type Kind = 'private' | 'signed-in' | 'unverified' | 'public-only' | 'public'

const keepLink = '/account/privacy/keep/'

/**
 * Returns which visitors may see the page at a path.
 * @throws for a path without a rule, so that every new page gets one
 */
function kindOf(path: string): Kind {
  if (path === '/account/contact-details/change-email/') return 'signed-in'
  if (path === '/' || (path.startsWith('/account/') && path !== keepLink) || path.startsWith('/services/'))
    return 'private'
  if (path === '/verify/') return 'unverified'
  if (['/login/', '/forgot-password/', '/password-reset/a/a'].includes(path)) return 'public-only'
  if (
    path.startsWith('/activate/') ||
    path.startsWith('/use-voucher/') ||
    path === '/styleguide/' ||
    path === keepLink ||
    path === '/nowhere/'
  )
    return 'public'
  throw new Error(`Who may see ${path}?`)
}

const samples: Record<string, string> = {
  '^\\/activate\\/.*\\/$': '/activate/elsewhere/',
  '^': '/nowhere/',
  '^\\/services\\/renew\\/(?<shortId>\\d[^/]*)\\/(?:(?<paymentMethod>plan)\\/)?$': '/services/renew/1ab/plan/',
  '^\\/services\\/renew\\/(?<shortId>\\d[^/]*)\\/(?<paymentMethod>voucher)\\/(?:(?<code>[^/]+)\\/)?$':
    '/services/renew/1ab/voucher/a/',
}
const anAddress = (path: string | RegExp): string =>
  path instanceof RegExp ? (samples[path.source] ?? `no sample of ${path.source}`) : path.replace(/:\w+/g, 'a')

const addresses = pages.map(({ path }) => anAddress(path))
const ofKind = (...kinds: Kind[]): string[] => addresses.filter((path) => kinds.includes(kindOf(path)))
const loginFor = (path: string): string => (path === '/' ? '/login/' : `/login/?next=${encodeURIComponent(path)}`)
/**
 * Destination of each page that redirects: `/account/` has no content of its own, and the success pages need an order in their query.
 */
const onwards: Record<string, string> = {
  '/account/': '/account/contact-details/',
  '/services/renew/success/': '/',
  '/services/a/addons/success/': '/',
}

test('the paths in this test cover every page of the portal', () => {
  expect(addresses.filter((path, index) => matchPage(pages, path).page !== pages[index])).toEqual([])
})

describe.each(ofKind('private'))('access to the private page %s', (path) => {
  test('a private page sends a visitor to the login page, which then returns them to the private page', async () => {
    const [, login] = await wayOf('anonymous', path)
    expect(login).toBe(loginFor(path))
    expect(await endOf('verified', loginFor(path))).toBe(await endOf('verified', path))
  })

  test('a private page sends a customer with an unconfirmed email address to /verify/', async () =>
    expect(await wayOf('unverified', path)).toEqual([
      path,
      path === '/' ? '/verify/' : `/verify/?${new URLSearchParams({ next: path })}`,
    ]))

  test('a private page is open to a customer with a confirmed email address', async () => {
    expect(await endOf('verified', path)).toBe(onwards[path] ?? path)
  })

  test('a private page treats a visitor whose account could not be loaded as logged out', async () =>
    expect(await endOf('unknown', path)).toBe(loginFor(path)))
})

test.each(['/services/renew/success/?order=FT1', '/services/a/addons/success/?order=FT1'])(
  'a success page is open to a customer if the URL contains the order: %s',
  async (path) => expect(await endOf('verified', path)).toBe(path),
)

describe.each(ofKind('signed-in'))('access to %s, for customers who are logged in', (path) => {
  test('a page for logged-in customers sends a visitor to the login page', async () =>
    expect(await wayOf('anonymous', path)).toEqual([path, loginFor(path)]))
  test.each(['unverified', 'verified'] as const)(
    'a page for logged-in customers is open to a customer: %s',
    async (who) => expect(await wayOf(who, path)).toEqual([path]),
  )
})

describe.each(ofKind('unverified'))('access to %s, for customers with an unconfirmed email address', (path) => {
  test('the page for unconfirmed email addresses sends a visitor to the login page', async () =>
    expect(await wayOf('anonymous', path)).toEqual([path, loginFor(path)]))
  test('the page for unconfirmed email addresses is open to a customer whose address is unconfirmed', async () =>
    expect(await wayOf('unverified', path)).toEqual([path]))
  test('the page for unconfirmed email addresses sends a customer with a confirmed address to the dashboard', async () =>
    expect((await wayOf('verified', path))[1]).toBe('/'))
  test.each(['anonymous', 'unverified', 'verified', 'unknown'] as const)(
    'the page for unconfirmed email addresses is open to everyone with a link from an email: %s',
    async (who) => {
      for (const link of ['token=t0ken', 'token=', 'confirmed', 'joined', 'not-me'])
        expect(await wayOf(who, `${path}?${link}`)).toEqual([`${path}?${link}`])
    },
  )
})

describe.each(ofKind('public-only'))('access to %s, for visitors only', (path) => {
  test.each(['anonymous', 'unknown'] as const)(
    'a page that is only for visitors is open to a visitor: %s',
    async (who) => expect(await wayOf(who, path)).toEqual([path]),
  )
  const said = path.startsWith('/password-reset/') ? '?reset-link' : ''
  test('a page that is only for visitors sends a customer to the dashboard', async () =>
    expect((await wayOf('verified', path)).slice(0, 2)).toEqual([path, `/${said}`]))
  test('a page that is only for visitors sends a customer with an unconfirmed email address to /verify/', async () =>
    expect(await endOf('unverified', path)).toBe(`/verify/${said}`))
})

describe.each(ofKind('public'))('access to the public page %s', (path) => {
  test.each(['anonymous', 'unverified', 'verified', 'unknown'] as const)(
    'a public page is open to everyone: %s',
    async (who) => expect(await wayOf(who, path)).toEqual([path]),
  )
})

describe('returning to the page requested before login', () => {
  test('the page requested before login is remembered with its query string', async () => {
    const wanted = '/account/contact-details/?from=mail&page=2'
    const [, login = ''] = await wayOf('anonymous', wanted)
    expect(await endOf('verified', login)).toBe(wanted)
  })

  test.each([
    '//evil.example',
    'https://evil.example/',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'evil',
    '',
  ])('a URL on a different site is not accepted as the page requested before login: %j', async (next) =>
    expect((await wayOf('verified', `/login/?${new URLSearchParams({ next })}`))[1]).toBe('/'),
  )

  test.each(['/login/', '/login/?next=%2Flogin%2F', '/login/?next=%2F%2Fevil.example', '/forgot-password/'])(
    'a requested page that is itself a login page ends at the dashboard, without a redirect loop: %s',
    async (next) => {
      expect(await endOf('verified', `/login/?${new URLSearchParams({ next })}`)).toBe('/')
    },
  )
})

test('a password reset link with a trailing slash redirects to the path without it', async () => {
  expect(await wayOf('anonymous', '/password-reset/dWlk/t0ken/')).toEqual([
    '/password-reset/dWlk/t0ken/',
    '/password-reset/dWlk/t0ken',
  ])
})
