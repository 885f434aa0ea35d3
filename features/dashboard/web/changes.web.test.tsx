import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { type AutoRenewalOffer, autoRenewalMessages } from '#features/auto-renewal/auto-renewal.contract.ts'
import type { PortingProgress, PortingRequestView, Service } from '#features/services/services.contract.ts'
import {
  dashboardService,
  usageSummary,
  getDashboardButton,
  servicesByUuid,
  findCalls,
  expectNoCalls,
  first,
  getLinkHref,
  link,
  list,
  main,
  openDashboard,
  openService,
  mockScreenSize,
} from '#quality/support/dashboard.tsx'
import { portingProgress, portingRequestView } from '#quality/support/account.ts'

const user = userEvent.setup()

beforeEach(() => void mockScreenSize('tablet'))

describe('turning a service’s auto-renewal on and off', () => {
  const address = '/api/services/auto_renew/a/plan-of-a/'
  const on = dashboardService('a', { renews: true })

  const terms = (change: Partial<AutoRenewalOffer> = {}): AutoRenewalOffer => ({
    lead: 'We’ll renew 021 555 0142 for you when this plan ends.',
    rows: [
      { label: 'You pay', value: '$109.65', note: 'NZD, including $14.30 GST', link: null },
      {
        label: 'Card',
        value: 'Visa ending 1111',
        note: null,
        link: { text: 'Change', url: '/account/payment-method/' },
      },
    ],
    promises: ['We email you the exact amount 3 days before every charge.'],
    trouble: null,
    can_enable: true,
    button: null,
    ...change,
  })
  const sheet = () => screen.findByRole('dialog', { name: 'Turn on auto-renewal?' })

  test('turns auto-renewal on once, after showing its terms, and then shows the new plan status', async () => {
    const answer = Promise.withResolvers<Service>()
    const api = await openService(first, usageSummary(), {
      [`GET ${address}`]: terms(),
      [`PUT ${address}`]: () => answer.promise,
    })
    await user.click(getDashboardButton('ENABLE AUTO-RENEWAL'))
    const dialog = within(await sheet())
    expect(await dialog.findByText('$109.65')).toBeTruthy()
    expect(findCalls(api, `PUT ${address}`)).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'ENABLE AUTO-RENEWAL' }))
    const busy = dialog.getByRole('button', { name: 'ENABLING AUTO-RENEWAL' })
    expect(busy).toBe(document.activeElement)
    await user.click(busy)
    await act(async () => answer.resolve(on))
    const title = await screen.findByRole('heading', { name: 'Plan renews on 14 Feb 2027' })
    await expect.poll(() => document.activeElement).toBe(title)
    expect(screen.queryByRole('button', { name: 'ENABLE AUTO-RENEWAL' })).toBeNull()
    expect(findCalls(api, `PUT ${address}`)).toHaveLength(1)
  })

  test('leaves auto-renewal off when the customer presses “Not now”', async () => {
    const api = await openService(first, usageSummary(), { [`GET ${address}`]: terms() })
    await user.click(getDashboardButton('ENABLE AUTO-RENEWAL'))
    await user.click(await within(await sheet()).findByRole('button', { name: 'Not now' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    await expect.poll(() => document.activeElement).toBe(getDashboardButton('ENABLE AUTO-RENEWAL'))
    expectNoCalls(api, 'PUT')
  })

  test('opening a link with the parameter “auto-renewal” shows the dialog with the auto-renewal terms directly', async () => {
    await openDashboard('/services/a/?auto-renewal', { [list]: servicesByUuid(first), [`GET ${address}`]: terms() })
    expect(await within(await sheet()).findByText('$109.65')).toBeTruthy()
  })

  test('links to the page for adding a card when auto-renewal needs one', async () => {
    await openService(first, usageSummary(), {
      [`GET ${address}`]: terms({
        can_enable: false,
        button: { text: 'Add credit card', url: '/account/payment-method/' },
      }),
    })
    await user.click(getDashboardButton('ENABLE AUTO-RENEWAL'))
    const dialog = within(await sheet())
    await dialog.findByRole('link', { name: 'Add credit card' })
    expect(getLinkHref('Add credit card')).toBe('/account/payment-method/')
    expect(dialog.queryByRole('button', { name: 'ENABLE AUTO-RENEWAL' })).toBeNull()
  })

  test('warns the customer when their card will expire before the auto-renewal charge', async () => {
    const trouble = 'Visa ending 1111 expires at the end of December 2026, before the charge.'
    await openService(first, usageSummary(), { [`GET ${address}`]: terms({ trouble }) })
    await user.click(getDashboardButton('ENABLE AUTO-RENEWAL'))
    expect(await within(await sheet()).findByText(trouble)).toBeTruthy()
  })

  test('the dialog shows why auto-renewal could not be turned on', async () => {
    const entry = {
      message: autoRenewalMessages.noCard,
      actions: [{ url: '/account/payment-method/', text: autoRenewalMessages.addCard }],
    }
    await openService(first, usageSummary(), {
      [`GET ${address}`]: terms(),
      [`PUT ${address}`]: new ApiError(400, { __all__: [entry] }),
    })
    await user.click(getDashboardButton('ENABLE AUTO-RENEWAL'))
    const dialog = within(await sheet())
    await user.click(await dialog.findByRole('button', { name: 'ENABLE AUTO-RENEWAL' }))
    expect(
      (await dialog.findByText(autoRenewalMessages.noCard, { exact: false })).closest('[role="alert"]'),
    ).not.toBeNull()
    expect(getLinkHref(autoRenewalMessages.addCard)).toBe('/account/payment-method/')
  })

  test('Try Again reloads the auto-renewal terms after they failed to load', async () => {
    const api = await openService(first, usageSummary(), { [`GET ${address}`]: new ApiError(500, {}) })
    await user.click(getDashboardButton('ENABLE AUTO-RENEWAL'))
    const dialog = within(await sheet())
    const again = await dialog.findByRole('button', { name: 'Try Again' })
    api.replies[`GET ${address}`] = terms()
    await user.click(again)
    expect(await dialog.findByText('$109.65')).toBeTruthy()
  })

  test('turns auto-renewal off from the menu after the customer confirms', async () => {
    const api = await openService(on, usageSummary(), { [`DELETE ${address}`]: first })
    await user.click(getDashboardButton('More about 021 555 0142'))
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
      'Disable Auto Renewal',
      'Invoices',
    ])
    await user.keyboard('{Enter}')
    const dialog = await screen.findByRole('dialog', { name: 'Disable Auto Renewal?' })
    expect(dialog.textContent).toContain('it expires on 14 Feb 2027')
    expect(findCalls(api, `DELETE ${address}`)).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Disable Auto Renewal' }))
    const title = await screen.findByRole('heading', { name: 'Plan expires on 14 Feb 2027' })
    await expect.poll(() => document.activeElement).toBe(title)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(getDashboardButton('ENABLE AUTO-RENEWAL')).toBeTruthy()
  })

  test('the dialog for turning off auto-renewal says that a paid next plan still starts', async () => {
    const [schedule] = Object.values(on.schedules)
    const next_plan = { title: '15 GB Prepay Plan', length: 30, starts_on: '2027-02-13T11:00:00Z' }
    await openService({ ...on, schedules: { [schedule!.short_id]: { ...schedule!, next_plan } } })
    await user.click(getDashboardButton('Change or turn off auto-renewal'))
    const dialog = await screen.findByRole('dialog', { name: 'Disable Auto Renewal?' })
    expect(dialog.textContent).toContain('Your next Prepay Plan is already paid for and still starts on 14 Feb 2027.')
    expect(dialog.textContent).not.toContain('it expires on')
  })

  test('keeps auto-renewal on when the customer presses “Keep auto-renewal”', async () => {
    const api = await openService(on)
    await user.click(getDashboardButton('More about 021 555 0142'))
    await user.click(screen.getByRole('menuitem', { name: 'Disable Auto Renewal' }))
    await user.click(await screen.findByRole('button', { name: 'Keep auto-renewal' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    await expect.poll(() => document.activeElement).toBe(getDashboardButton('More about 021 555 0142'))
    expectNoCalls(api, 'DELETE')
  })

  test('the dialog shows the error when auto-renewal cannot be turned off', async () => {
    await openService(on, usageSummary(), { [`DELETE ${address}`]: new ApiError(500, {}) })
    await user.click(getDashboardButton('More about 021 555 0142'))
    await user.click(screen.getByRole('menuitem', { name: 'Disable Auto Renewal' }))
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByRole('button', { name: 'Disable Auto Renewal' }))
    expect((await within(dialog).findByRole('alert')).textContent).toBe(formMessages.server)
  })

  test('a phone number’s menu contains only a link to its invoices when auto-renewal is off', async () => {
    await openService(first)
    await user.click(getDashboardButton('More about 021 555 0142'))
    expect(screen.getAllByRole('menuitem').map((item) => [item.textContent, item.getAttribute('href')])).toEqual([
      ['Invoices', '/services/a/invoices/'],
    ])
  })
})

describe('showing a service’s number transfer', () => {
  const port = (
    status: PortingRequestView['status'],
    failure_acknowledged_at: string | null = null,
    why: Partial<PortingRequestView> = {},
  ) => portingRequestView({ status, failure_acknowledged_at, ...why })
  const withPort = (...given: Parameters<typeof port>) => dashboardService('a', { porting_request: port(...given) })
  const failure =
    'Sorry, your request to Transfer (Port) your Existing Phone Number to the provider has failed. ' +
    'Please try again or check the FAQ for instructions on what to do next.'
  const acknowledge = 'POST /api/services/acknowledge_port_failure/a/'

  test('a service without a number transfer links to the transfer request form', async () => {
    await openService(first)
    expect(screen.getByRole('heading', { name: 'Phone Number Settings' })).toBeTruthy()
    expect(getLinkHref('Request Number Transfer')).toBe('/services/a/port/')
  })

  test.each([1, 2, 3, 4] as const)(
    'offers a new number transfer only after the previous one has failed (status %i)',
    async (status) => {
      await openService(withPort(status))
      expect(screen.queryByRole('link', { name: 'Request Number Transfer' }) !== null).toBe(status === 4)
    },
  )

  const processing =
    'We’re moving 027 555 0111 to FantailThis normally takes about 4 hours in business hours, and we’ll email you when it’s done.'

  test.each<[PortingRequestView['status'], PortingProgress['step'], string]>([
    [1, 'sent', 'If you get a text that asks you to confirm the transfer, reply ‘Yes’ within 2 hours.'],
    [2, 'reply', 'Reply ‘Yes’ to the text on your old Spark SIM within 2 hours, or the transfer will be cancelled.'],
    [2, 'information', 'Spark needs more details. Your details didn’t show that the number is yours.'],
    [2, 'moving', ''],
  ])(
    'the banner of a transfer with status %i at step “%s” says how long a transfer takes, above the instructions for the step',
    async (status, step, request) => {
      await openService(withPort(status, null, { progress: portingProgress({ step }) }))
      const banner = (await screen.findByText(/normally takes about 4 hours/)).closest('[role="status"]')
      expect(banner?.textContent.startsWith(`${processing}${request}`)).toBe(true)
    },
  )

  test('the banner no longer says how long a transfer takes once the number has moved', async () => {
    await openService(withPort(3, null, { progress: portingProgress({ step: 'moved' }) }))
    const banner = (await screen.findByText(/^Turn your phone off and on again\./)).closest('[role="status"]')
    expect(banner?.textContent).toContain('027 555 0111 has moved: put in your new SIM')
    expect(banner?.textContent).not.toContain('4 hours')
  })

  test('the banner for a failed number transfer is shown until the customer closes it', async () => {
    const api = await openService(withPort(4), usageSummary(), {
      [acknowledge]: { failure_acknowledged_at: '2026-11-21T00:00:00Z' },
    })
    expect(screen.getByText(failure).closest('[role="status"]')).not.toBeNull()
    expect([getLinkHref('Try Again'), getLinkHref(/^FAQ/)]).toEqual([
      '/services/a/port/',
      'https://fantail.example/faq',
    ])
    await user.click(getDashboardButton('Close'))
    await waitFor(() => expect(screen.queryByText(failure)).toBeNull())
    expect(findCalls(api, acknowledge).map(({ body }) => body)).toEqual([{}])
    expect(link('Request Number Transfer')).toBeTruthy()
  })

  test('the banner for a failed number transfer shows the number, and the reason if it is known', async () => {
    await openService(
      withPort(4, null, { reason: 'no_reply', reason_text: 'We didn’t get your ‘Yes’ within 2 hours.' }),
    )
    const banner = () => screen.getByText(failure).closest('[role="status"]')?.textContent
    expect(banner()).toMatch(/^027 555 0111 didn’t moveWe didn’t get your ‘Yes’ within 2 hours\.Sorry, your request/)
    cleanup()
    await openService(withPort(4))
    expect(banner()).toMatch(/^027 555 0111 didn’t moveSorry, your request/)
  })

  test('the banner for a cancelled number transfer gives the reason and does not apologise', async () => {
    const reason_text = 'The transfer was cancelled, and the number is still with Spark.'
    await openService(withPort(4, null, { reason: 'cancelled', reason_text }))
    expect(screen.queryByText(failure)).toBeNull()
    const banner = screen.getByText(reason_text).closest('[role="status"]')
    expect(banner?.textContent).toMatch(/^027 555 0111 didn’t moveThe transfer was cancelled,.*Try Again/)
  })

  test('the banner for a failed transfer stays and shows an error if the request to close it fails', async () => {
    await openService(withPort(4), usageSummary(), { [acknowledge]: new ApiError(0, undefined) })
    await user.click(getDashboardButton('Close'))
    expect(await screen.findByText(formMessages.noAnswer)).toBeTruthy()
    expect(screen.getByText(failure)).toBeTruthy()
  })

  test.each([
    [4, '2026-11-21T00:00:00Z'],
    [3, null],
  ] as const)(
    'shows no banner for a number transfer with status %i, acknowledged at %s',
    async (status, acknowledged) => {
      await openService(withPort(status, acknowledged))
      expect(main()).not.toMatch(/Sorry|moving/)
    },
  )
})

describe('polling a number transfer’s status', () => {
  const under = dashboardService('a', {
    porting_request: portingRequestView({ status: 2 }),
  })

  test('a number transfer’s status is polled every 10 seconds until the transfer has completed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const api = await openService(under)
      const pass = (milliseconds: number) => act(async () => void (await vi.advanceTimersByTimeAsync(milliseconds)))
      await pass(9_000)
      expect(findCalls(api, list)).toHaveLength(1)
      await pass(1_000)
      expect(findCalls(api, list)).toHaveLength(2)
      api.replies[list] = servicesByUuid(
        dashboardService('a', {
          phone_number: '027 555 0111',
          porting_request: portingRequestView({ status: 3 }),
        }),
      )
      await pass(10_000)
      expect(main()).toContain('027 555 0111')
      expect(main()).not.toContain('moving')
      await pass(60_000)
      expect(findCalls(api, list)).toHaveLength(3)
    } finally {
      vi.useRealTimers()
    }
  })

  test('the service page does not poll for updates when there is no number transfer', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const api = await openService(first)
      await act(async () => void (await vi.advanceTimersByTimeAsync(60_000)))
      expect(findCalls(api, list)).toHaveLength(1)
    } finally {
      vi.useRealTimers()
    }
  })
})
