import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { autoRenewalMessages } from '#features/auto-renewal/auto-renewal.contract.ts'
import type { PortingRequestView, Service } from '#features/services/services.contract.ts'
import {
  aService,
  aSummary,
  button,
  byUuid,
  callsOf,
  expectNoCalls,
  first,
  hrefOf,
  link,
  list,
  main,
  openService,
  screenIs,
} from '#testing/dashboard.tsx'

const user = userEvent.setup()

beforeEach(() => void screenIs('tablet'))

describe('auto-renewal', () => {
  const address = '/api/services/auto_renew/a/plan-of-a/'
  const on = aService('a', { renews: true })

  test('is enabled once, and the page says so', async () => {
    const answer = Promise.withResolvers<Service>()
    const api = await openService(first, aSummary(), { [`PUT ${address}`]: () => answer.promise })
    await user.click(button('ENABLE AUTO-RENEWAL'))
    expect(button('ENABLING AUTO-RENEWAL')).toBe(document.activeElement)
    await user.click(button('ENABLING AUTO-RENEWAL'))
    await act(async () => answer.resolve(on))
    const notice = (await screen.findByText('Auto Renewal is on: your Prepay Plan renews on 14 Feb 2027.')).closest(
      '[role="status"]',
    )
    await expect.poll(() => document.activeElement).toBe(notice)
    expect(screen.getByText('Plan renews on 14 Feb 2027')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /AUTO-RENEWAL/ })).toBeNull()
    expect(callsOf(api, `PUT ${address}`)).toHaveLength(1)
  })

  test('that needs a card says where to add one', async () => {
    const entry = {
      message: autoRenewalMessages.noCard,
      actions: [{ url: '/account/payment-method/', text: autoRenewalMessages.addCard }],
    }
    await openService(first, aSummary(), { [`PUT ${address}`]: new ApiError(400, { __all__: [entry] }) })
    await user.click(button('ENABLE AUTO-RENEWAL'))
    expect(
      (await screen.findByText(autoRenewalMessages.noCard, { exact: false })).closest('[role="alert"]'),
    ).not.toBeNull()
    expect(hrefOf(autoRenewalMessages.addCard)).toBe('/account/payment-method/')
    expect(button('ENABLE AUTO-RENEWAL').disabled).toBe(false)
  })

  test('is disabled from the menu, after a question', async () => {
    const api = await openService(on, aSummary(), { [`DELETE ${address}`]: first })
    await user.click(button('More about 021 555 0142'))
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
      'Disable Auto Renewal',
      'Invoices',
    ])
    await user.keyboard('{Enter}')
    const dialog = await screen.findByRole('dialog', { name: 'Disable Auto Renewal?' })
    expect(dialog.textContent).toContain('it expires on 14 Feb 2027')
    expect(callsOf(api, `DELETE ${address}`)).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Disable Auto Renewal' }))
    expect(await screen.findByText('Auto Renewal is off: your Prepay Plan expires on 14 Feb 2027.')).toBeTruthy()
    expect([screen.queryByRole('dialog'), screen.getByText('Plan expires on 14 Feb 2027') !== null]).toEqual([
      null,
      true,
    ])
    expect(button('ENABLE AUTO-RENEWAL')).toBeTruthy()
  })

  test('is kept by a customer who thinks again', async () => {
    const api = await openService(on)
    await user.click(button('More about 021 555 0142'))
    await user.click(screen.getByRole('menuitem', { name: 'Disable Auto Renewal' }))
    await user.click(await screen.findByRole('button', { name: 'Keep it' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    await expect.poll(() => document.activeElement).toBe(button('More about 021 555 0142'))
    expectNoCalls(api, 'DELETE')
  })

  test('that could not be disabled says why, in the question', async () => {
    await openService(on, aSummary(), { [`DELETE ${address}`]: new ApiError(500, {}) })
    await user.click(button('More about 021 555 0142'))
    await user.click(screen.getByRole('menuitem', { name: 'Disable Auto Renewal' }))
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByRole('button', { name: 'Disable Auto Renewal' }))
    expect((await within(dialog).findByRole('alert')).textContent).toBe(formMessages.server)
  })

  test('that is off leaves the invoices in the menu', async () => {
    await openService(first)
    await user.click(button('More about 021 555 0142'))
    expect(screen.getAllByRole('menuitem').map((item) => [item.textContent, item.getAttribute('href')])).toEqual([
      ['Invoices', '/services/a/invoices/'],
    ])
  })
})

describe('a number transfer', () => {
  const port = (
    status: PortingRequestView['status'],
    failure_acknowledged_at: string | null = null,
  ): PortingRequestView => ({ status, failure_acknowledged_at, msisdn: '+64275550111' })
  const withPort = (...given: Parameters<typeof port>) => aService('a', { porting_request: port(...given) })
  const failure =
    'Sorry, your request to Transfer (Port) your Existing Phone Number to the provider has failed. ' +
    'Please try again or check the FAQ for instructions on what to do next.'
  const acknowledge = 'POST /api/services/acknowledge_port_failure/a/'

  test('can be asked for where there is none', async () => {
    await openService(first)
    expect(screen.getByRole('heading', { name: 'Phone Number Settings' })).toBeTruthy()
    expect(hrefOf('Request Number Transfer')).toBe('/services/a/port/')
  })

  test.each([1, 2, 3, 4] as const)('of status %i: may another be asked for?', async (status) => {
    await openService(withPort(status))
    expect(screen.queryByRole('link', { name: 'Request Number Transfer' }) !== null).toBe(status === 4)
  })

  test.each([1, 2] as const)('of status %i is told to be under way', async (status) => {
    await openService(withPort(status))
    const banner = screen.getByText(/normally takes about 4 hours in business hours/).closest('[role="status"]')
    expect(banner?.textContent).toContain('We’re moving 027 555 0111 to Fantail')
    expect(banner?.textContent).toContain('we’ll email you when it’s done')
  })

  test('that has failed says so until it is acknowledged', async () => {
    const api = await openService(withPort(4), aSummary(), {
      [acknowledge]: { failure_acknowledged_at: '2026-11-21T00:00:00Z' },
    })
    expect(screen.getByText(failure).closest('[role="status"]')).not.toBeNull()
    expect([hrefOf('Try Again'), hrefOf(/^FAQ/)]).toEqual(['/services/a/port/', 'https://fantail.example/faq'])
    await user.click(button('Close'))
    await waitFor(() => expect(screen.queryByText(failure)).toBeNull())
    expect(callsOf(api, acknowledge).map(({ body }) => body)).toEqual([{}])
    expect(link('Request Number Transfer')).toBeTruthy()
  })

  test('whose failure could not be acknowledged stays, and says why', async () => {
    await openService(withPort(4), aSummary(), { [acknowledge]: new ApiError(0, undefined) })
    await user.click(button('Close'))
    expect(await screen.findByText(formMessages.noAnswer)).toBeTruthy()
    expect(screen.getByText(failure)).toBeTruthy()
  })

  test.each([
    [4, '2026-11-21T00:00:00Z'],
    [3, null],
  ] as const)('of status %i acknowledged %s is told no more', async (status, acknowledged) => {
    await openService(withPort(status, acknowledged))
    expect(main()).not.toMatch(/Sorry|moving/)
  })
})

describe('a transfer under way', () => {
  const under = aService('a', { porting_request: { status: 2, failure_acknowledged_at: null, msisdn: '+64275550111' } })

  test('is asked after every 10 seconds, until it is through', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const api = await openService(under)
      const pass = (milliseconds: number) => act(async () => void (await vi.advanceTimersByTimeAsync(milliseconds)))
      await pass(9_000)
      expect(callsOf(api, list)).toHaveLength(1)
      await pass(1_000)
      expect(callsOf(api, list)).toHaveLength(2)
      api.replies[list] = byUuid(
        aService('a', {
          phone_number: '027 555 0111',
          porting_request: { status: 3, failure_acknowledged_at: null, msisdn: '+64275550111' },
        }),
      )
      await pass(10_000)
      expect(main()).toContain('027 555 0111')
      expect(main()).not.toContain('moving')
      await pass(60_000)
      expect(callsOf(api, list)).toHaveLength(3)
    } finally {
      vi.useRealTimers()
    }
  })

  test('with no transfer none is asked for', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const api = await openService(first)
      await act(async () => void (await vi.advanceTimersByTimeAsync(60_000)))
      expect(callsOf(api, list)).toHaveLength(1)
    } finally {
      vi.useRealTimers()
    }
  })
})
