import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { passwordConfirmationMessages } from '#features/auth/password-confirmation.contract.ts'
import {
  anonymousAccount,
  aUser,
  pendingPhone,
  buildServicesByUuid,
  signedInAccount,
  twoServices,
} from '#quality/support/account.ts'
import { getFieldError, createFakeApi, type FakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import { detailsMessages } from '../contact-details.contract.ts'
import { accountPages } from './account.pages.ts'

const user = userEvent.setup()
const account = 'GET /api/account/'
const services = 'GET /api/services/'
const update = 'POST /api/account/update_details/'
const cancel = 'POST /api/account/confirm_phone/cancel/'
const path = '/account/contact-details/'

const box = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
const phone = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Phone' })
const password = () => screen.getByLabelText<HTMLInputElement>('Current password')
const choices = () =>
  within(phone())
    .getAllByRole('option')
    .map(({ textContent }) => textContent)
const chosen = () => phone().selectedOptions[0]?.textContent
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'SAVE' })
const sent = (api: FakeApi) => api.calls.filter(({ at }) => at === update).map(({ body }) => body)
const retype = async (name: string, text: string) => {
  await user.clear(box(name))
  if (text) await user.click(box(name)).then(() => user.paste(text))
}

async function open(replies: Record<string, Reply> = {}): Promise<FakeApi> {
  const api = createFakeApi({ [account]: signedInAccount(), [services]: twoServices, ...replies })
  await openPortal(accountPages, path, api)
  await screen.findByRole('button', { name: 'SAVE' })
  return api
}

// Forms save their input in session storage, which all test files share.
beforeEach(() => sessionStorage.clear())
afterEach(() => sessionStorage.clear())

describe('the account area', () => {
  test('the account area opens on the contact details page', async () => {
    await openPortal(
      accountPages,
      '/account/',
      createFakeApi({ [account]: signedInAccount(), [services]: twoServices }),
    )
    await expect.poll(() => location.pathname).toBe(path)
    expect(await screen.findByRole('heading', { level: 1, name: 'Contact Details' })).toBeTruthy()
  })

  test('the account menu marks the current page', async () => {
    await open()
    const menu = screen.getByRole('navigation', { name: 'Account' })
    const links = within(menu)
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('aria-current')])
    expect(links).toEqual([
      ['Contact Details', path, 'page'],
      ['Payment Method', '/account/payment-method/', null],
      ['Purchases', '/account/purchases/', null],
      ['Change Password', '/account/change-password/', null],
      ['Security', '/account/security/', null],
      ['Privacy', '/account/privacy/', null],
      ['MY DASHBOARD', '/', null],
    ])
  })

  test.each([
    path,
    '/account/',
    '/account/contact-details/phone-confirm/',
    '/account/change-password/',
    '/account/contact-details/phone-success/?token=abc',
  ])('%s redirects a visitor who is not signed in to the login page and posts nothing', async (wanted) => {
    const api = createFakeApi({ [account]: anonymousAccount, [services]: new ApiError(401, {}) })
    await openPortal(accountPages, wanted, api)
    await expect
      .poll(() => location.pathname + location.search)
      .toBe(`/login/?${new URLSearchParams({ next: wanted })}`)
    expect(api.calls.filter(({ at }) => at.startsWith('POST'))).toEqual([])
  })

  test('the contact details page redirects a customer with an unverified email address to the verification page', async () => {
    await openPortal(
      accountPages,
      path,
      createFakeApi({ [account]: signedInAccount({ email_verified: false }), [services]: new ApiError(403, {}) }),
    )
    await expect.poll(() => location.pathname).toBe('/verify/')
  })
})

describe('the contact details form', () => {
  test('the contact details page shows the name, the phone, and a read-only email address with a link to change it', async () => {
    await open()
    expect([box('First name').value, box('Last name').value, phone().value]).toEqual(['Ana', 'Rewi', '+64215550142'])
    expect([box('Email').value, box('Email').readOnly]).toEqual(['ana@example.nz', true])
    expect(screen.getByRole('link', { name: 'Change email' }).getAttribute('href')).toBe(
      '/account/contact-details/change-email/',
    )
    expect(choices()).toEqual(['Choose a phone number', '021 555 0142', '027 555 0199'])
  })

  test('says that the contact details have been saved, hides the message on the next edit, and does not reload the account', async () => {
    const api = await open({ [update]: { user: aUser({ first_name: 'Anahera', last_name: '' }) } })
    await retype('First name', 'Anahera')
    await retype('Last name', '')
    await user.click(save())
    expect((await screen.findByText(detailsMessages.saved)).closest('[role="status"]')).not.toBeNull()
    expect(sent(api)).toEqual([
      { first_name: 'Anahera', last_name: '', phone: '+64215550142', email: 'ana@example.nz' },
    ])
    expect([location.pathname, api.calls.filter(({ at }) => at === account).length]).toEqual([path, 1])
    await user.type(box('First name'), 'x')
    expect(screen.queryByText(detailsMessages.saved)).toBeNull()
  })

  test('opens the phone confirmation page after the customer saves a different contact phone', async () => {
    const api = await open({ [update]: { user: aUser({ email_verification: pendingPhone }) } })
    await user.selectOptions(phone(), '027 555 0199')
    await user.click(save())
    await screen.findByRole('heading', { level: 1, name: 'Confirm Your Phone Number' })
    expect(location.pathname).toBe('/account/contact-details/phone-confirm/')
    expect(document.querySelector('main')?.textContent).toMatch(/ana@example\.nz.*027 555 0199/)
    expect(sent(api)).toEqual([expect.objectContaining({ phone: '+64275550199' })])
  })

  test('shows which contact phone has not been confirmed yet, and keeps the current phone selected', async () => {
    await open({ [account]: signedInAccount({ email_verification: pendingPhone }) })
    expect(screen.getByText('027 555 0199 is not confirmed yet')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'How to confirm' }).getAttribute('href')).toBe(
      '/account/contact-details/phone-confirm/',
    )
    expect(chosen()).toBe('021 555 0142')
  })

  test('saving only a name thanks the customer and keeps a pending contact phone change', async () => {
    const { email_verification: _, ...renamed } = aUser({ first_name: 'Anahera' })
    const api = await open({
      [account]: signedInAccount({ email_verification: pendingPhone }),
      [update]: { user: renamed },
    })
    await retype('First name', 'Anahera')
    await user.click(save())
    expect(await screen.findByText(detailsMessages.saved)).toBeTruthy()
    expect(screen.getByText('027 555 0199 is not confirmed yet')).toBeTruthy()
    expect(location.pathname).toBe(path)
    expect(sent(api)).toEqual([expect.objectContaining({ first_name: 'Anahera', phone: '+64215550142' })])
    expect(api.calls.some(({ at }) => at === cancel)).toBe(false)
  })

  test('“Cancel this change” cancels a pending contact phone change and keeps what was typed in the other fields', async () => {
    const api = await open({
      [account]: signedInAccount({ email_verification: pendingPhone }),
      [cancel]: { user: aUser() },
    })
    await retype('First name', 'Anahera')
    await user.click(screen.getByRole('button', { name: 'Cancel this change' }))
    const said = await screen.findByText('We’ve cancelled the change. Your contact phone number is still 021 555 0142.')
    expect(said.closest('[role="status"]')).toBe(document.activeElement)
    expect(screen.queryByText(/is not confirmed yet/)).toBeNull()
    expect(screen.queryByRole('button', { name: 'Cancel this change' })).toBeNull()
    expect(api.calls.filter(({ at }) => at === cancel)).toHaveLength(1)
    expect([location.pathname, box('First name').value, chosen()]).toEqual([path, 'Anahera', '021 555 0142'])
  })

  test.each([
    [429, formMessages.tooMany],
    [0, formMessages.noAnswer],
  ])('if cancelling a pending phone fails with %i, shows “%s” and keeps the button', async (status, message) => {
    await open({ [account]: signedInAccount({ email_verification: pendingPhone }), [cancel]: new ApiError(status, {}) })
    await user.click(screen.getByRole('button', { name: 'Cancel this change' }))
    await screen.findByText(message)
    expect(screen.getByRole('button', { name: 'Cancel this change' })).toBeTruthy()
  })

  test('reloads the account when the customer cancels a contact phone change that is no longer pending', async () => {
    const api = await open({
      [account]: signedInAccount({ email_verification: pendingPhone }),
      [cancel]: new ApiError(409, {}),
    })
    api.replies[account] = signedInAccount()
    await user.click(screen.getByRole('button', { name: 'Cancel this change' }))
    await expect.poll(() => screen.queryByText(/is not confirmed yet/)).toBeNull()
    expect(screen.queryByText(/cancelled/)).toBeNull()
  })

  test.each([
    ['First name', '', formMessages.required],
    ['First name', '   ', formMessages.required],
    ['First name', 'A\u0007na', detailsMessages.name],
    ['Last name', 'R\u202ewi', null],
    ['Last name', '', null],
  ])('the contact details field %s containing %j shows the error %s', async (name, typed, message) => {
    await open()
    await retype(name, typed)
    await user.tab()
    expect(getFieldError(box(name))).toBe(message)
    expect(save().disabled).toBe(message !== null)
  })

  test('a name that is too long shows an error, and no part of it is lost', async () => {
    await open()
    const name = 'a'.repeat(31)
    await user.clear(box('First name'))
    await user.click(box('First name'))
    await user.paste(name)
    await user.tab()
    expect(box('First name').value).toBe(name)
    expect(getFieldError(box('First name'))).toBe(detailsMessages.firstNameLong)
  })

  test.each([
    [{ first_name: [detailsMessages.firstNameLong] }, 'First name', detailsMessages.firstNameLong],
    [{ phone: [detailsMessages.phone] }, 'Phone', detailsMessages.phone],
  ])('shows a server error about the contact details next to the field concerned: %j', async (body, name, message) => {
    await open({ [update]: new ApiError(400, body) })
    await user.click(save())
    await expect.poll(() => getFieldError(screen.getByLabelText(name))).toBe(message)
    await expect.poll(() => document.activeElement).toBe(screen.getByLabelText(name))
  })

  test.each([
    [429, formMessages.tooMany],
    [500, formMessages.server],
    [0, formMessages.noAnswer],
  ])('if saving the contact details fails with status %i, shows “%s”', async (status, message) => {
    await open({ [update]: new ApiError(status, {}) })
    await user.click(save())
    expect((await screen.findByRole('alert')).textContent).toBe(message)
  })
})

describe('saving contact details when the current password is required', () => {
  const needed = { password: [passwordConfirmationMessages.needed] }

  async function askedFor(then: Reply) {
    const api = await open({ [update]: new ApiError(400, needed) })
    expect(screen.queryByLabelText('Current password')).toBeNull()
    await retype('First name', 'Anahera')
    await user.selectOptions(phone(), '027 555 0199')
    await user.click(save())
    await screen.findByText(passwordConfirmationMessages.needed)
    expect(getFieldError(password())).toBe(passwordConfirmationMessages.needed)
    expect(document.activeElement).toBe(password())
    api.replies[update] = then
    return api
  }

  test('shows a password field if the server asks for the password, and then sends the password with the contact details', async () => {
    const api = await askedFor({ user: aUser({ first_name: 'Anahera', email_verification: pendingPhone }) })
    expect([box('First name').value, chosen(), save().disabled]).toEqual(['Anahera', '027 555 0199', true])
    await user.type(password(), 'korimako1{Enter}')
    await screen.findByRole('heading', { level: 1, name: 'Confirm Your Phone Number' })
    const typed = { first_name: 'Anahera', last_name: 'Rewi', phone: '+64275550199', email: 'ana@example.nz' }
    expect(sent(api)).toEqual([typed, { ...typed, password: 'korimako1' }])
  })

  test('shows a wrong-password error next to the password field and keeps the other contact details', async () => {
    await askedFor(new ApiError(400, { password: [passwordConfirmationMessages.wrong] }))
    await user.type(password(), 'korimako9')
    await user.click(save())
    await expect.poll(() => getFieldError(password())).toBe(passwordConfirmationMessages.wrong)
    expect([box('First name').value, chosen()]).toEqual(['Anahera', '027 555 0199'])
  })

  test('the contact details form never stores the typed password and clears the field after saving', async () => {
    const api = await askedFor({ user: aUser({ first_name: 'Anahera' }) })
    await user.type(password(), 'korimako1')
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('korimako1')
    await user.click(save())
    await screen.findByText(detailsMessages.saved)
    expect(screen.queryByLabelText('Current password')).toBeNull()
    await retype('First name', 'Ana')
    await user.click(save())
    await expect.poll(() => sent(api)).toHaveLength(3)
    expect(sent(api)[2]).not.toHaveProperty('password')
    api.replies[update] = new ApiError(400, needed)
    await user.click(save())
    await screen.findByLabelText('Current password')
    expect([password().value, JSON.stringify({ ...sessionStorage }).includes('korimako1')]).toEqual(['', false])
  })
})

test('a reload keeps an unsaved first name, but shows the account’s current email address', async () => {
  await open()
  await retype('First name', 'Anahera')
  cleanup()
  const api = await open({
    [account]: signedInAccount({ email: 'other@example.nz' }),
    [update]: { user: aUser({ first_name: 'Anahera' }) },
  })
  expect([box('First name').value, box('Email').value]).toEqual(['Anahera', 'other@example.nz'])
  await user.click(save())
  await screen.findByText(detailsMessages.saved)
  expect(sent(api)).toEqual([expect.objectContaining({ first_name: 'Anahera' })])
  cleanup()
  await open()
  expect(box('First name').value).toBe('Ana')
})

describe('choosing the contact phone', () => {
  test('the customer must choose a new contact phone if the current one does not belong to any of their services', async () => {
    const api = await open({
      [services]: buildServicesByUuid({ '+64275550199': '027 555 0199' }),
      [update]: { user: aUser() },
    })
    expect([chosen(), choices()]).toEqual(['Choose a phone number', ['Choose a phone number', '027 555 0199']])
    await user.click(save())
    expect(getFieldError(phone())).toBe(formMessages.required)
    expect(sent(api)).toEqual([])
    await user.selectOptions(phone(), '027 555 0199')
    await user.click(save())
    await expect.poll(() => sent(api)).toEqual([expect.objectContaining({ phone: '+64275550199' })])
  })

  test('requires a customer who has a service but no contact phone to choose a contact phone', async () => {
    await open({ [account]: signedInAccount({ phone: null, phone_display: null }) })
    await user.click(save())
    expect(getFieldError(phone())).toBe(formMessages.required)
  })

  test('a customer without services can save without a contact phone', async () => {
    const api = await open({
      [account]: signedInAccount({ phone: null, phone_display: null }),
      [services]: {},
      [update]: { user: aUser({ phone: null }) },
    })
    expect(choices()).toEqual(['No numbers yet'])
    await user.click(save())
    await screen.findByText(detailsMessages.saved)
    expect(sent(api)).toEqual([expect.objectContaining({ phone: '' })])
  })

  test('saving the contact details of a customer with no services left submits an empty contact phone', async () => {
    const list = Promise.withResolvers<object>()
    const api = await open({ [services]: list.promise, [update]: { user: aUser({ phone: null }) } })
    list.resolve({})
    await screen.findByRole('option', { name: 'No numbers yet' })
    await user.click(save())
    await screen.findByText(detailsMessages.saved)
    expect(sent(api)).toEqual([expect.objectContaining({ phone: '' })])
  })

  test('the customer can save contact details while the list of phone numbers is still loading', async () => {
    const list = Promise.withResolvers<object>()
    const api = await open({ [services]: list.promise, [update]: { user: aUser({ first_name: 'Anahera' }) } })
    expect(screen.getByText('Loading your phone numbers…')).toBeTruthy()
    expect(chosen()).toBe('021 555 0142')
    await retype('First name', 'Anahera')
    await user.click(save())
    await screen.findByText(detailsMessages.saved)
    expect(sent(api)).toEqual([expect.objectContaining({ first_name: 'Anahera', phone: '+64215550142' })])
    list.resolve(twoServices)
    await screen.findByRole('option', { name: '027 555 0199' })
    expect([chosen(), box('First name').value]).toEqual(['021 555 0142', 'Anahera'])
  })

  test('the customer can reload the list of phone numbers after an error without losing what they typed', async () => {
    const api = await open({ [services]: new ApiError(500, undefined) })
    await screen.findByText(/can’t be loaded/)
    await retype('First name', 'Anahera')
    api.replies[services] = twoServices
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    await screen.findByRole('option', { name: '027 555 0199' })
    await expect.poll(() => document.activeElement).toBe(screen.getByRole('combobox', { name: 'Phone' }))
    expect([chosen(), box('First name').value]).toEqual(['021 555 0142', 'Anahera'])
  })
})
