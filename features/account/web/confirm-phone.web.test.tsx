import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { aUser, pendingPhone, signedIn, twoServices } from '#quality/support/account.ts'
import { fakeApi, type FakeApi, openPortal, type Reply } from '#quality/support/portal.tsx'
import { detailsMessages } from '../contact-details.contract.ts'
import { accountPages } from './account.pages.ts'

const user = userEvent.setup()
const account = 'GET /api/account/'
const resend = 'POST /api/account/confirm_phone/resend/'
const confirm = 'POST /api/account/confirm_phone/'
const area = '/account/contact-details/'
const sentEmail = 'Email resent. Please check your inbox.'

const waiting = signedIn({ email_verification: pendingPhone })
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
  const api = fakeApi({ 'GET /api/services/': twoServices, ...replies })
  await openPortal(accountPages, `${area}${path}`, api)
  return api
}

describe('phone-confirm', () => {
  const press = async () => user.click(await screen.findByRole('button', { name: 'RESEND' }))

  test('says which number waits, and where the mail went', async () => {
    await open('phone-confirm/', { [account]: waiting })
    await screen.findByText("Didn't receive the email?")
    expect(text()).toMatch(/email to ana@example\.nz\..*confirm 027 555 0199/)
    expect(backLink()).toBe(area)
    const menu = screen.getByRole('navigation', { name: 'Account' })
    expect(within(menu).getByRole('link', { name: 'Contact Details' }).getAttribute('aria-current')).toBe('true')
  })

  test('with nothing to confirm the contact details show', async () => {
    await open('phone-confirm/', { [account]: signedIn() })
    await screen.findByRole('button', { name: 'SAVE' })
    expect(location.pathname).toBe(area)
  })

  test('RESEND sends the mail again and says so; a second press sends another', async () => {
    const api = await open('phone-confirm/', { [account]: waiting, [resend]: { message: sentEmail } })
    await press()
    await expect.poll(status).toBe(sentEmail)
    await press()
    await expect.poll(() => count(api, resend)).toBe(2)
  })

  test('RESEND is sent once while its answer is awaited, and keeps the focus', async () => {
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
  ])('a RESEND that is answered %i reads %s', async (code, message) => {
    await open('phone-confirm/', { [account]: waiting, [resend]: new ApiError(code, {}) })
    await press()
    await expect.poll(status).toBe(message)
  })

  test('a RESEND of what is confirmed by now leads to the contact details', async () => {
    const api = await open('phone-confirm/', { [account]: waiting, [resend]: new ApiError(409, {}) })
    await screen.findByRole('button', { name: 'RESEND' })
    api.replies[account] = { authenticated: true, user: confirmed }
    await press()
    expect(await screen.findByRole('button', { name: 'SAVE' })).toBeTruthy()
  })

  test('a customer who comes back from following the link elsewhere is led on', async () => {
    const api = await open('phone-confirm/', { [account]: waiting })
    await screen.findByRole('button', { name: 'RESEND' })
    api.replies[account] = { authenticated: true, user: confirmed }
    document.dispatchEvent(new Event('visibilitychange'))
    expect(await screen.findByRole('button', { name: 'SAVE' })).toBeTruthy()
  })
})

describe('phone-success', () => {
  test('sends the token once, and it leaves the address bar', async () => {
    const api = await open('phone-success/?token=abc', { [account]: waiting, [confirm]: { user: confirmed } })
    await expect.poll(status).toBe(detailsMessages.phoneDone)
    expect(api.calls.filter(({ at }) => at === confirm).map(({ body }) => body)).toEqual([{ token: 'abc' }])
    expect(location.pathname + location.search).toBe(`${area}phone-success/`)
    expect(text()).toContain('Your contact phone number is 027 555 0199.')
    expect(backLink()).toBe(area)
  })

  test('what it confirms the contact details know', async () => {
    const api = await open('phone-success/?token=abc', { [account]: waiting, [confirm]: { user: confirmed } })
    await expect.poll(status).toBe(detailsMessages.phoneDone)
    await user.click(screen.getByRole('link', { name: 'Back to Contact Details' }))
    expect((await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Phone' })).value).toBe(pendingPhone.phone)
    expect([screen.queryByText(/is not confirmed yet/), count(api, account)]).toEqual([null, 1])
  })

  test('says that a link is no good any more, and how to get another', async () => {
    await open('phone-success/?token=old', {
      [account]: waiting,
      [confirm]: new ApiError(400, { token: [detailsMessages.phoneInvalid] }),
    })
    await expect.poll(status).toBe(detailsMessages.phoneInvalid)
    expect(screen.getByRole('link', { name: 'Get a new link' }).getAttribute('href')).toBe(`${area}phone-confirm/`)
    expect(text()).toContain('Your contact phone number is 021 555 0142.')
  })

  test('offers no other link where no number waits', async () => {
    await open('phone-success/?token=old', {
      [account]: signedIn(),
      [confirm]: new ApiError(400, { token: [detailsMessages.phoneInvalid] }),
    })
    await expect.poll(status).toBe(detailsMessages.phoneInvalid)
    expect(screen.queryByRole('link', { name: 'Get a new link' })).toBeNull()
    expect(backLink()).toBe(area)
  })

  test('what did not get through can be tried again', async () => {
    const api = await open('phone-success/?token=abc', { [account]: waiting, [confirm]: new ApiError(0, undefined) })
    await expect.poll(status).toBe(formMessages.noAnswer)
    api.replies[confirm] = { user: confirmed }
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    await expect.poll(status).toBe(detailsMessages.phoneDone)
  })

  test('without a token it tells what is so, and sends nothing', async () => {
    const api = await open('phone-success/', { [account]: signedIn() })
    await screen.findByText(/Your contact phone number is/)
    expect([text().includes('021 555 0142'), backLink(), count(api, confirm)]).toEqual([true, area, 0])
  })
})
