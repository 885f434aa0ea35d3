// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { signedInAccount } from '#quality/support/account.ts'
import { getFieldError, createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import type { ErasureView } from '../privacy.contract.ts'
import { privacyPages } from './privacy.pages.ts'

const user = userEvent.setup()
const [reading, asking, ending] = ['GET', 'POST', 'DELETE'].map((how) => `${how} /api/account/privacy/erasure/`) as [
  string,
  string,
  string,
]
const keeping = 'POST /api/account/privacy/keep/'

const erasure = (change: Partial<ErasureView> = {}): ErasureView => ({
  waiting: null,
  in_the_way: [],
  lost: [
    {
      number: '021 555 0142',
      plan: '25 GB Prepay Plan',
      ends: '2026-12-24T11:00:00Z',
      next_plan: '5 GB Prepay Plan',
      auto_renewal: true,
    },
  ],
  ...change,
})
const waits = (isPutOff = false) => erasure({ waiting: { due: '2026-11-22T00:30:00Z', is_put_off: isPutOff } })

async function open(path: string, replies: Record<string, Reply> = {}) {
  const api = createFakeApi({
    'GET /api/account/': signedInAccount(),
    [reading]: erasure(),
    'GET /api/account/privacy/marketing/': { agreed: false, words: 'I agree.' },
    ...replies,
  })
  await openPortal(privacyPages, path, api)
  await screen.findByRole('heading', { level: 1 })
  return api
}
const filled = () => [...document.querySelectorAll('main button, main a')].map(({ textContent }) => textContent)

describe('the page for requesting the erasure of personal data', () => {
  const path = '/account/privacy/erase/'

  test('the erasure page shows what is deleted, what is kept and for how long', async () => {
    await open(path)
    const [lost, kept] = (await screen.findAllByRole('list')).filter((list) => !list.closest('nav, header, footer'))
    expect(within(lost as HTMLElement).getAllByRole('listitem')[0]?.textContent).toBe(
      '021 555 0142 stops working and goes back to the network. You lose what’s left of 25 GB Prepay Plan, ' +
        'which runs until Fri 25 Dec, ' +
        'and any Add-Ons. Your next plan, 5 GB Prepay Plan, is already paid for but won’t start. Auto-renewal stops. ' +
        'Nothing is refunded.',
    )
    expect(kept?.textContent).toMatch(
      /invoices and credit notes.+the Tax Administration Act 1994 requires us to keep them for 7 years/,
    )
  })

  test('after an erasure is requested with the password, the privacy page shows when the data will be deleted', async () => {
    const api = await open(path, { [asking]: waits() })
    await user.type(await screen.findByLabelText('Current password'), 'kereru 1')
    await user.click(screen.getByRole('button', { name: 'DELETE MY DATA' }))
    await expect.poll(() => location.pathname).toBe('/account/privacy/')
    await screen.findByRole('heading', { name: 'Your data will be deleted' })
    expect(screen.getByText('Sun 22 Nov, 1:30 pm')).toBeTruthy()
    expect(api.calls.find(({ at }) => at === asking)?.body).toEqual({ password: 'kereru 1' })
  })

  test('the erasure page shows an error at the password field, or the reason why the erasure is not possible', async () => {
    const sentence = 'Order FT1 isn’t complete yet. Please try again when it is.'
    const api = await open(path, { [asking]: new ApiError(400, { password: ['That is not your current password.'] }) })
    const field = await screen.findByLabelText('Current password')
    await user.type(field, 'wrong 1')
    await user.click(screen.getByRole('button', { name: 'DELETE MY DATA' }))
    await expect.poll(() => getFieldError(field)).toBe('That is not your current password.')
    api.replies[asking] = new ApiError(400, { __all__: [sentence] })
    await user.type(field, '2')
    await user.click(screen.getByRole('button', { name: 'DELETE MY DATA' }))
    await screen.findByText(sentence)
    expect(location.pathname).toBe(path)
  })

  test('the erasure page shows no password field while something prevents the erasure', async () => {
    await open(path, { [reading]: erasure({ in_the_way: ['The payment for order FT1 is disputed with your bank.'] }) })
    await screen.findByText('The payment for order FT1 is disputed with your bank.')
    expect(screen.queryByLabelText('Current password')).toBeNull()
  })

  test('if the erasure page does not load, the customer can try again', async () => {
    const api = await open(path, { [reading]: new ApiError(500, {}) })
    await screen.findByText('We can’t show what would be deleted right now.')
    api.replies[reading] = erasure()
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByRole('heading', { name: 'We delete' })).toBeTruthy()
  })
})

describe('a pending erasure on the privacy page', () => {
  test('a pending erasure is shown first on the privacy page and can be cancelled there', async () => {
    const api = await open('/account/privacy/', { [reading]: waits(), [ending]: new ApiError(500, {}) })
    const headings = (await screen.findAllByRole('heading', { level: 2 })).map(({ textContent }) => textContent)
    expect(headings.slice(0, 2)).toEqual(['Your data will be deleted', 'Plans and offers by email'])
    expect(filled()).not.toContain('See what’s deleted')
    await user.click(screen.getByRole('button', { name: 'Keep my account' }))
    await screen.findByText(formMessages.server)
    api.replies[ending] = erasure()
    await user.click(screen.getByRole('button', { name: 'Keep my account' }))
    await screen.findByRole('link', { name: 'See what’s deleted' })
    expect(screen.queryByRole('heading', { name: 'Your data will be deleted' })).toBeNull()
  })

  test('the privacy page tells the customer when an erasure has been postponed', async () => {
    await open('/account/privacy/', { [reading]: waits(true) })
    expect(await screen.findByText(/^We couldn’t delete your data yet because something wasn’t finished/)).toBeTruthy()
  })
})

describe('the link in an email about an erasure', () => {
  const path = '/account/privacy/keep/?token=abc'

  test('the page behind the link in an erasure email needs no login, and keeps the account only when its button is pressed', async () => {
    const api = await open(path, {
      'GET /api/account/': { authenticated: false, user: null },
      [keeping]: { message: '' },
    })
    const button = await screen.findByRole('button', { name: 'Keep my account' })
    expect(api.calls.filter(({ at }) => at === keeping)).toEqual([])
    await user.click(button)
    await screen.findByText('We’ve kept your account. Nothing will be deleted.')
    expect(api.calls.find(({ at }) => at === keeping)?.body).toEqual({ token: 'abc' })
  })

  test.each([
    [new ApiError(400, { token: ['…'] }), /^This link doesn’t work\./],
    [new ApiError(429, {}), formMessages.tooMany],
  ])('shows why the link in an erasure email could not keep the account: %s', async (failure, sentence) => {
    await open(path, { [keeping]: failure })
    await user.click(await screen.findByRole('button', { name: 'Keep my account' }))
    expect(await screen.findByText(sentence)).toBeTruthy()
  })

  test('the page for keeping the account says at once that a link without a token does not work', async () => {
    await open('/account/privacy/keep/')
    expect(await screen.findByText(/^This link doesn’t work\./)).toBeTruthy()
  })
})
