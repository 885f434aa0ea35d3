import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { signedInAccount } from '#quality/support/account.ts'
import {
  dashboardService,
  servicesByUuid,
  findCalls,
  first,
  list,
  main,
  openService,
  mockScreenSize,
} from '#quality/support/dashboard.tsx'
import { createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import { alertMessages, type AlertsView } from '../alerts.contract.ts'
import { alertsLabel } from './alert.labels.ts'
import { alertPages } from './alerts.pages.ts'

const user = userEvent.setup()
beforeEach(() => void mockScreenSize('tablet'))

const read = 'GET /api/services/alerts/a/'
const save = 'POST /api/services/alerts/a/'
const alerts = (change: Partial<AlertsView> = {}): AlertsView => ({
  half: 'off',
  most: 'text',
  all: 'both',
  before_end: 'both',
  percents: { half: 50, most: 80, all: 100 },
  end_fixed: true,
  ...change,
})

async function open(replies: Record<string, Reply> = {}) {
  const api = createFakeApi({
    'GET /api/account/': signedInAccount(),
    [list]: servicesByUuid(dashboardService('a')),
    [read]: alerts(),
    ...replies,
  })
  await openPortal(alertPages, '/services/a/alerts/', api)
  return api
}

const toggle = (name: string) => screen.findByRole<HTMLInputElement>('switch', { name })
const way = (percent: number) =>
  screen.queryByRole<HTMLSelectElement>('combobox', { name: `How we alert you at ${percent}% used` })

describe('the alerts page', () => {
  test('shows a switch for each usage threshold, and a choice of channel for each threshold that is switched on', async () => {
    await open()
    expect((await toggle('50% used')).checked).toBe(false)
    expect((await toggle('80% used')).checked).toBe(true)
    expect([way(50), way(80)?.value, way(100)?.value]).toEqual([null, 'text', 'both'])
    expect(main()).toContain('by text to 021 555 0142 or by email')
  })

  test('SAVE submits all alert settings and then says that they have been saved', async () => {
    const api = await open({ [save]: alerts({ half: 'email', all: 'off' }) })
    await user.click(await toggle('50% used'))
    await user.selectOptions(way(50)!, 'By email')
    await user.click(await toggle('100% used'))
    await user.click(screen.getByRole('button', { name: 'SAVE' }))
    await screen.findByText(alertMessages.saved)
    expect(findCalls(api, save).map(({ body }) => body)).toEqual([
      { half: 'email', most: 'text', all: 'off', before_end: 'both' },
    ])
  })

  test('shows an error and keeps the customer’s choice when alert settings cannot be saved', async () => {
    await open({ [save]: () => Promise.reject(new ApiError(0, {})) })
    await user.click(await toggle('80% used'))
    await user.click(screen.getByRole('button', { name: 'SAVE' }))
    await screen.findByRole('alert')
    expect((await toggle('80% used')).checked).toBe(false)
  })

  test('while auto-renewal is off, the plan-end alert cannot be switched off and the page explains why', async () => {
    await open()
    const end = await toggle('Before my plan ends')
    await user.click(end)
    expect(end.checked).toBe(true)
    expect(end.getAttribute('aria-disabled')).toBe('true')
    expect(document.getElementById(end.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      alertMessages.endFixed,
    )
  })

  test('while auto-renewal is on, the customer can limit the plan-end alert to email', async () => {
    const api = await open({ [read]: alerts({ end_fixed: false }), [save]: alerts({ before_end: 'email' }) })
    await user.click(await toggle('Before my plan ends'))
    await user.click(screen.getByRole('button', { name: 'SAVE' }))
    await screen.findByText(alertMessages.saved)
    expect(findCalls(api, save)[0]?.body).toMatchObject({ before_end: 'email' })
  })

  test('the customer can try again when the alert settings fail to load', async () => {
    let isDown = true
    await open({ [read]: () => (isDown ? Promise.reject(new ApiError(400, {})) : alerts()) })
    const again = await screen.findByRole('button', { name: /try again/i })
    isDown = false
    await user.click(again)
    expect((await toggle('80% used')).checked).toBe(true)
  })
})

describe("the service page's row about usage alerts", () => {
  test('the service page lists the active alert thresholds and links to the alert settings', async () => {
    await openService(first, undefined, { [read]: alerts() })
    await screen.findByText('At 80% and 100% of your data')
    expect(screen.getByRole('link', { name: 'Alerts' }).getAttribute('href')).toBe('/services/a/alerts/')
  })

  test.each([
    [{}, 'At 80% and 100% of your data'],
    [{ half: 'both' }, 'At 50%, 80% and 100% of your data'],
    [{ most: 'off' }, 'At 100% of your data'],
    [{ most: 'off', all: 'off' }, 'No data alerts'],
  ] as const)('the alert settings %j are summarised as “%s”', (change, words) =>
    expect(alertsLabel(alerts(change))).toBe(words),
  )
})
