// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { signedInAccount } from '#quality/support/account.ts'
import { getFieldError, createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import { privacyPages } from './privacy.pages.ts'

const user = userEvent.setup()
const asking = 'POST /api/account/privacy/data/'
const nothingWaits = { waiting: null, in_the_way: [], lost: [] }
const fetched: string[] = []
beforeEach(() => {
  fetched.length = 0
  vi.spyOn(location, 'assign').mockImplementation((url) => void fetched.push(String(url)))
})
afterEach(() => vi.restoreAllMocks())

async function open(reply: Reply) {
  const api = createFakeApi({
    'GET /api/account/': signedInAccount(),
    'GET /api/account/privacy/erasure/': nothingWaits,
    'GET /api/account/privacy/marketing/': { agreed: false, words: 'I agree.' },
    [asking]: reply,
  })
  await openPortal(privacyPages, '/account/privacy/', api)
  await user.click(await screen.findByRole('button', { name: 'Download my data' }))
  return api
}
const dialog = () => screen.getByRole('dialog', { name: 'Download your data' })
const password = () => within(dialog()).getByLabelText('Current password')
const send = () => user.click(within(dialog()).getByRole('button', { name: 'DOWNLOAD' }))

test('sends the password and the chosen format, then starts the download and confirms that it has started', async () => {
  const api = await open({ url: '/documents/your-data?ticket=abc' })
  await user.click(within(dialog()).getByRole('radio', { name: 'A data file' }))
  await user.type(password(), 'kereru 1')
  await send()
  await expect.poll(() => fetched).toEqual(['/documents/your-data?ticket=abc'])
  expect(api.calls.at(-1)).toMatchObject({ at: asking, body: { password: 'kereru 1', format: 'json' } })
  await screen.findByText('Your download has started.')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a missing or wrong password shows an error at the password field and downloads nothing', async () => {
  const api = await open(new ApiError(400, { password: ['That is not your current password.'] }))
  await send()
  await expect.poll(() => getFieldError(password())).toBe('Please enter your current password.')
  await user.type(password(), 'wrong 1')
  await send()
  await expect.poll(() => getFieldError(password())).toBe('That is not your current password.')
  expect(fetched).toEqual([])
  expect(api.calls.filter(({ at }) => at === asking)).toHaveLength(1)
})

test.each([
  [new ApiError(429, {}), formMessages.tooMany],
  [new ApiError(0, null), formMessages.noAnswer],
])('the download dialog shows an error that concerns no single field: %s', async (failure, sentence) => {
  await open(failure)
  await user.type(password(), 'kereru 1')
  await send()
  await within(dialog()).findByText(sentence)
  expect(fetched).toEqual([])
})
