import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Api } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { navigate } from '#kit/web/router/location.ts'
import { servicesQuery } from '#features/services/web/services.queries.ts'
import { toPay } from '#quality/support/checkout.ts'
import { createFakeApi, openPortal, type Reply, testBootstrap } from '#quality/support/open-portal.tsx'
import { activationPages } from './activation.pages.ts'

const account = 'GET /api/account/'
const anonymous = { authenticated: false, user: null }
const signedIn = { authenticated: true, user: { first_name: 'Ana' } }
const porting_request = {
  msisdn: '+64275550111',
  provider: 'skinny',
  billing_method: 2,
  prepaid_sim_number: '',
  account_number: 'A1',
} as const

const done = toPay({ state: 'SUCCESSFUL' })
const ported = toPay({ state: 'SUCCESSFUL', setup_porting: true, porting_request })

async function open(now = done, who: Reply = anonymous): Promise<string> {
  await openPortal(activationPages, '/activate/success/', createFakeApi({ 'GET /api/activate/': now, [account]: who }))
  await screen.findByRole('heading', { level: 1, name: 'Activation Complete' })
  return document.querySelector('main')?.textContent ?? ''
}

test('the activation success page shows the plan, the new number and what to do with the SIM', async () => {
  const text = await open()
  expect(text).toContain('25 GB Prepay Plan')
  expect(text).toMatch(/new Phone Number.*021 505 0103/)
  expect(text).toMatch(/insert your new SIM/)
  expect(text).not.toMatch(/transfer|027 555 0111/i)
})

test('tells a customer who is transferring a number that an email will confirm the transfer', async () => {
  const text = await open(ported)
  expect(text).toContain('25 GB Prepay Plan')
  expect(text).toMatch(/email confirmation.*027 555 0111/)
  expect(text).toMatch(/Until then.*021 505 0103/)
  expect(text).toMatch(/Keep your old SIM.*insert your new SIM/)
})

test('asks a visitor who is not signed in to click the link in the confirmation email', async () => {
  expect(await open()).toMatch(/sent a confirmation email to ana@example\.nz.*[Cc]lick the link/)
})

test('does not ask a signed-in customer to confirm their email address', async () => {
  expect(await open(done, signedIn)).not.toMatch(/confirmation email/)
})

test("the activation success page reloads the customer's account and services, because cached data may be outdated", async () => {
  const known = { uuid: { phone_number: '021 555 0142' } }
  const later = { ...known, another: { phone_number: '021 505 0103' } }
  const api = createFakeApi({ 'GET /api/activate/': done, [account]: signedIn, 'GET /api/services/': known })
  const Services = () => (
    <ul>
      {Object.values(useQuery(servicesQuery(useApi())).data ?? {}).map(({ phone_number }) => (
        <li key={phone_number}>{phone_number}</li>
      ))}
    </ul>
  )
  const needs = async () => ({ queries: (each: Api) => [servicesQuery(each)] })
  await openPortal(
    [
      ...activationPages,
      { path: '/', title: 'Dashboard', loader: needs, component: async () => ({ default: Services }) },
    ],
    '/',
    api,
  )
  await screen.findByText('021 555 0142')
  api.replies['GET /api/services/'] = later
  const asked = (at: string) => api.calls.filter((call) => call.at === at).length
  const before = asked(account)
  act(() => navigate('/activate/success/'))
  await screen.findByRole('heading', { level: 1, name: 'Activation Complete' })
  await expect.poll(() => asked(account)).toBeGreaterThan(before)
  await userEvent.click(screen.getByRole('link', { name: /usage/i }))
  expect(await screen.findByText('021 505 0103')).toBeTruthy()
})

test('the activation success page offers to activate another SIM, both in its content and in the footer menu', async () => {
  const footer = [{ title: 'Your account', items: [{ text: 'Activate a SIM', url: '/activate/' }] }]
  const api = createFakeApi({ 'GET /api/activate/': done, [account]: anonymous })
  await openPortal(activationPages, '/activate/success/', api, {
    ...testBootstrap,
    layout: { ...testBootstrap.layout, menus: { header: [], footer } },
  })
  await expect
    .poll(() => screen.getAllByRole('link', { name: 'Activate another SIM' }).map((link) => link.getAttribute('href')))
    .toEqual(['/activate/new/', '/activate/new/'])
  expect(screen.queryByText('Activate a SIM')).toBeNull()
  await userEvent.click(within(screen.getByRole('main')).getByRole('link', { name: 'Activate another SIM' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Activate a new SIM' })).toBeTruthy()
})

test('deletes everything typed into the wizard, so that the next activation in this tab starts empty', async () => {
  sessionStorage.setItem('draft:activate-sim', '{"msisdn":"021 505 0103"}')
  sessionStorage.setItem('draft:activate-signup', '{"email":"ana@example.nz"}')
  await open()
  await expect.poll(() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:'))).toEqual([])
})

test("hides the visitor's details on an open success page within a minute of the server masking them", async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const api = createFakeApi({ 'GET /api/activate/': done, [account]: anonymous })
  await openPortal(activationPages, '/activate/success/', api)
  await screen.findByText('021 505 0103')
  api.replies['GET /api/activate/'] = { ...done, phone_number: '•••• 103', email: 'an•••••@example.nz' }
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(await screen.findByText('•••• 103')).toBeTruthy()
  expect(document.body.textContent).not.toContain('ana@example.nz')
  const asked = api.calls.length
  await act(() => vi.advanceTimersByTimeAsync(600_000))
  expect(api.calls).toHaveLength(asked)
})

test('the activation success page loads no customer data if the visitor is not signed in', async () => {
  const api = createFakeApi({ 'GET /api/activate/': done, [account]: anonymous })
  await openPortal(activationPages, '/activate/success/', api)
  await screen.findByRole('heading', { level: 1, name: 'Activation Complete' })
  expect(api.calls.map(({ at }) => at).toSorted()).toEqual([account, 'GET /api/activate/'])
})

test('the activation success page treats a visitor as not signed in if the account cannot be loaded', async () => {
  expect(await open(done, new ApiError(500, undefined))).toMatch(/confirmation email/)
})

test.each([
  ['See your usage', '/services/b6b7/'],
  ['Purchase Add-Ons', '/services/b6b7/addons/'],
  ['Change your settings', '/account/contact-details/'],
])('the activation success page’s link “%s” leads to %s', async (name, href) => {
  await open({ ...done, uuid: 'b6b7' })
  expect(within(screen.getByRole('main')).getByRole('link', { name }).getAttribute('href')).toBe(href)
})
