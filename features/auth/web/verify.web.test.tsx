import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import type { PageEntry } from '#kit/web/page.ts'
import { anonymousAccount, signedInAccount } from '#quality/support/account.ts'
import { createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import { verifyMessages } from '../verify.contract.ts'
import { authPages } from './auth.pages.ts'
import { requireCustomer } from './guards.ts'

const user = userEvent.setup()
const account = 'GET /api/account/'
const verify = 'POST /api/account/verify_email/'
const again = 'GET /api/account/resend_verification/'
const refused = new ApiError(400, { token: [verifyMessages.invalid] })
const unverified = signedInAccount({ email_verified: false })

const titled =
  (title: string): PageEntry['component'] =>
  async () => ({ default: () => <h1>{title}</h1> })
const pages: PageEntry[] = [
  ...authPages,
  { path: '/', title: 'Home', loader: async () => ({ redirect: requireCustomer }), component: titled('My dashboard') },
  { path: '/account/contact-details/change-email/', title: 'Change Email', component: titled('Change Email') },
]

async function open(path: string, who: Reply, replies: Record<string, Reply> = {}) {
  const api = createFakeApi({
    [account]: who,
    [verify]: { email_verified: true, joined: false },
    [again]: { message: verifyMessages.resent },
    ...replies,
  })
  await openPortal(pages, path, api)
  return api
}

const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
async function isCalled(title: string) {
  await heading(title)
  await expect.poll(() => document.title).toBe(`${title} · Fantail Mobile`)
}
const link = (name: string) => screen.getByRole('link', { name })
const address = () => location.pathname + location.search
const resend = () => screen.getByRole<HTMLButtonElement>('button', { name: 'RESEND' })

describe('the page for customers who must confirm their email address', () => {
  test('the confirmation page shows the address the email was sent to and says what to do', async () => {
    await open('/verify/', unverified)
    await isCalled('Confirm Your Email Address')
    await screen.findByText('ana@example.nz')
    expect(screen.getByText('Click the link in the email to confirm your email address.')).toBeTruthy()
    expect(screen.getByText("Didn't receive the email?")).toBeTruthy()
    expect(link('Change my email address').getAttribute('href')).toBe('/account/contact-details/change-email/')
  })

  test('pressing RESEND sends the confirmation email again', async () => {
    const sent = Promise.withResolvers<object>()
    const api = await open('/verify/', unverified, { [again]: sent.promise })
    await screen.findByText('ana@example.nz')
    await user.click(resend())
    const busy = screen.getByRole('button', { name: 'SENDING' })
    await user.click(busy)
    await expect.poll(() => document.activeElement).toBe(busy)
    await act(async () => sent.resolve({ message: verifyMessages.resent }))
    expect(screen.getByText('Email resent. Please check your inbox.').closest('[role="status"]')).toBeTruthy()
    expect(api.calls.filter(({ at }) => at === again)).toHaveLength(1)
  })

  test.each([
    [429, 'Too many requests. Please try again shortly.'],
    [503, 'Something went wrong. Please try refreshing the page.'],
    [0, 'Sorry, there was an unexpected error. Please refresh and try again.'],
  ])(
    'shows an error when resending the confirmation email fails with %i, and lets the customer retry',
    async (status, sentence) => {
      const api = await open('/verify/', unverified, { [again]: new ApiError(status, undefined) })
      await screen.findByText('ana@example.nz')
      await user.click(resend())
      await screen.findByText(sentence)
      api.replies[again] = { message: verifyMessages.resent }
      await user.click(resend())
      await screen.findByText(verifyMessages.resent)
      expect(screen.queryByText(sentence)).toBeNull()
    },
  )

  test('pressing RESEND opens the dashboard if the customer has already confirmed the address on another device', async () => {
    const api = await open('/verify/', unverified)
    await screen.findByText('ana@example.nz')
    api.replies[account] = signedInAccount()
    await user.click(resend())
    await heading('My dashboard')
    expect(address()).toBe('/')
  })
})

describe('opening a confirmation link', () => {
  test("opening a confirmation link confirms a signed-in customer's address, shows a message and updates the account", async () => {
    let isConfirmed = false
    const api = await open('/verify/?token=t0ken', () => signedInAccount({ email_verified: isConfirmed }), {
      [verify]: () => {
        isConfirmed = true
        return { email_verified: true, joined: false }
      },
    })
    await screen.findByText(verifyMessages.done)
    expect(api.calls.filter(({ at }) => at === verify)).toMatchObject([{ body: { token: 't0ken' } }])
    expect(address()).toBe('/verify/?confirmed')
    await isCalled('Email Address Confirmed')
    await waitFor(() => expect(api.calls.at(-1)?.at).toBe(account))
    expect(screen.getByText(verifyMessages.done)).toBeTruthy()
    await user.click(link('Go to my dashboard'))
    await heading('My dashboard')
  })

  test('opening a confirmation link in the browser that placed the order confirms the address and offers a login link', async () => {
    await open('/verify/?token=t0ken', anonymousAccount)
    await screen.findByText(verifyMessages.done)
    expect(address()).toBe('/verify/?confirmed')
    expect(link('LOG IN').getAttribute('href')).toBe('/login/')
  })

  test("keeps the token in the confirmation page's URL until there is a response, so that the customer can retry", async () => {
    const api = await open('/verify/?token=t0ken', anonymousAccount, { [verify]: new ApiError(0, undefined) })
    await screen.findByText('Sorry, there was an unexpected error. Please refresh and try again.')
    expect(address()).toBe('/verify/?token=t0ken')
    api.replies[verify] = { email_verified: true, joined: false }
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    await screen.findByText(verifyMessages.done)
  })

  test('opening an already used confirmation link shows an anonymous visitor a login link', async () => {
    await open('/verify/?token=old', anonymousAccount, { [verify]: refused })
    await screen.findByText(verifyMessages.invalid)
    expect(link('LOG IN').getAttribute('href')).toBe('/login/?next=%2Fverify%2F')
    expect(screen.queryByRole('button', { name: 'Try Again' })).toBeNull()
  })

  test('opening an already used confirmation link lets a customer with an unconfirmed address resend the email', async () => {
    await open('/verify/?token=old', unverified, { [verify]: refused })
    await screen.findByText(verifyMessages.invalid)
    await user.click(resend())
    await screen.findByText(verifyMessages.resent)
    expect(screen.getByText(verifyMessages.invalid)).toBeTruthy()
  })

  test('opening an already used confirmation link shows a customer with a confirmed address a link to the dashboard', async () => {
    await open('/verify/?token=old', signedInAccount(), { [verify]: refused })
    await screen.findByText(verifyMessages.invalid)
    expect(screen.queryByRole('button', { name: 'RESEND' })).toBeNull()
    await user.click(link('Go to my dashboard'))
    await heading('My dashboard')
  })

  test('a confirmation link without a token is invalid', async () => {
    const api = await open('/verify/?token=', anonymousAccount, { [verify]: refused })
    await screen.findByText(verifyMessages.invalid)
    expect(api.calls).toContainEqual(expect.objectContaining({ at: verify, body: { token: '' } }))
  })
})

describe('confirmation links opened in a different browser', () => {
  const about = 'POST /api/account/verify_email/about/'
  const notMe = 'POST /api/account/verify_email/not_me/'
  const asks = new ApiError(400, { password: [verifyMessages.password] })
  const aboutIt = { phone_number: '021 505 0103', needs_password: true, needs_account_password: false }
  const chosen = () => screen.findByLabelText<HTMLInputElement>('Password chosen for this number')
  const confirm = () => user.click(screen.getByRole('button', { name: 'CONFIRM' }))

  test('the confirmation page shows the phone number, and confirms the address with the password chosen for that number', async () => {
    const api = await open('/verify/?token=t0ken', anonymousAccount, { [verify]: asks, [about]: aboutIt })
    await user.type(await chosen(), 'korimako1')
    expect(screen.getByText('021 505 0103')).toBeTruthy()
    api.replies[verify] = { email_verified: true, joined: false }
    await confirm()
    await screen.findByText(verifyMessages.done)
    expect(api.calls.filter(({ at }) => at === verify).at(-1)).toMatchObject({
      body: { token: 't0ken', password: 'korimako1' },
    })
    expect(address()).toBe('/verify/?confirmed')
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('korimako1')
  })

  test("a wrong password shows an error and keeps the confirmation link's token in the URL", async () => {
    await open('/verify/?token=t0ken', anonymousAccount, { [verify]: asks, [about]: aboutIt })
    await user.type(await chosen(), 'not it 1')
    await confirm()
    expect(await screen.findByText(verifyMessages.password)).toBeTruthy()
    expect(address()).toBe('/verify/?token=t0ken')
  })

  test("the confirmation page asks for the existing account's password and then says that the number has been added", async () => {
    const api = await open('/verify/?token=t0ken', anonymousAccount, {
      [verify]: new ApiError(400, { account_password: ['x'] }),
      [about]: { ...aboutIt, needs_password: false, needs_account_password: true },
    })
    await user.type(await screen.findByLabelText('Password for your existing account'), 'korimako1')
    expect(screen.queryByRole('button', { name: 'This wasn’t me' })).toBeNull()
    api.replies[verify] = { email_verified: true, joined: true }
    await confirm()
    await screen.findByText(verifyMessages.joined)
    await isCalled('Phone Number Added')
    expect(link('LOG IN').getAttribute('href')).toBe('/login/')
  })

  test("lets the email's recipient say that the activation was not theirs", async () => {
    const api = await open('/verify/?token=t0ken', anonymousAccount, {
      [verify]: asks,
      [about]: aboutIt,
      [notMe]: { mail_stopped: true },
    })
    await chosen()
    await user.click(screen.getByRole('button', { name: 'This wasn’t me' }))
    const words = await screen.findByText(verifyMessages.notMe)
    expect(document.activeElement).toBe(words.closest('[role="status"]'))
    expect(api.calls.filter(({ at }) => at === notMe)).toMatchObject([{ body: { token: 't0ken' } }])
    expect(screen.queryByRole('link', { name: 'LOG IN' })).toBeNull()
    await isCalled('Thank You')
  })

  test("the customer can retry when a confirmation link's details fail to load", async () => {
    const api = await open('/verify/?token=t0ken', anonymousAccount, {
      [verify]: asks,
      [about]: new ApiError(503, undefined),
    })
    await screen.findByText('Something went wrong. Please try refreshing the page.')
    api.replies[about] = aboutIt
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    expect((await chosen()).autocomplete).toBe('current-password')
  })
})

describe('reloading the confirmation page', () => {
  test.each([
    ['confirmed', verifyMessages.done, 'Email Address Confirmed'],
    ['joined', verifyMessages.joined, 'Phone Number Added'],
    ['not-me', verifyMessages.notMe, 'Thank You'],
  ])('reloading the confirmation page shows its message again (%s) and sends nothing', async (end, sentence, title) => {
    const api = await open(`/verify/?${end}`, signedInAccount())
    await screen.findByText(sentence)
    await isCalled(title)
    expect(api.calls.map(({ at }) => at)).toEqual([account])
  })

  test('the confirmation page never says that an unconfirmed address is confirmed, whatever its URL contains', async () => {
    await open('/verify/?confirmed', unverified)
    await screen.findByText('ana@example.nz')
    await isCalled('Confirm Your Email Address')
    expect(screen.queryByText(verifyMessages.done)).toBeNull()
  })
})

test('the confirmation page redirects an anonymous visitor to the login page', async () => {
  await open('/verify/', anonymousAccount)
  await heading('Welcome Back')
  expect(address()).toBe('/login/?next=%2Fverify%2F')
})

test('the confirmation page redirects a customer whose address is confirmed to the dashboard', async () => {
  await open('/verify/', signedInAccount())
  await heading('My dashboard')
  expect(address()).toBe('/')
})

test('the confirmation page redirects a customer whose address is confirmed to the page that they wanted to open', async () => {
  await open('/verify/?next=%2F%3Frenew', signedInAccount())
  await heading('My dashboard')
  expect(address()).toBe('/?renew')
})
