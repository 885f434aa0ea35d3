import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { type Call, createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import type { DeskPort, PortRequest, PortContact, PortFigures, PortPage, PortStatusView } from '../ports.contract.ts'
import { portPages } from './ports.pages.ts'

const user = userEvent.setup()
const reference = 'a1-port-1'
const path = `/api/desk/ports/${reference}/`
const listPath = 'GET /api/desk/ports/'

const declined: PortStatusView = {
  words: 'Declined',
  tone: 'bad',
  why: 'Skinny has a different account number for this number.',
  is_late: false,
  reply_by: null,
  looked_at_from: null,
}
const contact: PortContact = {
  act: 'ask',
  text: 'Fantail: Skinny has a different account number for 027 555 0163. Log in at fantail.example',
  number: '021 555 0233',
  by_mail: true,
  why: null,
}
const answers = {
  msisdn: '027 555 0163',
  provider: 'skinny',
  billing_method: 'account',
  prepaid_sim_number: '',
  account_number: '40118277',
} as const
const asked = (change: Partial<PortRequest> = {}): PortRequest => ({
  reference,
  created: '2026-11-23T23:15:00.000Z',
  words: 'Declined',
  tone: 'bad',
  code: 'DONOR_ACCOUNT_MISMATCH',
  from: 'Skinny',
  answers,
  changed: [],
  ...change,
})
const port: DeskPort = {
  now: '2026-11-24T00:00:00.000Z',
  reference,
  number: '027 555 0163',
  from: 'Skinny',
  standing: declined,
  created: '2026-11-23T23:15:00.000Z',
  ended: '2026-11-23T23:40:00.000Z',
  seconds: 1_500,
  next_try: null,
  customer: { id: 'c1', name: 'Marama Hohepa', number: '021 555 0233' },
  order_code: 'FTX2P0ANW4G6',
  stages: [
    { words: 'Request sent', at: '2026-11-23T23:15:00.000Z', is_now: false, tone: 'good' },
    { words: 'Declined', at: '2026-11-23T23:40:00.000Z', is_now: false, tone: 'bad' },
  ],
  decline: {
    why: declined.why,
    code: 'DONOR_ACCOUNT_MISMATCH',
    ask: 'Ask the customer for the account number on their last Skinny bill.',
    field: 'account_number',
  },
  requests: [asked()],
  events: [
    { at: '2026-11-23T23:15:00.000Z', words: 'Requested', detail: '', by: null, tone: 'plain' },
    { at: '2026-11-23T23:40:00.000Z', words: 'Declined', detail: 'DONOR_ACCOUNT_MISMATCH', by: null, tone: 'bad' },
  ],
  answers,
  donors: [
    { id: 'skinny', name: 'Skinny' },
    { id: 'spark', name: 'Spark' },
  ],
  looked_at_from: '2026-11-24T19:00:00.000Z',
  owner: null,
  donor: {
    days: 90,
    moved: 71,
    declined: 29,
    called_off: 3,
    under_way: 1,
    median_seconds: 19_800,
    reasons: [
      { words: 'SIM or account number doesn’t match', code: 'DONOR_ACCOUNT_MISMATCH', times: 20 },
      { words: 'No answer in time', code: null, times: 9 },
    ],
  },
  later: null,
  contact,
  correct_why: null,
  cancel_why: 'This transfer has failed, so there is nothing to cancel.',
  for_carrier: `Number transfer ${reference}`,
}
const underWay: Partial<DeskPort> = {
  standing: {
    ...declined,
    words: 'Waiting for YES',
    tone: 'plain',
    why: 'The customer has to reply to the text from 2542 on the old SIM.',
  },
  ended: null,
  decline: null,
  contact: { ...contact, act: 'remind', text: 'Fantail: reply YES to the text from 2542' },
  correct_why: 'A transfer for this service is already in progress. Cancel it first.',
  cancel_why: null,
}

const row = {
  reference,
  number: '027 555 0163',
  from: 'Skinny',
  name: 'Marama Hohepa',
  standing: declined,
  created: '2026-11-23T02:00:00.000Z',
  seconds: 79_200,
  owner: null,
  act: 'ask' as const,
}
const page: PortPage = {
  now: '2026-11-24T00:00:00.000Z',
  rows: [row],
  next: null,
  counts: { need: 6, customer: 11, carrier: 21, failed: 43, done: 64 },
  looked_at_from: null,
}

const figures: PortFigures = {
  days: 30,
  donors: [
    { name: 'Spark', asked: 50, came: 47, median_seconds: 7_800 },
    { name: 'Skinny', asked: 100, came: 71, median_seconds: 19_800 },
    { name: 'Kogan', asked: 1, came: 0, median_seconds: null },
  ],
  failed: 186,
  reasons: [
    { words: 'Account number wrong', code: null, times: 130 },
    { words: 'Other reason', code: 'STILL_IN_CONTRACT', times: 56 },
  ],
}

const me = {
  id: 's1',
  name: 'Hine Walker',
  email: 'h@fantail.example',
  roles: ['support'],
  is_lead: false,
  passkeys: 1,
}
async function open(at: string, heading: string, replies: Record<string, Reply>) {
  const api = createFakeApi({
    'GET /api/desk/me/': { staff: me, demo: [] },
    'GET /api/desk/port-figures/': figures,
    ...replies,
  })
  await openPortal(portPages, at, api)
  await screen.findByRole('heading', { name: heading, level: 1 })
  return api
}
const openPort = (change: Partial<DeskPort> = {}, replies: Record<string, Reply> = {}) =>
  open(`/ports/${reference}/`, '027 555 0163', { [`GET ${path}`]: { ...port, ...change }, ...replies })
const bodies = (api: { calls: Call[] }, act: string) =>
  api.calls.filter(({ at }) => at === `POST ${path}${act}`).map(({ body }) => body)

test('the list of number transfers shows provider, customer, state, reason and how much time is left for a reply', async () => {
  const api = await open('/ports/', 'Ports', { [listPath]: page })
  const line = within(await screen.findByRole('row', { name: /027 555 0163/ }))
  for (const text of ['Skinny', 'Marama Hohepa', 'Declined', declined.why, '22 h'])
    expect(line.getByText(text)).toBeTruthy()
  expect(line.getByRole('link').getAttribute('href')).toBe(`/ports/${reference}/`)
  expect(screen.getByText(/A request sent now will be handled today\./)).toBeTruthy()
  api.replies[listPath] = {
    ...page,
    rows: [{ ...row, standing: { ...declined, words: 'Waiting for YES', reply_by: '2026-11-24T01:21:00.000Z' } }],
  }
  await user.click(screen.getByRole('radio', { name: /With the customer/ }))
  expect(await screen.findByText('1 h 21 min left')).toBeTruthy()
  expect(location.search).toBe('?of=customer')
})

test('an empty list of number transfers shows a message, and a list that failed to load can be loaded again', async () => {
  const api = await open('/ports/?of=carrier', 'Ports', {
    [listPath]: () => Promise.reject(new ApiError(500, undefined)),
  })
  expect(await screen.findByText('We couldn’t load the number transfers.')).toBeTruthy()
  api.replies[listPath] = { ...page, rows: [] }
  await user.click(screen.getByRole('button', { name: /again/i }))
  expect(await screen.findByText('No transfers are with the carrier.')).toBeTruthy()
})

const [tom, own] = [
  { name: 'Tom Reid', is_own: false },
  { name: 'Hine Walker', is_own: true },
]

test('a number transfer can be taken with a button or with the T key, and the list shows its owner', async () => {
  const taken = { ...row, reference: 'a2-port-1', number: '021 555 0188', owner: tom }
  const api = await open('/ports/', 'Ports', {
    [listPath]: { ...page, rows: [row, taken] },
    [`POST ${path}take/`]: {},
  })
  const line = await screen.findByRole('row', { name: /021 555 0188/ })
  expect(within(line).getByText('Tom Reid')).toBeTruthy()
  expect(within(line).queryByRole('button')).toBeNull()
  await user.keyboard('t')
  expect(bodies(api, 'take/')).toHaveLength(0)
  await user.keyboard('jt')
  await expect.poll(() => bodies(api, 'take/').length).toBe(1)
  api.replies[listPath] = { ...page, rows: [{ ...row, owner: own }] }
  await user.click(screen.getByRole('button', { name: 'Take 027 555 0163' }))
  const mine = within(await screen.findByRole('row', { name: /027 555 0163/ }))
  expect(await mine.findByText('You')).toBeTruthy()
})

test('a person who tries to take a number transfer that has already been taken is told who has it', async () => {
  const api = await openPort(
    {},
    { [`POST ${path}take/`]: new ApiError(409, { __all__: ['Tom Reid has already taken this transfer.'] }) },
  )
  api.replies[`GET ${path}`] = { ...port, owner: tom }
  await user.keyboard('t')
  expect(await screen.findByText('Tom Reid has already taken this transfer.')).toBeTruthy()
  expect(await screen.findByText(/owner: Tom Reid/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Take/ })).toBeNull()
})

test('the owner of a number transfer can hand it back, and the transfer’s page shows the old provider’s success rate', async () => {
  const api = await openPort({ owner: own }, { [`POST ${path}hand-back/`]: {} })
  const panel = within(screen.getByRole('region', { name: 'Transfers from Skinny' }))
  expect(panel.getByText('71% completed').closest('p')?.textContent).toBe(
    '71% completed: 71 of 100, half of them within 5 h 30.',
  )
  expect(panel.getByText('3 cancelled · 1 in progress')).toBeTruthy()
  expect(panel.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'SIM or account number doesn’t match DONOR_ACCOUNT_MISMATCH20',
    'No answer in time 9',
  ])
  await user.click(screen.getByRole('button', { name: 'Unassign' }))
  await expect.poll(() => bodies(api, 'hand-back/').length).toBe(1)
})

test('a declined number transfer’s page shows its stages, the reason, what to ask the customer and why it can’t be cancelled', async () => {
  await openPort()
  const stages = within(screen.getByRole('list', { name: 'Stages' })).getAllByRole('listitem')
  expect(stages.map(({ textContent }) => textContent)).toEqual(['Request sent24 Nov, 12:15', 'Declined24 Nov, 12:40'])
  expect(screen.getByText(/Ask the customer for the account number on their last Skinny bill\./)).toBeTruthy()
  expect(screen.getByText('(doesn’t match the other provider’s records)')).toBeTruthy()
  expect(screen.getByText('This transfer has failed, so there is nothing to cancel.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Cancel transfer' })).toBeNull()
  expect(screen.getByRole('link', { name: 'Marama Hohepa' }).getAttribute('href')).toBe('/customers/c1/')
  expect(screen.getByRole('link', { name: 'FTX2P0ANW4G6' })).toBeTruthy()
})

test('the page of a corrected number transfer highlights the changed detail and links to the request that replaced it', async () => {
  const next = asked({
    reference: 'a1-port-2',
    answers: { ...answers, account_number: '401182773' },
    changed: ['account_number'],
  })
  await openPort({ requests: [asked(), next], later: 'a1-port-2' })
  const mark = screen.getByText('(changed)').closest('mark')
  expect(mark?.textContent).toContain('401182773')
  expect(screen.getByRole('link', { name: 'see the next request' }).getAttribute('href')).toBe('/ports/a1-port-2/')
})

test('the form for correcting a number transfer starts with the old details, shows the changes and sends all details', async () => {
  const api = await openPort(
    {},
    { [`POST ${path}correct/`]: { reference: 'a1-port-2' }, 'GET /api/desk/ports/a1-port-2/': port },
  )
  await user.click(screen.getByRole('button', { name: 'Correct and resubmit' }))
  const drawer = within(screen.getByRole('dialog', { name: 'Correct and resubmit' }))
  const account = drawer.getByLabelText('Account number') as HTMLInputElement
  expect(account.value).toBe('40118277')
  expect(drawer.getByText('Doesn’t match what Skinny has on record.')).toBeTruthy()
  const changes = within(drawer.getByRole('region', { name: 'Changes' }))
  expect(changes.getByText('No changes. The same request is sent again.')).toBeTruthy()
  await user.type(account, '3')
  expect(changes.getByText('40118277').tagName).toBe('DEL')
  expect(changes.getByText('401182773').tagName).toBe('INS')
  const send = drawer.getByRole('button', { name: 'Send request 2' })
  await user.click(send)
  expect(bodies(api, 'correct/')).toEqual([])
  await user.selectOptions(drawer.getByLabelText('Reason'), 'Wrong details sent')
  await user.click(send)
  await expect.poll(() => location.pathname).toBe('/ports/a1-port-2/')
  expect(bodies(api, 'correct/')).toEqual([{ ...answers, account_number: '401182773', reason: 'details', note: '' }])
})

test('changing a number transfer to prepay replaces the account number field with the old SIM number field', async () => {
  const api = await openPort(
    {},
    { [`POST ${path}correct/`]: () => Promise.reject(new ApiError(409, { __all__: ['It is through.'] })) },
  )
  await user.click(screen.getByRole('button', { name: 'Correct and resubmit' }))
  const drawer = within(screen.getByRole('dialog'))
  await user.click(drawer.getByRole('radio', { name: 'Prepay' }))
  expect(drawer.queryByLabelText('Account number')).toBeNull()
  await user.type(drawer.getByLabelText('Old SIM number'), '8964050123456789012')
  await user.selectOptions(drawer.getByLabelText('Reason'), 'Wrong details sent')
  await user.click(drawer.getByRole('button', { name: 'Send request 2' }))
  expect(await drawer.findByText('It is through.')).toBeTruthy()
  expect(bodies(api, 'correct/')).toMatchObject([
    { billing_method: 'prepay', prepaid_sim_number: '8964050123456789012', account_number: '' },
  ])
  expect((drawer.getByLabelText('Old SIM number') as HTMLInputElement).value).toBe('8964050123456789012')
})

test.each([
  ['cancelled', 'Cancelled. 027 555 0163 stays with Skinny.'],
  ['undecided', 'No answer from the network yet.'],
  ['refused', 'Too late: the network can no longer cancel the transfer.'],
  ['over', 'Too late: the number has already been transferred.'],
] as const)(
  'cancelling a number transfer shows the effect first, and the outcome afterwards: %s',
  async (outcome, said) => {
    const api = await openPort(underWay, { [`POST ${path}cancel/`]: { outcome, said } })
    expect(screen.queryByRole('button', { name: 'Correct and resubmit' })).toBeNull()
    await user.keyboard('x')
    const drawer = within(screen.getByRole('dialog', { name: 'Cancel this transfer' }))
    expect(drawer.getByText('Marama Hohepa’s SIM keeps 021 555 0233')).toBeTruthy()
    await user.selectOptions(drawer.getByLabelText('Reason'), 'Customer’s request')
    await user.click(drawer.getByRole('button', { name: 'Cancel transfer' }))
    expect(await screen.findByText(said)).toBeTruthy()
    expect(bodies(api, 'cancel/')).toEqual([{ reason: 'customers-wish', note: '' }])
  },
)

const rowsOf = (label: string) =>
  within(screen.getByRole('list', { name: label }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

test('the number transfers page shows success rates by provider and the reasons for failures', async () => {
  const api = await open('/ports/', 'Ports', {
    [listPath]: page,
    'GET /api/desk/port-figures/': () => Promise.reject(new ApiError(500, undefined)),
  })
  expect(await screen.findByText('We couldn’t load the transfer statistics.')).toBeTruthy()
  api.replies['GET /api/desk/port-figures/'] = figures
  await user.click(screen.getByRole('button', { name: /again/i }))
  expect(await screen.findByRole('region', { name: 'Successful at the first request' })).toBeTruthy()
  expect(rowsOf('Successful at the first request, by provider')).toEqual([
    'Spark94%: 47 of 502 h 10',
    'Skinny71%: 71 of 1005 h 30',
    'Kogan0%: 0 of 1–',
  ])
  expect(screen.getByRole('region', { name: 'Why transfers failed' }).textContent).toContain('186 in the last 30 days')
  expect(rowsOf('Reasons for failures')).toEqual(['Account number wrong 130', 'Other reason STILL_IN_CONTRACT56'])
})

test('the number transfers page says so when there are no statistics yet', async () => {
  await open('/ports/', 'Ports', {
    [listPath]: page,
    'GET /api/desk/port-figures/': { days: 30, donors: [], failed: 0, reasons: [] },
  })
  expect(await screen.findByText('No transfers have completed or been declined yet.')).toBeTruthy()
  expect(screen.getByText('No transfers failed.')).toBeTruthy()
})

test('a customer can be reminded from the list of number transfers, and a double click sends one reminder', async () => {
  const waits = { ...row, act: 'remind' as const, standing: { ...declined, reply_by: '2026-11-24T01:21:00.000Z' } }
  const said = 'Reminder sent: a text to 021 555 0233 and an email are on the way.'
  const api = await open('/ports/?of=customer', 'Ports', {
    [listPath]: { ...page, rows: [waits] },
    [`POST ${path}remind/`]: { said },
  })
  await user.dblClick(await screen.findByRole('button', { name: 'Remind of 027 555 0163' }))
  expect(await screen.findByText(said)).toBeTruthy()
  expect(bodies(api, 'remind/')).toHaveLength(1)
})

test('pressing A sends a reminder to the customer of the selected number transfer, and shows an error if that fails', async () => {
  const waits = { ...row, act: 'remind' as const, standing: { ...declined, reply_by: '2026-11-24T01:21:00.000Z' } }
  const why = 'We contacted the customer less than 10 minutes ago. Please give them time to read the message.'
  const api = await open('/ports/?of=customer', 'Ports', {
    [listPath]: { ...page, rows: [waits] },
    [`POST ${path}remind/`]: new ApiError(409, { __all__: [why] }),
  })
  await screen.findByRole('row', { name: /027 555 0163/ })
  await user.keyboard('a')
  expect(bodies(api, 'remind/')).toEqual([])
  await user.keyboard('ja')
  expect(await screen.findByText(why)).toBeTruthy()
})

test.each([
  ['e', 'Correct and resubmit', {}],
  ['a', 'Ask the customer by text', {}],
  ['x', 'Cancel this transfer', underWay],
] as const)(
  'pressing the key %s in the list of number transfers opens a dialog on the transfer’s page: %s',
  async (key, title, change) => {
    await open('/ports/', 'Ports', { [listPath]: page, [`GET ${path}`]: { ...port, ...change } })
    await screen.findByRole('row', { name: /027 555 0163/ })
    await user.keyboard(`j${key}`)
    expect(await screen.findByRole('dialog', { name: title })).toBeTruthy()
    expect(location.pathname).toBe(`/ports/${reference}/`)
  },
)

test('the dialog for texting a customer shows the message, and sends it only with a reason', async () => {
  const said = 'Request sent: a text to 021 555 0233 and an email are on the way.'
  const api = await openPort({}, { [`POST ${path}ask/`]: { said } })
  await user.keyboard('a')
  const drawer = within(screen.getByRole('dialog', { name: 'Ask the customer by text' }))
  expect(drawer.getByText(contact.text)).toBeTruthy()
  expect(drawer.getByText('We’ll text this to Marama Hohepa on 021 555 0233, during the day')).toBeTruthy()
  const send = drawer.getByRole('button', { name: 'Ask the customer by text' })
  await user.click(send)
  expect(bodies(api, 'ask/')).toEqual([])
  await user.selectOptions(drawer.getByLabelText('Reason'), 'Wrong details sent')
  await user.click(send)
  expect(await screen.findByText(said)).toBeTruthy()
  expect(bodies(api, 'ask/')).toEqual([{ reason: 'details', note: '' }])
})

test('staff can remind a customer from a number transfer’s page, or the page says why they cannot', async () => {
  const why = 'We contacted the customer about this 3 times in the last day. Call them instead.'
  const api = await openPort(underWay, { [`POST ${path}remind/`]: { said: 'Reminded.' } })
  expect(screen.queryByRole('button', { name: /Ask the customer by text/ })).toBeNull()
  api.replies[`GET ${path}`] = { ...port, ...underWay, contact: { ...contact, act: 'remind', why } }
  await user.keyboard('a')
  expect(await screen.findByText('Reminded.')).toBeTruthy()
  expect(await screen.findByText(why)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Remind/ })).toBeNull()
  await user.keyboard('a')
  expect(bodies(api, 'remind/')).toHaveLength(1)
})

test('staff without the support role are redirected from the list of transfers to a page that says who may see it', async () => {
  const api = createFakeApi({ 'GET /api/desk/me/': { staff: { ...me, roles: ['finance'] }, demo: [] } })
  const needs = await import('./ports.loader.ts')
  const { createQueryClient } = await import('#kit/web/query/query-client.ts')
  const { meQuery } = await import('#desk/features/staff/web/me.queries.ts')
  const client = createQueryClient({ retries: 0 })
  await client.prefetchQuery(meQuery(api))
  expect(needs.redirect?.(client, { path: '/ports/', search: '' } as never)).toBe('/not-allowed/?needs=support')
})
