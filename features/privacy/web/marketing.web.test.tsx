// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { signedInAccount } from '#quality/support/account.ts'
import { createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import { privacyPages } from './privacy.pages.ts'

const user = userEvent.setup()
const reading = 'GET /api/account/privacy/marketing/'
const choosing = 'POST /api/account/privacy/marketing/'

const words = 'I agree that this brand may email me.'
const view = (agreed: boolean) => ({ agreed, words })

async function open(replies: Record<string, Reply> = {}) {
  const api = createFakeApi({
    'GET /api/account/': signedInAccount(),
    'GET /api/account/privacy/erasure/': { waiting: null, in_the_way: [], lost: [] },
    [reading]: view(true),
    ...replies,
  })
  await openPortal(privacyPages, '/account/privacy/', api)
  return api
}
const toggle = () =>
  screen.findByRole<HTMLInputElement>('switch', {
    name: words,
  })
const sent = (api: Awaited<ReturnType<typeof open>>) =>
  api.calls.filter(({ at }) => at === choosing).map(({ body }) => body)

test('saves the marketing consent as soon as its switch is changed, and confirms that it is saved', async () => {
  const api = await open({ [choosing]: view(false) })
  expect((await toggle()).checked).toBe(true)
  await user.click(await toggle())
  await screen.findByText('Your choice is saved.')
  expect((await toggle()).checked).toBe(false)
  expect(sent(api)).toEqual([{ agreed: false }])
})

test('a marketing choice that could not be saved stays selected, and can be sent again', async () => {
  const api = await open({ [choosing]: new ApiError(500, {}) })
  await user.click(await toggle())
  await screen.findByText(formMessages.server)
  expect((await toggle()).checked).toBe(false)
  api.replies[choosing] = view(false)
  await user.click(screen.getByRole('button', { name: 'Try Again' }))
  await screen.findByText('Your choice is saved.')
  expect(screen.queryByText(formMessages.server)).toBeNull()
  expect((await toggle()).checked).toBe(false)
  expect(sent(api)).toEqual([{ agreed: false }, { agreed: false }])
})

test('ignores clicks on the switch while a marketing choice is being saved', async () => {
  let answer: (reply: ReturnType<typeof view>) => void = () => {}
  const api = await open({ [choosing]: () => new Promise((resolve) => (answer = resolve)) })
  await user.click(await toggle())
  await screen.findByText('Saving…')
  await user.click(await toggle())
  expect((await toggle()).checked).toBe(false)
  answer(view(false))
  await screen.findByText('Your choice is saved.')
  expect(sent(api)).toEqual([{ agreed: false }])
})

test('if the marketing consent does not load, the rest of the page is shown and the customer can try again', async () => {
  const api = await open({ [reading]: new ApiError(500, {}) })
  await screen.findByText('We can’t load your choice about offers right now.')
  expect(screen.getByRole('button', { name: 'Download my data' })).toBeTruthy()
  api.replies[reading] = view(false)
  await user.click(screen.getByRole('button', { name: 'Try Again' }))
  expect((await toggle()).checked).toBe(false)
})
