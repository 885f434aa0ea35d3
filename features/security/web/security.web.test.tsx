// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { signedInAccount } from '#quality/support/account.ts'
import { createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import type { OwnSession, SecurityEvent } from '../security.contract.ts'
import { securityPages } from './security.pages.ts'

const user = userEvent.setup()
const listing = 'GET /api/account/sessions/'
const eventsCall = 'GET /api/account/security_events/'
const endingAll = 'POST /api/account/end_other_sessions/'
const ending = (id: string) => `DELETE /api/account/sessions/${id}/`

const session = (id: string, change: Partial<OwnSession> = {}): OwnSession => ({
  id,
  browser: 'Chrome',
  system: 'Windows',
  last_seen: '2026-11-20T21:42:00Z',
  is_current: false,
  ...change,
})
const here = session('here', { is_current: true })
const phone = session('phone', { browser: 'Safari', system: 'iPhone' })
const odd = session('odd', { browser: null, system: null, last_seen: '2026-11-10T00:00:00Z' })
const event = (text: string, change: Partial<SecurityEvent> = {}): SecurityEvent => ({
  at: '2026-11-20T21:42:00Z',
  text,
  times: 1,
  browser: null,
  system: null,
  ...change,
})

const answering = (...sessions: OwnSession[]) => ({ sessions })

async function open(replies: Record<string, Reply> = {}) {
  const api = createFakeApi({
    'GET /api/account/': signedInAccount(),
    [listing]: answering(here, phone, odd),
    [eventsCall]: { events: [event('Your password was changed.')] },
    ...replies,
  })
  await openPortal(securityPages, '/account/security/', api)
  await screen.findByRole('heading', { level: 1, name: 'Security' })
  return api
}

const cards = () => screen.getAllByRole('list').filter((list) => !list.closest('nav, header, footer'))
const rows = async (): Promise<HTMLElement[]> => {
  await screen.findByRole('heading', { name: 'Where you’re logged in' })
  return within(cards()[0] as HTMLElement).getAllByRole('listitem')
}
const buttonIn = (row: HTMLElement | undefined) => within(row as HTMLElement).getByRole('button')
const endAll = () => screen.queryByRole('button', { name: 'Log out everywhere else' })
const said = () =>
  screen
    .getAllByRole('status')
    .map(({ textContent }) => textContent)
    .join('')
const alerts = () =>
  screen
    .getAllByRole('alert')
    .map(({ textContent }) => textContent)
    .join('')

describe('list of sessions on the security page', () => {
  test('lists each session with its browser and time, and offers to log out all but the current session', async () => {
    await open()
    const [own, ...others] = await rows()
    expect(own?.textContent).toBe('Chrome on WindowsThis deviceIn use now')
    expect(within(own as HTMLElement).queryByRole('button')).toBeNull()
    expect(others.map((row) => row.textContent)).toEqual([
      'Safari on iPhoneLast seen Sat 21 Nov, 10:42 amLog out',
      'Unknown browserLast seen Tue 10 Nov, 1:00 pmLog out',
    ])
    for (const row of others) {
      const described = document.getElementById(buttonIn(row).getAttribute('aria-describedby') ?? '')
      expect(row.textContent).toContain(described?.textContent ?? 'nothing')
    }
    expect(
      within(screen.getByRole('navigation', { name: 'Account' })).getByRole('link', {
        name: 'Security',
        current: 'page',
      }),
    ).toBeTruthy()
  })

  test('the security page shows no logout buttons if there are no other sessions', async () => {
    await open({ [listing]: answering(here) })
    await rows()
    expect(screen.getByText('You’re not logged in anywhere else.')).toBeTruthy()
    expect([endAll(), screen.queryByRole('button', { name: 'Log out' })]).toEqual([null, null])
  })

  test('logging out a session removes it from the list, shows a confirmation and moves the focus to the list’s heading', async () => {
    const api = await open({ [ending('phone')]: answering(here, odd) })
    await user.click(buttonIn((await rows())[1]))
    await expect.poll(said).toContain('Safari on iPhone is logged out.')
    expect(await rows()).toHaveLength(2)
    expect(document.activeElement?.textContent).toBe('Where you’re logged in')
    expect(api.calls.filter(({ at }) => at.startsWith('DELETE')).map(({ at }) => at)).toEqual([ending('phone')])
    await expect.poll(() => api.calls.filter(({ at }) => at === eventsCall)).toHaveLength(2)
  })

  test('logging out a session that has already ended is reported as a success', async () => {
    const api = await open({ [ending('phone')]: new ApiError(404, { code: 'Not found.' }) })
    const [, row] = await rows()
    api.replies[listing] = answering(here)
    await user.click(buttonIn(row))
    await expect.poll(said).toContain('Safari on iPhone is logged out.')
    expect(await rows()).toHaveLength(1)
  })

  test('all other sessions can be logged out at once', async () => {
    const api = await open({ [endingAll]: answering(here) })
    await rows()
    await user.click(endAll() as HTMLElement)
    await expect.poll(said).toContain('You’re logged out everywhere else.')
    expect(await rows()).toHaveLength(1)
    expect(endAll()).toBeNull()
    expect(document.activeElement?.textContent).toBe('Where you’re logged in')
    expect(api.calls.filter(({ at }) => at === endingAll)).toHaveLength(1)
  })

  test('ignores further presses of the button while a session is being logged out', async () => {
    const { promise, resolve } = Promise.withResolvers<object>()
    const api = await open({ [ending('phone')]: promise })
    const button = buttonIn((await rows())[1])
    await user.click(button)
    await expect.poll(() => button.textContent).toBe('Logging out')
    expect(button.getAttribute('aria-busy')).toBe('true')
    await user.click(button)
    resolve(answering(here, odd))
    await expect.poll(said).toContain('is logged out.')
    expect(api.calls.filter(({ at }) => at === ending('phone'))).toHaveLength(1)
  })

  test.each([
    [new ApiError(500, {}), formMessages.server],
    [new ApiError(429, {}), formMessages.tooMany],
  ])('a session that cannot be logged out shows an error and stays listed: %s', async (failure, sentence) => {
    await open({ [ending('phone')]: failure, [endingAll]: failure })
    const [, row] = await rows()
    await user.click(buttonIn(row))
    await expect.poll(() => within(row as HTMLElement).getByRole('alert').textContent).toBe(sentence)
    expect(document.activeElement).toBe(buttonIn(row))
    await user.click(endAll() as HTMLElement)
    await expect.poll(alerts).toBe(sentence + sentence)
    expect(await rows()).toHaveLength(3)
  })
})

describe('list of security events on the security page', () => {
  const lines = async (): Promise<(string | null)[]> => {
    await screen.findByRole('heading', { name: 'Recent activity' })
    return within(cards()[1] as HTMLElement)
      .queryAllByRole('listitem')
      .map(({ textContent }) => textContent)
  }

  test('each security event shows what happened, when, how often and in which browser', async () => {
    await open({
      [eventsCall]: {
        events: [
          event('A login with a wrong password failed.', { times: 12 }),
          event('Logged in to your account.', { at: '2026-08-04T21:00:00Z', browser: 'Firefox', system: 'Windows' }),
          event('Logged in to your account.', { at: '2025-08-04T21:00:00Z', browser: 'Firefox' }),
        ],
      },
    })
    expect(await lines()).toEqual([
      'A login with a wrong password failed.12 times, last on Sat 21 Nov, 10:42 am',
      'Logged in to your account.5 Aug, 9:00 am, with Firefox on Windows',
      'Logged in to your account.5 Aug 2025, 9:00 am, with Firefox',
    ])
    expect(screen.getByRole('link', { name: 'Change your password' }).getAttribute('href')).toBe(
      '/account/change-password/',
    )
  })

  test('the security page tells the customer if there are no security events yet', async () => {
    await open({ [eventsCall]: { events: [] } })
    expect(await lines()).toEqual([])
    expect(screen.getByText(/^Nothing yet\./)).toBeTruthy()
  })
})

test.each([
  [listing, 'Your devices can’t be loaded right now.', 'Recent activity'],
  [eventsCall, 'Your recent activity can’t be loaded right now.', 'Where you’re logged in'],
])('when %s fails, the security page shows the rest and lets the customer try again', async (call, sentence, other) => {
  const api = await open()
  expect(screen.queryByText(sentence)).toBeNull()
  document.body.replaceChildren()
  const failing = createFakeApi({ ...api.replies, [call]: new ApiError(500, {}) })
  await openPortal(securityPages, '/account/security/', failing)
  await screen.findByText(sentence)
  expect(screen.getByRole('heading', { name: other })).toBeTruthy()
  failing.replies[call] = api.replies[call] as Reply
  await user.click(screen.getByRole('button', { name: 'Try Again' }))
  await screen.findByRole('heading', { name: 'Recent activity' })
  await screen.findByRole('heading', { name: 'Where you’re logged in' })
  expect(screen.queryByText(sentence)).toBeNull()
})
