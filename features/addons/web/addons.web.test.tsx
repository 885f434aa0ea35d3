import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { anonymousAccount } from '#quality/support/account.ts'
import {
  testService,
  getButton,
  getLinkHref,
  servicesById,
  openAsCustomer,
  findPageTitle,
  products,
  shortId,
  uuid,
} from '#quality/support/purchase-fixtures.ts'
import { getFieldError, type Reply, testBootstrap } from '#quality/support/open-portal.tsx'
import { addOnMessages } from '../addons.contract.ts'
import { addOnPages } from './addons.pages.ts'

const user = userEvent.setup()
const home = `/services/${uuid}/addons/`
const group = (name: string) => within(screen.getByRole('group', { name }))
const radio = (name: RegExp | string) => screen.getByRole<HTMLInputElement>('radio', { name })
const names = (name: string) =>
  group(name)
    .getAllByRole('radio')
    .map((each) => (each as HTMLInputElement).value)
const wordsAt = (element: HTMLElement) =>
  element
    .getAttribute('aria-describedby')!
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent?.trim())
const onward = () => getButton('CONTINUE')
const step = () =>
  within(screen.getByRole('navigation', { name: 'Progress' }))
    .getAllByRole('listitem')
    .find((item) => item.hasAttribute('aria-current'))?.textContent

async function open(replies: Record<string, Reply> = {}, path = home) {
  const api = await openAsCustomer(addOnPages, path, replies)
  await findPageTitle('Purchase Add-Ons')
  return api
}

beforeEach(() => sessionStorage.clear())

describe('choosing an add-on', () => {
  test('groups add-ons in the order that the provider has set, and omits add-ons that cannot be bought', async () => {
    await open()
    expect(names('Extra Data')).toEqual(['extra-500mb', 'extra-2gb'])
    expect(names('International Roaming Add-Ons and International Calls')).toEqual(['roam-au'])
  })

  test('shows each add-on’s allowance, how long it lasts and its price', async () => {
    await open()
    expect(wordsAt(radio('Extra 500 MB $4.00'))).toEqual(['500 MB', 'For 7 days'])
    expect(wordsAt(radio('Extra 2 GB $10.00'))).toEqual(['2 GB', 'For 30 days'])
    expect(wordsAt(radio('Australia Roaming $12.00'))).toEqual(['1 GB 100 Mins 50 SMS/MMS', 'For 7 days'])
  })

  test('links to the provider’s roaming information in a new tab, but not from add-ons for international calls', async () => {
    const calls = { ...products['roam-au'], unique_id: 'calls-100', title: 'International Calls', data_gb: 0 }
    await open({ 'GET /api/products/': { ...products, 'calls-100': calls } })
    expect(names('International Roaming Add-Ons and International Calls')).toEqual(['roam-au', 'calls-100'])
    const { roaming_link_text, roaming_link_url } = testBootstrap.layout
    const link = screen.getByRole('link', { name: `${roaming_link_text} (opens in a new tab)` })
    expect(link.getAttribute('href')).toBe(roaming_link_url)
  })

  test('hides empty add-on groups', async () => {
    const { 'roam-au': _, ...others } = products
    await open({ 'GET /api/products/': others })
    expect(screen.queryByText(/^International Roaming/)).toBeNull()
  })

  test('the customer must choose an add-on before continuing', async () => {
    await open()
    expect(onward().disabled).toBe(true)
    radio(/^Extra 2 GB/).focus()
    await user.tab()
    await user.tab()
    expect(getFieldError(screen.getByRole('radiogroup', { name: 'Add-On' }))).toBe(addOnMessages.required)
    await user.click(radio(/^Extra 2 GB/))
    expect(getFieldError(screen.getByRole('radiogroup', { name: 'Add-On' }))).toBeNull()
    expect(onward().disabled).toBe(false)
  })

  test('on the add-on page, CONTINUE opens the payment step, and both Cancel and the phone number lead to the service page', async () => {
    await open()
    expect(getLinkHref('Cancel')).toBe(`/services/${uuid}/`)
    expect(getLinkHref('021 555 0142')).toBe(`/services/${uuid}/`)
    expect(step()).toBe('Choose an Add-On')
    await user.click(radio(/^Extra 2 GB/))
    await user.click(onward())
    await screen.findByRole('button', { name: 'CONFIRM & PAY' })
    expect(step()).toBe('Payment')
    await expect.poll(() => document.activeElement).toBe(await findPageTitle('Purchase Add-Ons'))
  })

  test('the chosen add-on stays selected after the Back link, the browser’s Back button or a reload', async () => {
    await open()
    await user.click(radio(/^Extra 2 GB/))
    cleanup()
    await open()
    expect(radio(/^Extra 2 GB/).checked).toBe(true)
    await user.click(onward())
    const back = await screen.findByRole('link', { name: 'Back' })
    await user.click(back)
    expect((await screen.findByRole<HTMLInputElement>('radio', { name: /^Extra 2 GB/ })).checked).toBe(true)
    history.back()
    await screen.findByRole('button', { name: 'CONFIRM & PAY' })
    history.back()
    expect((await screen.findByRole<HTMLInputElement>('radio', { name: /^Extra 2 GB/ })).checked).toBe(true)
    cleanup()
    await open({}, location.pathname + location.search)
    expect(radio(/^Extra 2 GB/).checked).toBe(true)
  })
})

describe('opening the URL of an add-on’s payment step', () => {
  test('opening the payment step’s URL with an add-on that is for sale shows that step', async () => {
    await open({}, `${home}?product=extra-2gb&step=payment`)
    expect(step()).toBe('Payment')
  })

  test.each(['nothing', 'plan-90-25gb', 'extra-1gb', ''])(
    'asks the customer to choose an add-on when the one in the URL is not for sale (%s)',
    async (product) => {
      await open({}, `${home}?product=${product}&step=payment`)
      expect(onward().disabled).toBe(true)
    },
  )
})

describe('the add-on page when no add-on can be chosen', () => {
  test('the add-on page explains that the plan has expired, and links to the page for renewing it', async () => {
    await open({ 'GET /api/services/': servicesById(testService({ is_expired: true })) })
    expect(screen.getByText(addOnMessages.expired)).toBeTruthy()
    expect(getLinkHref('RENEW OR BUY PREPAY PLAN')).toBe(`/services/renew/${shortId}/`)
    expect(screen.queryByRole('radio')).toBeNull()
  })

  test('says that there are no add-ons when none are for sale', async () => {
    await open({ 'GET /api/products/': {} })
    expect(screen.getByText(/There are no Add-Ons to choose from/)).toBeTruthy()
  })

  test('offers to try again when the add-ons fail to load', async () => {
    const api = await open({ 'GET /api/products/': new ApiError(500, {}) })
    expect((await screen.findByText('Our Add-Ons didn’t load.')).closest('[role="status"]')).not.toBeNull()
    expect(screen.queryByRole('alert')).toBeNull()
    api.replies['GET /api/products/'] = products
    await user.click(getButton('Try Again'))
    expect(await screen.findByRole('radio', { name: /^Extra 2 GB/ })).toBeTruthy()
  })

  test('the add-on page offers to try again when the services fail to load', async () => {
    const api = await openAsCustomer(addOnPages, home, { 'GET /api/services/': new ApiError(500, {}) })
    await screen.findByText('Your services can’t be loaded right now.')
    api.replies['GET /api/services/'] = servicesById(testService())
    await user.click(getButton('Try Again'))
    expect(await screen.findByRole('radio', { name: /^Extra 2 GB/ })).toBeTruthy()
  })

  test.each([home.replace(uuid, 'missing'), `${home.replace(uuid, 'missing')}success/`])(
    'shows Not Found for a service that the customer does not own (%s)',
    async (path) => {
      await openAsCustomer(addOnPages, path)
      expect(await findPageTitle('Unfortunately we could not find what you were looking for')).toBeTruthy()
      await expect.poll(() => document.title).toBe('Not Found · Fantail Mobile')
    },
  )

  test('redirects an anonymous visitor to the login page, and the `next` parameter keeps the chosen add-on', async () => {
    await openAsCustomer(addOnPages, `${home}?product=extra-2gb&step=payment`, {
      'GET /api/account/': anonymousAccount,
      'GET /api/services/': new ApiError(401, {}),
    })
    await expect
      .poll(() => new URLSearchParams(location.search).get('next'))
      .toBe(`${home}?product=extra-2gb&step=payment`)
  })
})
