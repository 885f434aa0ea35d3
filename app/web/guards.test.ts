import { describe, expect, test } from 'vitest'
import { pages } from '#app/pages.ts'
import { matchPage } from '#kit/web/page.ts'
import { createQueryClient } from '#kit/web/query/query-client.ts'
import { loadNeeds } from '#kit/web/router/load.ts'
import { redirectOf } from '#kit/web/router/redirect.ts'
import type { Account } from '#features/auth/auth.contract.ts'
import { anonymous, pendingPhone, signedIn } from '#quality/support/account.ts'

// Spec 2.1 and 2.2, over the real table of pages.

const visitors = {
  anonymous,
  unverified: signedIn({ email_verified: false, email_verification: pendingPhone }),
  verified: signedIn({ email_verification: pendingPhone }),
}
type Who = keyof typeof visitors | 'unknown'

/** Where a visitor ends who asks for an address: the way there, redirect by redirect. */
async function wayOf(who: Who, address: string): Promise<string[]> {
  const client = createQueryClient()
  if (who !== 'unknown') client.setQueryData<Account>(['account'], visitors[who])
  const way: string[] = []
  for (let next: string | null = address; next !== null && way.length < 9;) {
    way.push(next)
    const [path = '', search = ''] = next.split(/\?(.*)/s)
    const match = matchPage(pages, path)
    await loadNeeds(match.page)
    next = redirectOf(match, { path, search }, client)
  }
  return way
}

const endOf = async (who: Who, address: string): Promise<string | undefined> => (await wayOf(who, address)).at(-1)

type Kind = 'private' | 'signed-in' | 'unverified' | 'public-only' | 'public'

/** Where the mail about an erasure leads whoever has it. */
const keepLink = '/account/privacy/keep/'

/** Who may see a page, by its path. A page that no line speaks of has to be decided about. */
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

/** An address of each page whose path is a pattern, by its source. */
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
/** Where a page leads on by itself: the one is none, the other says something about an order. */
const onwards: Record<string, string> = {
  '/account/': '/account/contact-details/',
  '/services/renew/success/': '/',
}

test('every line of the table is tried', () => {
  expect(addresses.filter((path, index) => matchPage(pages, path).page !== pages[index])).toEqual([])
})

describe.each(ofKind('private'))('%s is private', (path) => {
  test('a visitor logs in first, and the page is remembered', async () => {
    const [, login] = await wayOf('anonymous', path)
    expect(login).toBe(loginFor(path))
    expect(await endOf('verified', loginFor(path))).toBe(await endOf('verified', path))
  })

  test('a customer confirms their address first', async () =>
    expect(await wayOf('unverified', path)).toEqual([path, '/verify/']))

  test('a customer with a confirmed address is let in', async () => {
    expect(await endOf('verified', path)).toBe(onwards[path] ?? path)
  })

  test('when it cannot be known who it is, it counts as not signed in', async () =>
    expect(await endOf('unknown', path)).toBe(loginFor(path)))
})

test('the page of a renewal is there for who comes with its order', async () =>
  expect(await endOf('verified', '/services/renew/success/?order=FT1')).toBe('/services/renew/success/?order=FT1'))

describe.each(ofKind('signed-in'))('%s is for customers who are signed in', (path) => {
  test('a visitor logs in first', async () => expect(await wayOf('anonymous', path)).toEqual([path, loginFor(path)]))
  test.each(['unverified', 'verified'] as const)('a customer is let in: %s', async (who) =>
    expect(await wayOf(who, path)).toEqual([path]),
  )
})

describe.each(ofKind('unverified'))('%s is for an address that waits', (path) => {
  test('a visitor logs in first', async () => expect(await wayOf('anonymous', path)).toEqual([path, loginFor(path)]))
  test('a customer whose address waits is let in', async () => expect(await wayOf('unverified', path)).toEqual([path]))
  test('any other goes to the front door', async () => expect((await wayOf('verified', path))[1]).toBe('/'))
  test.each(['anonymous', 'unverified', 'verified', 'unknown'] as const)(
    'with the link of a mail it is open: %s',
    async (who) => {
      for (const link of ['token=t0ken', 'token=', 'confirmed', 'joined', 'not-me'])
        expect(await wayOf(who, `${path}?${link}`)).toEqual([`${path}?${link}`])
    },
  )
})

describe.each(ofKind('public-only'))('%s is for visitors', (path) => {
  test.each(['anonymous', 'unknown'] as const)('who are let in: %s', async (who) =>
    expect(await wayOf(who, path)).toEqual([path]),
  )
  // There they read that the link of a mail has not been used.
  const said = path.startsWith('/password-reset/') ? '?reset-link' : ''
  test('a customer goes to the front door', async () =>
    expect((await wayOf('verified', path)).slice(0, 2)).toEqual([path, `/${said}`]))
  test('a customer whose address waits goes there', async () =>
    expect(await endOf('unverified', path)).toBe(`/verify/${said}`))
})

describe.each(ofKind('public'))('%s is public', (path) => {
  test.each(['anonymous', 'unverified', 'verified', 'unknown'] as const)('to all: %s', async (who) =>
    expect(await wayOf(who, path)).toEqual([path]),
  )
})

describe('the wanted page', () => {
  test('is remembered with its search', async () => {
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
  ])('is one of ours: not %j', async (next) =>
    expect((await wayOf('verified', `/login/?${new URLSearchParams({ next })}`))[1]).toBe('/'),
  )

  test.each(['/login/', '/login/?next=%2Flogin%2F', '/login/?next=%2F%2Fevil.example', '/forgot-password/'])(
    'may lead round, but not for ever: %s',
    async (next) => {
      expect(await endOf('verified', `/login/?${new URLSearchParams({ next })}`)).toBe('/')
    },
  )
})

test('a reset link is exact: a closing slash goes, the rest stays', async () => {
  expect(await wayOf('anonymous', '/password-reset/dWlk/t0ken/')).toEqual([
    '/password-reset/dWlk/t0ken/',
    '/password-reset/dWlk/t0ken',
  ])
})
