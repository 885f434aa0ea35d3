import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { aUser, pendingPhone, signedInAccount, twoServices } from '#quality/support/account.ts'
import { createFakeApi, type FakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import { detailsMessages } from '../contact-details.contract.ts'
import { accountPages } from './account.pages.ts'

const user = userEvent.setup()
const account = 'GET /api/account/'
const resend = 'POST /api/account/confirm_phone/resend/'
const confirm = 'POST /api/account/confirm_phone/'
const area = '/account/contact-details/'
const sentEmail = 'Email resent. Please check your inbox.'

const waiting = signedInAccount({ email_verification: pendingPhone })
const confirmed = aUser({ phone: pendingPhone.phone, phone_display: pendingPhone.phone_display })
const text = () => document.querySelector('main')?.textContent ?? ''
const status = () =>
  screen
    .getAllByRole('status')
    .map(({ textContent }) => textContent)
    .join('')
const count = (api: FakeApi, at: string) => api.calls.filter((call) => call.at === at).length
const backLink = () => screen.getByRole('link', { name: 'Back to Contact Details' }).getAttribute('href')

async function open(path: string, replies: Record<string, Reply>): Promise<FakeApi> {
  const api = createFakeApi({ 'GET /api/services/': twoServices, ...replies })
  await openPortal(accountPages, `${area}${path}`, api)
  return api
}

describe('the phone confirmation page', () => {
  const press = async () => user.click(await screen.findByRole('button', { name: 'RESEND' }))

  test('the phone confirmation page shows the number to be confirmed and the address that the email was sent to', async () => {
    await open('phone-confirm/', { [account]: waiting })
    await screen.findByText("Didn't receive the email?")
    expect(text()).toMatch(/email to ana@example\.nz\..*confirm 027 555 0199/)
    expect(backLink()).toBe(area)
    const menu = screen.getByRole('navigation', { name: 'Account' })
    expect(within(menu).getByRole('link', { name: 'Contact Details' }).getAttribute('aria-current')).toBe('true')
  })

  test('the phone confirmation page redirects to the contact details when no phone number is waiting to be confirmed', async () => {
    await open('phone-confirm/', { [account]: signedInAccount() })
    await screen.findByRole('button', { name: 'SAVE' })
    expect(location.pathname).toBe(area)
  })

  test('pressing RESEND sends the phone confirmation email again every time', async () => {
    const api = await open('phone-confirm/', { [account]: waiting, [resend]: { message: sentEmail } })
    await press()
    await expect.poll(status).toBe(sentEmail)
    await press()
    await expect.poll(() => count(api, resend)).toBe(2)
  })

  test('RESEND on the phone confirmation page sends one request at a time and keeps the focus', async () => {
    const answer = Promise.withResolvers<object>()
    const api = await open('phone-confirm/', { [account]: waiting, [resend]: answer.promise })
    await press()
    await user.click(screen.getByRole('button', { name: 'SENDING' }))
    expect(count(api, resend)).toBe(1)
    answer.resolve({ message: sentEmail })
    await expect.poll(status).toBe(sentEmail)
    expect(document.activeElement?.textContent).toBe('RESEND')
  })

  test.each([
    [429, formMessages.tooMany],
    [500, formMessages.server],
    [0, formMessages.noAnswer],
  ])('when resending the phone confirmation email fails with status %i, the page shows “%s”', async (code, message) => {
    await open('phone-confirm/', { [account]: waiting, [resend]: new ApiError(code, {}) })
    await press()
    await expect.poll(status).toBe(message)
  })

  test('pressing RESEND redirects to the contact details when the phone number has already been confirmed', async () => {
    const api = await open('phone-confirm/', { [account]: waiting, [resend]: new ApiError(409, {}) })
    await screen.findByRole('button', { name: 'RESEND' })
    api.replies[account] = { authenticated: true, user: confirmed }
    await press()
    expect(await screen.findByRole('button', { name: 'SAVE' })).toBeTruthy()
  })

  test('redirects a customer who returns to the phone confirmation page after confirming the number elsewhere', async () => {
    const api = await open('phone-confirm/', { [account]: waiting })
    await screen.findByRole('button', { name: 'RESEND' })
    api.replies[account] = { authenticated: true, user: confirmed }
    document.dispatchEvent(new Event('visibilitychange'))
    expect(await screen.findByRole('button', { name: 'SAVE' })).toBeTruthy()
  })
})

describe('opening a phone confirmation link', () => {
  test('opening a phone confirmation link submits its token once and removes the token from the address bar', async () => {
    const api = await open('phone-success/?token=abc', { [account]: waiting, [confirm]: { user: confirmed } })
    await expect.poll(status).toBe(detailsMessages.phoneDone)
    expect(api.calls.filter(({ at }) => at === confirm).map(({ body }) => body)).toEqual([{ token: 'abc' }])
    expect(location.pathname + location.search).toBe(`${area}phone-success/`)
    expect(text()).toContain('Your contact phone number is 027 555 0199.')
    expect(backLink()).toBe(area)
  })

  test('the contact details page shows a newly confirmed phone number without reloading the account', async () => {
    const api = await open('phone-success/?token=abc', { [account]: waiting, [confirm]: { user: confirmed } })
    await expect.poll(status).toBe(detailsMessages.phoneDone)
    await user.click(screen.getByRole('link', { name: 'Back to Contact Details' }))
    expect((await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Phone' })).value).toBe(pendingPhone.phone)
    expect([screen.queryByText(/is not confirmed yet/), count(api, account)]).toEqual([null, 1])
  })

  test('opening an outdated phone confirmation link shows that the link is invalid and offers a new one', async () => {
    await open('phone-success/?token=old', {
      [account]: waiting,
      [confirm]: new ApiError(400, { token: [detailsMessages.phoneInvalid] }),
    })
    await expect.poll(status).toBe(detailsMessages.phoneInvalid)
    expect(screen.getByRole('link', { name: 'Get a new link' }).getAttribute('href')).toBe(`${area}phone-confirm/`)
    expect(text()).toContain('Your contact phone number is 021 555 0142.')
  })

  test('opening an outdated phone confirmation link offers no new link when no phone number is waiting to be confirmed', async () => {
    await open('phone-success/?token=old', {
      [account]: signedInAccount(),
      [confirm]: new ApiError(400, { token: [detailsMessages.phoneInvalid] }),
    })
    await expect.poll(status).toBe(detailsMessages.phoneInvalid)
    expect(screen.queryByRole('link', { name: 'Get a new link' })).toBeNull()
    expect(backLink()).toBe(area)
  })

  test('the customer can try again when a phone confirmation request gets no response', async () => {
    const api = await open('phone-success/?token=abc', { [account]: waiting, [confirm]: new ApiError(0, undefined) })
    await expect.poll(status).toBe(formMessages.noAnswer)
    api.replies[confirm] = { user: confirmed }
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    await expect.poll(status).toBe(detailsMessages.phoneDone)
  })

  test('opening a phone confirmation link without its token shows the current phone number and confirms nothing', async () => {
    const api = await open('phone-success/', { [account]: signedInAccount() })
    await screen.findByText(/Your contact phone number is/)
    expect([text().includes('021 555 0142'), backLink(), count(api, confirm)]).toEqual([true, area, 0])
  })
})
