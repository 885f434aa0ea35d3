import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { type Call, createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import type { DeskDispute } from '../disputes.contract.ts'
import type { DisputeRow } from '../money.contract.ts'
import type { RefundRow } from '../refunds.contract.ts'
import { moneyPages } from './money.pages.ts'

const user = userEvent.setup()
const reference = 'D8836149911223344'
const path = `/api/desk/money/disputes/${reference}/`

const row: DisputeRow = {
  reference,
  order: 'FT0W3ECJ91PM',
  amount: '22.00',
  currency: 'NZD',
  reason: 'Goods not received',
  words: 'Charged back',
  tone: 'bad',
  due: '2026-11-30T03:00:00Z',
  left_seconds: 3 * 86_400,
}

const dispute: DeskDispute = {
  reference,
  order: 'FT0W3ECJ91PM',
  title: '5 GB Prepay Plan',
  customer: { id: 'a1', name: 'Ana Ta•••••' },
  amount: '22.00',
  paid: '22.00',
  currency: 'NZD',
  reason: 'Goods not received',
  state: 'charged_back',
  words: 'Charged back',
  tone: 'bad',
  told: '2026-11-24T03:00:00Z',
  due: '2026-11-30T03:00:00Z',
  left_seconds: 3 * 86_400,
  said: [],
  evidence: [
    {
      title: 'Delivered by the network',
      rows: [{ at: '2026-11-20T03:00:00Z', what: 'Add plan', said: 'Completed' }],
      none: '',
    },
    { title: 'Usage since the order', rows: [], none: 'No usage reported by the network.' },
  ],
  accept_why: null,
  contest_why: null,
  close_why: null,
  outcomes: ['won', 'lost'],
  today: '2026-11-26',
}

async function open(at: string, replies: Record<string, Reply>) {
  const staff = {
    id: 's1',
    name: 'Mere Ngata',
    email: 'm@fantail.example',
    roles: ['finance'],
    is_lead: true,
    passkeys: 1,
  }
  const api = createFakeApi({ 'GET /api/desk/me/': { staff, demo: [] }, ...replies })
  await openPortal(moneyPages, at, api)
  return api
}
const bodies = (api: { calls: Call[] }, call: string) =>
  api.calls.filter(({ at }) => at === call).map(({ body }) => body)
const choose = (drawer: ReturnType<typeof within>, value: string) =>
  user.selectOptions(drawer.getByLabelText('Reason'), value)

const lists = 'GET /api/desk/money/disputes/'

test('disputes show how much time is left until their deadline, and overdue ones are marked', async () => {
  await open('/money/', {
    [lists]: {
      disputes: [
        row,
        { ...row, reference: 'D2', left_seconds: -7_200 },
        { ...row, reference: 'D3', due: null, left_seconds: null },
      ],
      next: null,
    },
  })
  expect(await screen.findByText(/3 days left/)).toBeTruthy()
  expect(screen.getByText(/late by 2 h/).className).toMatch(/late/)
  expect(screen.getByText('no date given')).toBeTruthy()
  expect(screen.getByRole('link', { name: reference }).getAttribute('href')).toBe(`/money/disputes/${reference}/`)
  const tabs = within(screen.getByRole('navigation', { name: 'Money pages' }))
  expect(tabs.getByRole('link', { name: 'Disputes' }).getAttribute('aria-current')).toBe('page')
})

test('the disputes page reports a failed request, and says so if there are no disputes', async () => {
  const api = await open('/money/', { [lists]: new ApiError(503, {}) })
  expect(await screen.findByText('We couldn’t load the disputes.')).toBeTruthy()
  api.replies[lists] = { disputes: [], next: null }
  await user.click(screen.getByRole('button', { name: /again/i }))
  expect(await screen.findByText('No open disputes.')).toBeTruthy()
})

test('contesting a dispute requires the reference from the gateway’s website, where staff submit the evidence', async () => {
  const api = await open(`/money/disputes/${reference}/`, { [`GET ${path}`]: dispute, [`POST ${path}contest/`]: {} })
  await screen.findByRole('heading', { name: reference })
  expect(screen.getByText('No usage reported by the network.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Evidence as PDF' }).getAttribute('href')).toBe(`${path}evidence/`)
  await user.keyboard('e')
  const drawer = within(screen.getByRole('dialog', { name: 'Contest this dispute' }))
  expect(drawer.getByText(/Submit the evidence on the gateway’s site first/)).toBeTruthy()
  await user.click(drawer.getByRole('button', { name: 'Evidence submitted' }))
  expect(await drawer.findByText('Please enter the reference that the gateway’s site gave you.')).toBeTruthy()
  await user.type(drawer.getByLabelText('Reference on the gateway’s site'), 'DEF-1')
  await choose(drawer, 'used')
  await user.click(drawer.getByRole('button', { name: 'Evidence submitted' }))
  expect(await screen.findByText(/Dispute contested/)).toBeTruthy()
  expect(bodies(api, `POST ${path}contest/`)).toEqual([
    { evidence: 'DEF-1', handed_in: '2026-11-26', reason: 'used', note: '' },
  ])
})

test('accepting a dispute warns that the bank keeps the money, and shows an error if the dispute has already been closed', async () => {
  const api = await open(`/money/disputes/${reference}/`, {
    [`GET ${path}`]: dispute,
    [`POST ${path}accept/`]: new ApiError(409, { __all__: ['This dispute was already closed as won.'] }),
  })
  await user.click(await screen.findByRole('button', { name: 'Accept' }))
  const drawer = within(screen.getByRole('dialog', { name: 'Accept this dispute' }))
  expect(drawer.getByText('The bank keeps $22.00, so you can’t refund it as well')).toBeTruthy()
  await choose(drawer, 'too-small')
  await user.click(drawer.getByRole('button', { name: 'Accept dispute' }))
  expect(await drawer.findByText('This dispute was already closed as won.')).toBeTruthy()
  expect(bodies(api, `GET ${path}`)).toHaveLength(2)
})

test('once it is too late to contest a dispute, the page says so and shows no Contest button', async () => {
  const why = 'The deadline for contesting this dispute has passed.'
  await open(`/money/disputes/${reference}/`, { [`GET ${path}`]: { ...dispute, contest_why: why } })
  await screen.findByRole('button', { name: 'Accept' })
  expect(screen.queryByRole('button', { name: 'Contest' })).toBeNull()
  expect(screen.getByText(why)).toBeTruthy()
})

const refund: RefundRow = {
  id: '5f0c1f0e-0000-4000-8000-000000000009',
  order: 'FT0W3ECJ91PM',
  reference: 'FT0W3ECJ91PM-1-refund',
  amount: '5.00',
  words: 'No answer',
  tone: 'warn',
  why: 'No answer from the gateway after 2 attempts',
  created: '2026-11-24T03:00:00Z',
  age_seconds: 3_600,
  next_try: null,
  may_retry: true,
}

test('only a retryable refund has a “Try again” button, which sends the refund to the gateway again with a reason', async () => {
  const retry = `POST /api/desk/money/refunds/${refund.id}/retry/`
  const api = await open('/money/refunds/', {
    'GET /api/desk/money/refunds/': {
      refunds: [refund, { ...refund, id: 'x', order: 'FT2', may_retry: false }],
      next: null,
      today: '2026-11-26',
    },
    [retry]: {},
  })
  expect(await screen.findAllByRole('button', { name: 'Try again' })).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  const drawer = within(screen.getByRole('dialog', { name: 'Try this refund again' }))
  await choose(drawer, 'outage')
  await user.click(drawer.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('The refund was sent to the gateway again.')).toBeTruthy()
  expect(bodies(api, retry)).toEqual([{ reason: 'outage', note: '' }])
})

test('refunds can be filtered by state and day, and the download form covers what the filter shows', async () => {
  const list = 'GET /api/desk/money/refunds/'
  const arrived: RefundRow = {
    ...refund,
    words: 'Refunded',
    tone: 'good',
    why: 'Accepted by the gateway',
    may_retry: false,
  }
  const api = await open('/money/refunds/?of=received&from=2026-11-01', {
    [list]: { refunds: [arrived], next: 'place', today: '2026-11-26' },
  })
  expect(await screen.findByRole('heading', { name: 'Refunds that the gateway accepted' })).toBeTruthy()
  expect(screen.getByText('24 Nov 2026, 16:00 (60 min ago)')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Older' }).getAttribute('href')).toBe(
    '/money/refunds/?of=received&from=2026-11-01&before=place',
  )
  const filter = within(screen.getByRole('form', { name: 'Filter refunds by day' }))
  expect(filter.getByLabelText<HTMLInputElement>('From').value).toBe('2026-11-01')
  expect(filter.getByRole('link', { name: 'Clear filter' }).getAttribute('href')).toBe('/money/refunds/?of=received')
  const download = screen.getByRole<HTMLFormElement>('form', { name: 'Download refunds' })
  expect(download.getAttribute('action')).toBe('/api/desk/money/refunds/file/')
  expect(Object.fromEntries(new FormData(download))).toEqual({ of: 'received', from: '2026-11-01', to: '2026-11-26' })
  await user.click(screen.getByRole('radio', { name: 'All' }))
  expect(location.search).toBe('?of=all&from=2026-11-01')
  expect(await screen.findByRole('heading', { name: 'All refunds' })).toBeTruthy()
  expect(api.calls.filter(({ at }) => at === list).at(-1)?.query).toEqual({ of: 'all', from: '2026-11-01' })
})

test('the daily totals page says that fees are unknown, and has a plain HTML form for downloading a range of days', async () => {
  const one = { count: 2, amount: '44.00' }
  await open('/money/days/', {
    'GET /api/desk/money/days/': {
      days: [
        {
          day: '2026-11-26',
          is_today: true,
          taken: '44.00',
          given: '7.00',
          disputed: '0.00',
          activations: one,
          renewals: one,
          addons: one,
          by_card: one,
          by_voucher: 3,
        },
      ],
      next: '2026-11-26',
      currency: 'NZD',
      today: '2026-11-26',
    },
  })
  expect(await screen.findByText('Thu 26 Nov 2026, so far')).toBeTruthy()
  expect(screen.getByText(/Fees are not included/)).toBeTruthy()
  const form = screen.getByRole('form', { name: 'Download daily totals' })
  expect([form.getAttribute('action'), form.getAttribute('method')]).toEqual(['/api/desk/money/days/file/', 'get'])
  expect(screen.getByRole('link', { name: 'Older' }).getAttribute('href')).toBe('/money/days/?before=2026-11-26')
})
