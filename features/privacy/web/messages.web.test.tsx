// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { signedInAccount } from '#quality/support/account.ts'
import { createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import type { MessagesView, SentMessage } from '../messages.contract.ts'
import { privacyPages } from './privacy.pages.ts'

const user = userEvent.setup()
const reading = 'GET /api/account/privacy/messages/'

const message = (id: string, change: Partial<SentMessage> = {}): SentMessage => ({
  id,
  at: '2026-11-20T21:30:00Z',
  by: 'email',
  to: 'ana@example.nz',
  about: `Your letter ${id}`,
  state: 'sent',
  ...change,
})
const first: MessagesView = { messages: [message('1'), message('2')], next: 'p2' }

async function open(reply: Reply) {
  const api = createFakeApi({ 'GET /api/account/': signedInAccount(), [reading]: reply })
  await openPortal(privacyPages, '/account/privacy/messages/', api)
  await screen.findByRole('heading', { level: 1, name: 'What We Sent You' })
  return api
}
const list = async () => {
  const [items] = (await screen.findAllByRole('list')).filter((one) => !one.closest('nav, header, footer'))
  return within(items as HTMLElement).getAllByRole('listitem')
}

test('each message that was sent to the customer shows its subject, recipient, time and state', async () => {
  await open({
    messages: [
      message('1'),
      message('2', { by: 'text', to: '021 555 0142', about: 'How much data you’ve used', state: 'refused' }),
      message('3', { state: 'not_needed' }),
      message('4', { state: 'waiting' }),
    ],
    next: null,
  })
  expect((await list()).map(({ textContent }) => textContent)).toEqual([
    'Your letter 1Email to ana@example.nzSat 21 Nov, 10:30 amSent',
    'How much data you’ve usedText to 021 555 0142Sat 21 Nov, 10:30 amNot delivered',
    'Your letter 3Email to ana@example.nzSat 21 Nov, 10:30 amNot sent: no longer needed',
    'Your letter 4Email to ana@example.nzSat 21 Nov, 10:30 amWaiting to be sent',
  ])
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('“Show more” adds older messages and focuses on the first of them, and can be pressed again after an error', async () => {
  const api = await open(first)
  api.replies[reading] = new ApiError(500, {})
  await user.click(await screen.findByRole('button', { name: 'Show more' }))
  await screen.findByText(formMessages.server)
  expect(await list()).toHaveLength(2)
  api.replies[reading] = { messages: [message('3'), message('4')], next: null }
  await user.click(screen.getByRole('button', { name: 'Show more' }))
  await expect.poll(async () => (await list()).length).toBe(4)
  expect(document.activeElement).toBe((await list())[2])
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  expect(screen.queryByText(formMessages.server)).toBeNull()
})

test('the message page tells the customer if no message was sent in the last 90 days', async () => {
  await open({ messages: [], next: null })
  expect(await screen.findByText('We haven’t sent you anything in the last 90 days.')).toBeTruthy()
})

test('if the customer’s messages do not load, the customer can try again', async () => {
  const api = await open(new ApiError(500, {}))
  await screen.findByText('Your messages can’t be loaded right now.')
  api.replies[reading] = first
  await user.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await list()).toHaveLength(2)
})
