import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { passwordConfirmationMessages } from '#features/auth/password-confirmation.contract.ts'
import { anonymousAccount, signedInAccount } from '#quality/support/account.ts'
import { getFieldError, createFakeApi, type FakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import { type EmailChangeView, changeEmailMessages } from '../change-email.contract.ts'
import { changeEmailPages } from './change-email.pages.ts'

const user = userEvent.setup()
const path = '/account/contact-details/change-email/'
const account = 'GET /api/account/'
const read = 'GET /api/account/update_email/'
const update = 'POST /api/account/update_email/'
const resendPin = 'POST /api/account/update_email/resend_otp/'
const resendEmail = 'POST /api/account/update_email/resend_email/'
const confirm = 'POST /api/account/update_email/confirm/'

const asked = { new_email: 'new@example.nz' }
const going = { sent_to: '', canceled_by: null, locked_until: null }
const created: EmailChangeView = { ...going, state: 'CREATED', new_email: '' }
const requested: EmailChangeView = { ...going, ...asked, state: 'REQUESTED', sent_to: '•••• 142' }
const expired: EmailChangeView = { ...requested, state: 'EXPIRED' }
const verified: EmailChangeView = { ...going, ...asked, state: 'VERIFIED' }
const finished: EmailChangeView = { ...going, ...asked, state: 'FINISHED' }
const canceled: EmailChangeView = { ...going, ...asked, state: 'CANCELED', canceled_by: 'address_taken' }
const locked = { locked_until: '2026-11-22T11:00:00Z' }

const headings = {
  CREATED: 'Your new email address',
  REQUESTED: 'Enter your One-Time PIN',
  EXPIRED: 'Enter your One-Time PIN',
  VERIFIED: 'Check your inbox',
  FINISHED: 'Your email address has changed',
  CANCELED: 'This email change has been stopped',
}

const heading = (state: keyof typeof headings) => screen.findByRole('heading', { level: 2, name: headings[state] })
const email = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'New email address' })
const pin = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'One-Time PIN' })
const press = (name: string) => user.click(screen.getByRole('button', { name }))
const text = () => document.querySelector('main')?.textContent ?? ''
const status = () =>
  screen
    .getAllByRole('status')
    .map(({ textContent }) => textContent)
    .join('')
const sent = (api: FakeApi, at = update) => api.calls.filter((call) => call.at === at).map(({ body }) => body)

async function open(change: EmailChangeView, replies: Record<string, Reply> = {}, search = ''): Promise<FakeApi> {
  const api = createFakeApi({ [account]: signedInAccount(), [read]: change, ...replies })
  await openPortal(changeEmailPages, `${path}${search}`, api)
  if (!search) await heading(change.state)
  return api
}

beforeEach(() => sessionStorage.clear())

describe('who may open the email change page', () => {
  test.each(['', '?token=abc'])(
    'redirects a visitor who is not signed in to the login page, which then leads back to %j',
    async (search) => {
      const api = createFakeApi({ [account]: anonymousAccount, [read]: new ApiError(401, {}) })
      await openPortal(changeEmailPages, `${path}${search}`, api)
      await expect
        .poll(() => location.pathname + location.search)
        .toBe(`/login/?${new URLSearchParams({ next: path + search })}`)
      expect(api.calls.filter(({ at }) => at.startsWith('POST'))).toEqual([])
    },
  )

  test('shows the email change page inside the account area to a verified customer', async () => {
    await open(created)
    const menu = screen.getByRole('navigation', { name: 'Account' })
    expect(within(menu).getByRole('link', { name: 'Contact Details' }).getAttribute('aria-current')).toBe('true')
    expect(screen.getByRole('link', { name: 'CANCEL' }).getAttribute('href')).toBe('/account/contact-details/')
  })

  test('shows the email change page without the account menu to an unverified customer', async () => {
    await open(created, { [account]: signedInAccount({ email_verified: false }) })
    expect(screen.queryByRole('navigation', { name: 'Account' })).toBeNull()
    expect(screen.getByRole('link', { name: 'CANCEL' }).getAttribute('href')).toBe('/verify/')
  })
})

describe('an email change that requires the current password', () => {
  const password = () => screen.getByLabelText<HTMLInputElement>('Current password')

  test('when the current password is required, the page asks for it, keeps the typed address and sends both', async () => {
    const api = await open(created, {
      [update]: new ApiError(400, { password: [passwordConfirmationMessages.needed] }),
    })
    expect(screen.queryByLabelText('Current password')).toBeNull()
    await user.type(email(), asked.new_email)
    await press('CONTINUE')
    await screen.findByText(passwordConfirmationMessages.needed)
    expect([getFieldError(password()), document.activeElement, email().value]).toEqual([
      passwordConfirmationMessages.needed,
      password(),
      asked.new_email,
    ])

    api.replies[update] = new ApiError(400, { password: [passwordConfirmationMessages.wrong] })
    await user.type(password(), 'korimako9{Enter}')
    await screen.findByText(passwordConfirmationMessages.wrong)
    expect([getFieldError(password()), email().value]).toEqual([passwordConfirmationMessages.wrong, asked.new_email])
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('korimako9')

    api.replies[update] = requested
    await user.clear(password())
    await user.type(password(), 'korimako1{Enter}')
    await heading('REQUESTED')
    expect(sent(api)).toEqual([asked, { ...asked, password: 'korimako9' }, { ...asked, password: 'korimako1' }])
    expect(screen.queryByLabelText('Current password')).toBeNull()
  })
})

test('a customer is asked about a mistyped new address, and can take the suggestion', async () => {
  const api = await open(created, { [update]: requested })
  await user.type(email(), 'ana.changes@hotmial.com{Enter}')
  await screen.findByRole('group', { name: 'Did you mean ana.changes@hotmail.com?' })
  expect(sent(api)).toEqual([])
  await press('Yes')
  await heading('REQUESTED')
  expect(sent(api)).toEqual([{ new_email: 'ana.changes@hotmail.com' }])
})

describe('steps on the email change page', () => {
  test.each([
    [created, 'New email'],
    [requested, 'One-Time PIN'],
    [expired, 'One-Time PIN'],
    [verified, 'Confirmation'],
    [finished, undefined],
  ])('marks the current step of the email change %o: %s', async (change, step) => {
    await open(change)
    const items = within(screen.getByRole('navigation', { name: 'Progress' })).getAllByRole('listitem')
    expect(items.map(({ textContent }) => textContent)).toEqual(['New email', 'One-Time PIN', 'Confirmation'])
    expect(items.find((item) => item.getAttribute('aria-current') === 'step')?.textContent).toBe(step)
  })

  test('each step of an email change takes the focus when it appears, except the first step', async () => {
    await open(created, { [update]: requested })
    await expect.poll(() => document.activeElement).toBe(document.body)
    await user.type(email(), 'new@example.nz{Enter}')
    await expect.poll(() => document.activeElement).toBe(await heading('REQUESTED'))
  })
})

describe('the email change page in state CREATED', () => {
  test('the email change page sends the new address and shows the PIN step', async () => {
    const api = await open(created, { [update]: requested })
    expect(text()).toContain('Your email address is ana@example.nz.')
    expect(email().type).toBe('email')
    await user.type(email(), 'new@example.nz')
    await press('CONTINUE')
    await heading('REQUESTED')
    expect(sent(api)).toEqual([asked])
  })

  test('a new email address that has been typed but not sent survives a reload', async () => {
    await open(created, { [update]: requested })
    await user.type(email(), 'new@example.nz')
    cleanup()
    await open(created, { [update]: requested })
    expect(email().value).toBe('new@example.nz')
    await press('CONTINUE')
    await heading('REQUESTED')
    cleanup()
    await open(created)
    expect(email().value).toBe('')
  })

  test.each([
    ['', formMessages.required],
    ['new@', 'Please enter a valid email address.'],
  ])('the new address %j shows the error %s', async (typed, message) => {
    const api = await open(created)
    if (typed) await user.type(email(), typed)
    await press('CONTINUE')
    expect(getFieldError(email())).toBe(message)
    expect([document.activeElement === email(), sent(api)]).toEqual([true, []])
  })

  test('shows an error when the new email address is the current one', async () => {
    await open(created, { [update]: new ApiError(400, { new_email: [changeEmailMessages.same] }) })
    await user.type(email(), 'ana@example.nz{Enter}')
    await expect.poll(() => getFieldError(email())).toBe(changeEmailMessages.same)
  })

  test('shows an error after too many email change requests', async () => {
    await open(created, { [update]: new ApiError(429, {}) })
    await user.type(email(), 'new@example.nz{Enter}')
    expect((await screen.findByRole('alert')).textContent).toBe(formMessages.tooMany)
  })
})

describe('the email change page in state REQUESTED', () => {
  test('shows where the PIN was sent and which new email address it is for', async () => {
    await open(requested)
    expect(text()).toMatch(/6-digit PIN to your number ending 142\..*to new@example\.nz/)
    expect([pin().inputMode, pin().autocomplete]).toEqual(['numeric', 'one-time-code'])
  })

  test('accepts six digits as the PIN, and sends them with the address when CONTINUE is pressed', async () => {
    const api = await open(requested, { [update]: verified })
    await user.type(pin(), '12 34-567x8')
    expect(pin().value).toBe('123456')
    expect(sent(api)).toEqual([])
    await press('CONTINUE')
    await heading('VERIFIED')
    expect(sent(api)).toEqual([{ ...asked, otp: '123456' }])
  })

  test.each(['', '12345'])('entering the incomplete PIN %j shows “Please enter your One-Time PIN.”', async (typed) => {
    const api = await open(requested)
    if (typed) await user.type(pin(), typed)
    await press('CONTINUE')
    expect(getFieldError(pin())).toBe('Please enter your One-Time PIN.')
    expect(sent(api)).toEqual([])
  })

  test('for a wrong PIN, shows an error with the number of attempts left, and then accepts the correct PIN', async () => {
    const api = await open(requested, { [update]: new ApiError(400, { otp: [changeEmailMessages.otpWrong(1)] }) })
    await user.type(pin(), '123456{Enter}')
    await expect
      .poll(() => getFieldError(pin()))
      .toMatch(
        /^That One-Time PIN isn’t right\. .* You have 1 try left\. After that you can’t change your email address until tomorrow\.$/,
      )
    api.replies[update] = verified
    await user.type(pin(), '{Backspace}7{Enter}')
    await heading('VERIFIED')
  })

  test('after the last wrong PIN, the page shows that the email change was cancelled', async () => {
    await open(requested, { [update]: canceled })
    await user.type(pin(), '123456{Enter}')
    await expect.poll(() => document.activeElement).toBe(await heading('CANCELED'))
  })

  test('the page says that a PIN has expired when the customer enters it too late', async () => {
    await open(requested, { [update]: expired })
    await user.type(pin(), '123456{Enter}')
    await expect.poll(status).toContain('Your One-Time PIN has expired')
    expect(getFieldError(pin())).toBe(changeEmailMessages.otpExpired)
  })

  test('RESEND PIN sends a new PIN, says so and clears the field', async () => {
    const api = await open(requested, { [resendPin]: { ...requested, sent_to: '•••• 777' } })
    await user.type(pin(), '123')
    await press('RESEND PIN')
    await expect.poll(status).toBe(changeEmailMessages.pinResent)
    expect([sent(api, resendPin).length, pin().value]).toEqual([1, ''])
    expect(text()).toContain('your number ending 777')
  })

  test.each([
    [429, formMessages.tooMany],
    [0, formMessages.noAnswer],
  ])('when RESEND PIN fails with status %i, the page shows “%s”', async (code, message) => {
    await open(requested, { [resendPin]: new ApiError(code, {}) })
    await press('RESEND PIN')
    await expect.poll(status).toBe(message)
  })

  test('BACK in the PIN step returns to the address form without sending a request, and a different address can be entered', async () => {
    const api = await open(requested, { [update]: { ...requested, new_email: 'other@example.nz' } })
    await press('BACK')
    await expect.poll(() => document.activeElement).toBe(await heading('CREATED'))
    expect([email().value, sent(api)]).toEqual(['new@example.nz', []])
    await user.clear(email())
    await user.type(email(), 'other@example.nz{Enter}')
    await heading('REQUESTED')
    expect(text()).toContain('other@example.nz')
  })

  test('shows an email change’s current state after it was continued in another tab', async () => {
    const api = await open(requested, { [update]: new ApiError(409, {}) })
    api.replies[read] = verified
    await user.type(pin(), '123456{Enter}')
    expect(await heading('VERIFIED')).toBeTruthy()
  })

  test('shows a notice and the new address when another tab has replaced the email change', async () => {
    const api = await open(requested, { [update]: new ApiError(409, {}) })
    api.replies[read] = { ...requested, new_email: 'other@example.nz' }
    await user.type(pin(), '123456{Enter}')
    expect((await screen.findByRole('alert')).textContent).toMatch(/moved on since you loaded this page/)
    expect(text()).toContain('other@example.nz')
  })
})

describe('the email change page in state EXPIRED', () => {
  test('pressing CONTINUE shows an error at the PIN field saying that the PIN has expired', async () => {
    await open(expired, { [update]: expired, [resendPin]: requested })
    await user.type(pin(), '123456')
    await press('CONTINUE')
    await expect.poll(() => getFieldError(pin())).toBe(changeEmailMessages.otpExpired)
    expect(document.activeElement).toBe(pin())
    await press('RESEND PIN')
    await expect.poll(() => getFieldError(pin())).toBeNull()
  })

  test('the PIN step says that the PIN has expired, and accepts a resent PIN', async () => {
    await open(expired, { [resendPin]: requested, [update]: verified })
    expect(status()).toContain('Your One-Time PIN has expired')
    await press('RESEND PIN')
    await expect.poll(status).toBe(changeEmailMessages.pinResent)
    await user.type(pin(), '123456{Enter}')
    await heading('VERIFIED')
  })
})

describe('the email change page in state VERIFIED', () => {
  test('says that a link was sent to the new address, and that the old address is still in use', async () => {
    await open(verified)
    expect(text()).toMatch(/email to new@example\.nz\. Click the link.*still ana@example\.nz/)
  })

  test('RESEND sends another link to the new email address and says so', async () => {
    const api = await open(verified, { [resendEmail]: verified })
    await press('RESEND')
    await expect.poll(status).toBe('Email resent. Please check your inbox.')
    expect(sent(api, resendEmail)).toHaveLength(1)
  })

  test('RESEND shows the email change’s current state if the change has already ended', async () => {
    const api = await open(verified, { [resendEmail]: new ApiError(409, {}) })
    api.replies[read] = created
    await press('RESEND')
    expect(await heading('CREATED')).toBeTruthy()
  })

  test('BACK after the PIN step shows the address form with the requested address', async () => {
    await open(verified)
    await press('BACK')
    await heading('CREATED')
    expect(email().value).toBe('new@example.nz')
  })

  test('shows that the email change is finished after the customer opens the link in another tab', async () => {
    const api = await open(verified)
    Object.assign(api.replies, { [read]: finished, [account]: signedInAccount({ email: asked.new_email }) })
    document.dispatchEvent(new Event('visibilitychange'))
    await heading('FINISHED')
    await expect.poll(() => sent(api, account)).toHaveLength(2)
  })
})

describe('finished and cancelled email changes', () => {
  test('a finished email change shows the new address and a link back to the contact details', async () => {
    await open(finished)
    expect(text()).toContain('Your email address is now new@example.nz.')
    expect(screen.getByRole('link', { name: 'Back to Contact Details' }).getAttribute('href')).toBe(
      '/account/contact-details/',
    )
  })

  test('when the new address cannot be used, the page says so and offers to start the email change again', async () => {
    const api = await open(canceled, { [update]: requested })
    expect(text()).toMatch(/new@example\.nz is no longer available.*still ana@example\.nz.*another address/)
    expect(text()).not.toContain('wrong')
    await press('START AGAIN')
    await heading('CREATED')
    await user.type(email(), '{Enter}')
    await heading('REQUESTED')
    expect(sent(api)).toEqual([asked])
  })

  test('after too many wrong PINs, the page says when a new email change can be started, and offers START AGAIN only then', async () => {
    await open({ ...canceled, canceled_by: 'wrong_pins', ...locked })
    expect(text()).toMatch(/Five wrong One-Time PINs.*still ana@example\.nz.*start again from Mon 23 Nov\./)
    expect(screen.queryByRole('button', { name: 'START AGAIN' })).toBeNull()
    cleanup()
    await open({ ...canceled, canceled_by: 'wrong_pins' })
    expect(text()).toMatch(/Five wrong One-Time PINs.*You can start again now\./)
    await press('START AGAIN')
    await heading('CREATED')
  })

  test('does not show a reason when an email change was cancelled for an unknown reason, and offers to start again', async () => {
    await open({ ...canceled, canceled_by: null })
    expect(text()).toMatch(/We’ve stopped this email change\..*You can start again now\./)
  })

  test('does not show the email change form while the account has no PIN attempts left', async () => {
    await open({ ...created, ...locked })
    expect(text()).toMatch(/Five wrong One-Time PINs were entered today.*from Mon 23 Nov\./)
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  test('shows when email changes become available again after the PIN attempts were used up in another tab', async () => {
    const api = await open(created, { [update]: new ApiError(429, {}) })
    api.replies[read] = { ...created, ...locked }
    await user.type(email(), 'new@example.nz{Enter}')
    await expect.poll(text).toMatch(/start again from Mon 23 Nov\./)
  })

  test('offers to retry when an email change’s state fails to load', async () => {
    const api = createFakeApi({ [account]: signedInAccount(), [read]: new ApiError(500, undefined) })
    await openPortal(changeEmailPages, path, api)
    expect((await screen.findByRole('alert')).textContent).toContain(formMessages.server)
    api.replies[read] = requested
    await press('Try Again')
    await heading('REQUESTED')
  })
})

describe('opening an email change link', () => {
  test('opening the link for a new address sends the token once, removes it from the address bar and reloads the account', async () => {
    const api = await open(
      verified,
      { [confirm]: finished, [account]: signedInAccount({ email_verified: false }) },
      '?token=abc',
    )
    api.replies[account] = signedInAccount({ email: asked.new_email })
    await heading('FINISHED')
    expect(sent(api, confirm)).toEqual([{ token: 'abc' }])
    expect(location.pathname + location.search).toBe(path)
    expect(text()).toContain('Your email address is now new@example.nz.')
    await screen.findByRole('navigation', { name: 'Account' })
  })

  test('after an invalid link is opened, the page says that the link is no longer valid and shows the email change’s state', async () => {
    const api = await open(
      verified,
      { [confirm]: new ApiError(400, { token: [changeEmailMessages.linkInvalid] }) },
      '?token=old',
    )
    await heading('VERIFIED')
    expect(status()).toBe(changeEmailMessages.linkInvalid)
    expect(sent(api, confirm)).toHaveLength(1)
    expect(screen.getByRole('button', { name: 'RESEND' })).toBeTruthy()
  })

  test('the customer can try again when the request to confirm a new address gets no response', async () => {
    const api = await open(verified, { [confirm]: new ApiError(0, undefined) }, '?token=abc')
    await expect.poll(status).toContain(formMessages.noAnswer)
    api.replies[confirm] = finished
    await press('Try Again')
    await heading('FINISHED')
  })
})
