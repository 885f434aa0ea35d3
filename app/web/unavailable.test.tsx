import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { pages } from '#app/pages.ts'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import {
  testService,
  servicesById,
  openAsCustomer,
  products,
  planFilters,
  shortId,
  uuid,
} from '#quality/support/purchase-fixtures.ts'
import { createFakeApi, type Reply, testBootstrap } from '#quality/support/open-portal.tsx'
import { signedInAccount } from '#quality/support/account.ts'
import { Portal } from './Portal.tsx'
import { renderPage } from './render-page.tsx'

type Case = [path: string, call: string, answer: Reply, title: string, what: string]

const services = 'GET /api/services/'
const list = servicesById(testService())
const noServices = 'Your services can’t be loaded right now.'
const history = `/services/${uuid}/invoices/`

const told: Case[] = [
  ['/', services, list, 'Welcome, Ana', noServices],
  [`/services/${uuid}/`, services, list, 'Welcome, Ana', noServices],
  [`/services/${uuid}/addons/`, services, list, 'Purchase Add-Ons', noServices],
  ['/services/renew/', services, list, 'Renew Prepay Plan', noServices],
  [`/services/renew/${shortId}/`, services, list, 'Renew Prepay Plan', noServices],
  [`/services/renew/${shortId}/voucher/`, services, list, 'Renew Prepay Plan', noServices],
  [history, `GET /api/account/invoices/${uuid}/`, [], 'Purchase History', 'Your purchases can’t be loaded right now.'],
  ['/account/purchases/', 'GET /api/account/numbers/', [], 'Purchases', 'Your purchases can’t be loaded right now.'],
  [
    `${history}FT1/`,
    `GET /api/account/invoices/${uuid}/FT1/`,
    null,
    'Invoice',
    'Your invoice can’t be loaded right now.',
  ],
  [
    '/account/contact-details/change-email/',
    'GET /api/account/update_email/',
    { state: 'CREATED', new_email: '', sent_to: '', canceled_by: null, locked_until: null },
    'Change Email',
    'Your email change can’t be loaded right now.',
  ],
]

// Failed requests for which the page shows a message but no alert (section 8 of the specification).
const quiet: Case[] = [
  [`/services/${uuid}/addons/`, 'GET /api/products/', products, 'Purchase Add-Ons', 'Our Add-Ons didn’t load.'],
  [
    `/services/renew/${shortId}/`,
    'GET /api/products/',
    products,
    'Renew Prepay Plan',
    'Our Prepay Plans didn’t load. Nothing you have entered is lost.',
  ],
  [
    `/services/renew/${shortId}/`,
    'GET /api/products/filters/',
    planFilters,
    'Renew Prepay Plan',
    'Our Prepay Plans didn’t load. Nothing you have entered is lost.',
  ],
  [
    `/services/${uuid}/port/`,
    'GET /api/account/porting_providers/',
    { providers: [], looked_at_from: null },
    'Request Number Transfer',
    'Our list of providers didn’t load.',
  ],
  ['/account/contact-details/', services, list, 'Contact Details', 'Your phone numbers can’t be loaded right now.'],
]

const others: Record<string, Reply> = {
  [services]: list,
  'GET /api/products/': products,
  'GET /api/products/filters/': planFilters,
  'GET /api/account/porting_providers/': { providers: [], looked_at_from: null },
  [`GET /api/services/port/${uuid}/`]: null,
  [`GET /api/account/usage_summary/${uuid}/`]: new ApiError(500, undefined),
}

const entries = pages.filter(({ status }) => status !== 404)
const again = () => screen.getByRole('button', { name: 'Try Again' })

beforeEach(() => {
  sessionStorage.clear()
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))
})

describe('data that fails to load in the browser', () => {
  test.each([...told.map((each) => [...each, true] as const), ...quiet.map((each) => [...each, false] as const)])(
    'the page %s says what is missing when %s fails, and loads it on request',
    async (path, call, answer, title, what, isTold) => {
      const api = await openAsCustomer(entries, path, { ...others, [call]: new ApiError(500, undefined) })
      await screen.findByText(what)
      expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title)
      expect(screen.queryByText('Loading')).toBeNull()
      expect(screen.queryByRole('alert')?.textContent.includes(formMessages.server) ?? false).toBe(isTold)

      await userEvent.click(again())
      await screen.findByText(what)
      api.replies[call] = answer
      await userEvent.click(again())
      await expect.poll(() => screen.queryByText(what)).toBeNull()
      expect(screen.queryByRole('button', { name: 'Try Again' })).toBeNull()
    },
  )
})

describe('data that fails to load on the server', () => {
  test.each([...told, ...quiet])(
    'the page %s is rendered on the server even when %s fails',
    async (path, call, _, title) => {
      const api = createFakeApi({
        'GET /api/account/': signedInAccount(),
        ...others,
        [call]: new ApiError(500, undefined),
      })
      const onError = vi.fn<(error: unknown) => void>()
      const page = await renderPage(Portal, pages, { url: path, api, bootstrap: testBootstrap, onError })
      expect(page).toMatchObject({ status: 200, state: { rendered: true } })
      if (page.status === 302) throw new Error(`led away to ${page.location}`)
      expect(page.html.replaceAll('<!-- -->', '')).toContain(`${title}</h1>`)
      expect(onError).not.toHaveBeenCalled()
    },
  )
})
