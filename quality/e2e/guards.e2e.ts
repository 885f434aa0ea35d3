import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { waitForPath, getButton, expectDashboard, getField, getLink, logIn, addSessionCookies } from './account.ts'
import { getPhoneNumber } from './dashboard.ts'
import { usePortal } from './use-portal.ts'
import { go } from './screens/page-calls.ts'
import { expectHeading } from './wizard.ts'
import { resizePage } from './resize-page.ts'

const portal = usePortal()

type Who = 'anonymous' | 'unverified' | 'verified'
let customers: Record<Exclude<Who, 'anonymous'>, Customer>
const itsNumber = 'its number'

/** Values for the letters in a path: `S` is the verified customer's service, `R` the short id of its schedule, and `O` its order. */
const theirs = new Map<string, string>()
const own = (path: string): string => path.replace(/(?<=\/)[SRO](?=\/)/g, (letter) => theirs.get(letter) ?? letter)

beforeAll(async () => {
  const [unverified, verified] = await Promise.all([
    makeCustomer(portal.world(), { verified: false }),
    makeCustomer(portal.world(), { services: 1 }),
  ])
  customers = { unverified, verified }
  const [service] = verified.services
  if (!service) throw new Error('a service was asked for')
  for (const [letter, name] of [
    ['S', service.id],
    ['R', service.shortId],
    ['O', service.orderCode],
  ] as const)
    theirs.set(letter, name)
})

async function openFor(who: Who, size: 'phone' | 'desktop' = 'desktop'): Promise<Page> {
  const page = await portal.open(size)
  if (who !== 'anonymous') await addSessionCookies(page.context(), customers[who], portal.world().url)
  return page
}

async function openInside(page: Page): Promise<void> {
  await page.goto('/activate/new/')
  await getButton(page, 'START').and(page.locator(':enabled')).waitFor()
}

type Kind = 'private' | 'signed-in' | 'waiting' | 'public-only' | 'public'

// The routes in section 2.1 of the specification that exist. If a route only redirects, its target is listed as well.
const routes: [kind: Kind, path: string, h1: string, leadsTo?: string][] = [
  ['private', '/', 'Welcome, Ana'],
  ['private', '/account/', 'Contact Details', '/account/contact-details/'],
  ['private', '/account/contact-details/', 'Contact Details'],
  ['private', '/account/contact-details/phone-confirm/', 'Contact Details', '/account/contact-details/'],
  ['private', '/account/contact-details/phone-success/', 'Your Phone Number'],
  ['private', '/account/payment-method/', 'Payment Method'],
  ['private', '/account/payment-method/?x=1&y=%2F', 'Payment Method'],
  ['private', '/account/change-password/', 'Change Password'],
  ['private', '/account/security/', 'Security'],
  ['private', '/account/privacy/', 'Privacy'],
  ['private', '/account/privacy/messages/', 'What We Sent You'],
  ['private', '/account/privacy/erase/', 'Delete Your Data'],
  ['public', '/account/privacy/keep/', 'Keep Your Account'],
  ['private', '/account/purchases/', 'Purchases'],
  ['private', '/services/S/', itsNumber],
  ['private', '/services/S/detail/', 'Usage Detail'],
  ['private', '/services/S/addons/', 'Purchase Add-Ons'],
  ['private', '/services/S/alerts/', 'Alerts'],
  ['private', '/services/S/invoices/', 'Purchase History'],
  ['private', '/services/S/invoices/O/', 'Tax Invoice'],
  ['private', '/services/renew/', 'Renew Prepay Plan'],
  ['private', '/services/renew/R/', 'Renew Prepay Plan'],
  ['private', '/services/renew/R/plan/', 'Renew Prepay Plan'],
  ['private', '/services/renew/R/voucher/', 'Renew Prepay Plan'],
  ['private', '/services/renew/R/voucher/ABCDEFGHJKLM/', 'Renew Prepay Plan'],
  ['private', '/services/renew/voucher/ABCDEFGHJKLM/', 'Renew Prepay Plan'],
  ['private', '/services/S/port/', 'Request Number Transfer'],
  ['private', '/services/S/port/success/', 'Welcome, Ana', '/'],
  ['signed-in', '/account/contact-details/change-email/', 'Change Email'],
  ['waiting', '/verify/', 'Confirm Your Email Address'],
  ['public-only', '/login/', 'Welcome Back'],
  ['public-only', '/forgot-password/', 'Forgot Password'],
  ['public-only', '/password-reset/a/b', 'Set a New Password'],
  ['public', '/use-voucher/ABCDEFGHJKLM/', 'Start with a Voucher Code'],
  ['public', '/activate/new/', 'Activate a new SIM'],
  ['public', '/styleguide/', 'Style Guide'],
]

const home = ['/', 'Welcome, Ana'] as const
const confirmationHeading = 'Confirm Your Email Address'
const login = (path: string) =>
  [path === '/' ? '/login/' : `/login/?next=${encodeURIComponent(path)}`, 'Welcome Back'] as const

/** Returns the address and heading that a visitor should end up at after opening a page, according to section 2.2 of the specification. */
function endOf(who: Who, kind: Kind, path: string, itself: readonly [string, string]): readonly [string, string] {
  if (kind === 'public') return itself
  if (who === 'anonymous') return kind === 'public-only' ? itself : login(path)
  const isLink = path.startsWith('/password-reset/')
  if (who === 'unverified')
    return kind === 'signed-in' || kind === 'waiting'
      ? itself
      : kind === 'private'
        ? [path === '/' ? '/verify/' : `/verify/?next=${encodeURIComponent(path)}`, confirmationHeading]
        : [isLink ? '/verify/?reset-link' : '/verify/', confirmationHeading]
  return kind === 'private' || kind === 'signed-in' ? itself : isLink ? [`${home[0]}?reset-link`, home[1]] : home
}

const headingIn = (html: string): string | undefined => /<h1[^>]*>([^<]*)</.exec(html)?.[1]

describe.each<Who>(['anonymous', 'unverified', 'verified'])('a visitor who is %s', (who) => {
  const ways = () =>
    routes.map(([kind, pattern, h1, leadsTo = pattern]) => {
      const path = own(pattern)
      const heading = h1 === itsNumber ? getPhoneNumber(customers.verified) : h1
      return [path, ...endOf(who, kind, path, [own(leadsTo), heading])] as const
    })

  test('for every address, the server shows the specified page or redirects to it', async () => {
    const page = await openFor(who)
    // Send these requests with the browser's cookies but without opening a page. The next test opens the pages.
    for (const [path, end, h1] of ways()) {
      const first = await page.request.get(path, { maxRedirects: 0 })
      const last = path === end ? first : await page.request.get(first.headers()['location'] ?? '')
      const { pathname, search } = new URL(last.url())
      expect({
        path,
        end: pathname + search,
        led: first.status() === 302,
        status: last.status(),
        h1: headingIn(await last.text()),
      }).toEqual({ path, end, led: path !== end, status: 200, h1 })
    }
  })

  test('navigating within the portal takes a visitor to the specified page without loading a new document', async () => {
    const page = await openFor(who)
    await openInside(page)
    const documents: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents.push(request.url())
    })
    for (const [path, end, h1] of ways()) {
      await go(page, path)
      await waitForPath(page, end)
      await expectHeading(page, h1)
    }
    expect(documents).toEqual([])
  })
})

describe('login links whose return address points to another site', () => {
  const elsewhere = [
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '/%09/evil.example',
    'javascript:alert(1)',
  ]

  const hostsOf = (page: Page): Set<string> => {
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    return hosts
  }

  test.each(elsewhere)('the login page ignores the target %s', async (next) => {
    const page = await openFor('verified')
    const hosts = hostsOf(page)
    const door = `/login/?next=${next}`
    await page.goto(door)
    await waitForPath(page, '/')
    await openInside(page)
    await go(page, door)
    await waitForPath(page, '/')
    // Leave the page first: while still loading, it would notice that the session is gone and redirect to the login page by itself.
    await page.goto('about:blank')
    await page.context().clearCookies()
    await page.goto(door)
    await logIn(page, customers.verified)
    await expectDashboard(page)
    await waitForPath(page, '/')
    expect([...hosts]).toEqual([new URL(portal.world().url).host])
  })
})

test.each(['/services/renew/success/', '/services/S/addons/success/'])(
  'the success page %s is shown only to a customer who has just bought something',
  async (pattern) => {
    const path = own(pattern)
    const page = await openFor('verified')
    await page.goto(path)
    await waitForPath(page, '/')
    expect(await page.getByText('Your order reference is').count()).toBe(0)
    const stranger = await openFor('anonymous')
    await stranger.goto(path)
    await waitForPath(stranger, login(path)[0])
  },
)

test('a customer with an unconfirmed email address must confirm it before any other page opens', async () => {
  const page = await portal.open('phone')
  await page.goto('/account/payment-method/')
  await logIn(page, customers.unverified)
  await expectHeading(page, 'Confirm Your Email Address')
  const { pathname, search } = new URL(page.url())
  expect(pathname + search).toBe('/verify/?next=%2Faccount%2Fpayment-method%2F')
})

test('each page opens at the top, even after the back button, and a reload keeps the scroll position', async () => {
  const page = await openFor('verified')
  await resizePage(page, { width: 320, height: 400 })
  const toEnd = () => page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }))
  const top = () => page.evaluate(() => scrollY)
  await page.goto('/account/contact-details/')
  await toEnd()
  expect(await top()).toBeGreaterThan(100)
  // Dispatch the event directly, because Playwright's own click would first scroll to the link.
  await getLink(page.getByRole('navigation', { name: 'Account' }), 'Payment Method').dispatchEvent('click')
  await expectHeading(page, 'Payment Method')
  expect(await top()).toBe(0)
  await toEnd()
  expect(await top()).toBeGreaterThan(100)
  await getLink(page.getByRole('navigation', { name: 'Account' }), 'Change Password').dispatchEvent('click')
  await expectHeading(page, 'Change Password')
  expect(await top()).toBe(0)
  await toEnd()
  await page.goBack()
  await expectHeading(page, 'Payment Method')
  expect(await top()).toBe(0)
  // Reloading the page keeps its scroll position.
  await toEnd()
  await page.reload()
  await pollUntil(async () => (await top()) > 100)
})

test('the loading logo stays until the portal knows who is signed in', async () => {
  const page = await openFor('verified')
  // If the server cannot find out in time who is signed in, it sends the document without the user's state.
  await page.route('**/activate/new/', async (route) => {
    const html = await (await fetch(route.request().url())).text()
    await route.fulfill({
      contentType: 'text/html',
      body: html.replace(/\[\["account"\],\{"authenticated":false,"user":null\}\],?/, ''),
    })
  })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  await page.route('**/api/account/', async (route) => {
    asked.resolve()
    await released
    await route.continue()
  })
  await openInside(page)
  await asked.promise
  await go(page, '/account/change-password/')
  await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor()
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(0)
  expect(await getField(page, 'Current password').count()).toBe(0)
  release()
  await expectHeading(page, 'Change Password')
  await waitForPath(page, '/account/change-password/')
  expect(await page.getByText('Loading').count()).toBe(0)
})

test.each(['/login/', '/activate/', '/forgot-password/', '/verify/?token=t0ken', '/use-voucher/NONE/'])(
  '%s says that it needs JavaScript, but only if JavaScript is disabled',
  async (path) => {
    const page = await portal.open('phone')
    await page.goto(path)
    expect(await page.getByText('please switch JavaScript on').isVisible()).toBe(false)
    const html = await (await page.request.get(path)).text()
    // Parse the HTML without running scripts, like a browser with JavaScript disabled.
    const read = await page.evaluate(
      (markup) => new DOMParser().parseFromString(markup, 'text/html').querySelector('body > noscript')?.textContent,
      html,
    )
    expect(read).toContain('please switch JavaScript on in your browser')
  },
)

test('a voucher’s plan is shown without JavaScript, and opening a voucher page counts towards the limit on voucher checks', async () => {
  const code = await portal.world().newVoucher()
  const bare = await portal.open('phone', { javaScriptEnabled: false })
  await bare.goto(`/use-voucher/${code.toLowerCase()}/`)
  await bare.getByRole('region', { name: 'Prepay Plan of your voucher' }).getByText('5 GB Prepay Plan').waitFor()
  expect(await bare.getByRole('link', { name: 'Activate a new Prepay Plan' }).getAttribute('href')).toBe(
    '/activate/new/',
  )
  for (let guess = 0; guess < 30; guess++) await bare.request.get('/use-voucher/AAAAAAAAAAAA/')
  expect(await (await bare.request.get(`/use-voucher/${code}/`)).text()).not.toContain('5 GB Prepay Plan')
  expect((await bare.request.get(`/api/vouchers/${code}/`)).status()).toBe(429)
})
