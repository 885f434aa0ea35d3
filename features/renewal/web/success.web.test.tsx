import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { aSummary } from '#testing/dashboard.tsx'
import { aService, bought, button, linkTo, listOf, openAsCustomer, pageTitle, shortId, uuid } from '#testing/buying.ts'
import { callsOf } from '#testing/checkout.ts'
import { dashboardPages } from '#features/dashboard/web/dashboard.pages.ts'
import { renewalPages } from './renewal.pages.ts'

const user = userEvent.setup()
const usage = `GET /api/account/usage_summary/${uuid}/`
const pages = [...renewalPages, ...dashboardPages]

beforeEach(() => sessionStorage.clear())

test('says what was ordered; what this tab knew of the customer is asked for anew', async () => {
  const api = await openAsCustomer(pages, `/services/${uuid}/`, {
    'POST /api/orders/recharge/': bought,
    [usage]: aSummary(),
  })
  await user.click(await screen.findByRole('link', { name: 'RENEW OR BUY PREPAY PLAN' }))
  await screen.findByRole('radiogroup', { name: 'Prepay Plan' })
  expect(location.pathname).toBe(`/services/renew/${shortId}/`)
  const asked = () => ['GET /api/services/', 'GET /api/account/', usage].map((at) => callsOf(api, at).length)
  const before = asked()
  api.replies['GET /api/services/'] = listOf(aService({ phone_number: '021 555 0143' }))
  await user.click(button(/^RENEW/))
  await pageTitle('Renewal Successful!')
  expect(screen.getByText(/^Your order reference is/).textContent).toBe('Your order reference is FT0001')
  expect(screen.getByText('You will receive a confirmation email in a few minutes.')).toBeTruthy()
  expect(document.title).toContain('Renewal Successful!')
  await expect.poll(() => asked().every((calls, index) => calls > before[index]!)).toBe(true)
  expect(linkTo('My Dashboard')).toBe('/')
  await user.click(screen.getByRole('link', { name: 'My Dashboard' }))
  await screen.findAllByText('021 555 0143')
})

test('BACK leads past the form', async () => {
  await openAsCustomer(pages, `/services/${uuid}/`, { 'POST /api/orders/recharge/': bought, [usage]: aSummary() })
  await user.click(await screen.findByRole('link', { name: 'RENEW OR BUY PREPAY PLAN' }))
  await screen.findByRole('radiogroup', { name: 'Prepay Plan' })
  await user.click(button(/^RENEW/))
  await pageTitle('Renewal Successful!')
  history.back()
  await expect.poll(() => location.pathname).toBe(`/services/${uuid}/`)
})

test('without an order it leads to the dashboard', async () => {
  await openAsCustomer(pages, '/services/renew/success/', { [usage]: aSummary() })
  await expect.poll(() => location.pathname).toBe('/')
})
