import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { setCsrfToken } from '#kit/web/csrf.ts'
import { captureDownloads } from '#quality/support/downloaded-files.ts'
import { type Call, createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import type { Batch, BatchPage } from '../batches.contract.ts'
import { type Load, simLoadMessages, type SimLoadPage, maxSimLoadBytes } from '../sim-loads.contract.ts'
import type { Stock } from '../stock.contract.ts'
import { getPollInterval } from './stock.queries.ts'
import { stockPages } from './stock.pages.ts'

const user = userEvent.setup()
afterEach(() => vi.unstubAllGlobals())

const load = (change: Partial<Load> = {}): Load => ({
  id: 'LOAD0001',
  file_name: 'christchurch.csv',
  by: 'Hine Walker',
  created: '2026-11-24T03:03:00Z',
  ended: null,
  state: 'waiting',
  lines: 20_000,
  done: 0,
  good: 19_959,
  bad: 41,
  loaded: 0,
  left: 0,
  age_seconds: 5,
  ...change,
})
const badLine = {
  line: 9_031,
  iccid: { text: '896403000000133O442', mark: { start: 15, length: 1 } },
  number: { text: '021 555 8840', mark: null },
  why: 'The letter O is not a digit.',
}
const page = (change: Partial<Load> = {}): SimLoadPage => ({
  load: load(change),
  kinds: [
    { kind: 'iccid', title: 'Invalid ICCID', lines: 40 },
    { kind: 'puk', title: 'Invalid PUK', lines: 1 },
  ],
  bad: [badLine, { line: 11_402, iccid: null, number: null, why: 'The line is too long to describe a SIM pack.' }],
  next: '11402',
})
const batch = (change: Partial<Batch> = {}): Batch => ({
  id: 'BATCH001',
  state: 'approved',
  plan: '5 GB Prepay Plan',
  count: 2,
  expires: '2027-12-31',
  days_left: 402,
  made_by: 'Jo Tan',
  approved_by: 'Mere Ngata',
  created: '2026-11-24T03:03:00Z',
  redeemed: 0,
  held: 0,
  unused: 0,
  ...change,
})
const batchPage = (change: Partial<Batch> = {}): BatchPage => ({
  batch: batch(change),
  worth: '44.00',
  reason: 'For shops',
  note: '',
  words: null,
  deciders: [],
  is_own: true,
  left_seconds: 80_000,
})
const stock = (change: Partial<Stock> = {}): Stock => ({
  sims: { unused: 4_120, used: 2_746, days: 21 },
  vouchers: [{ plan: '5 GB Prepay Plan', unused: 9_000, used: 100, days: 1_260 }],
  loads: [load()],
  batches: [batch({ state: 'complete', days_left: 6, unused: 310, count: 5_000 })],
  plans: [{ id: 'plan-30-5gb', title: '5 GB Prepay Plan', price: '22.00', hidden: false }],
  ...change,
})

async function open(
  path: string,
  replies: Record<string, Reply>,
  title: string | RegExp,
  roles = ['admin', 'support'],
) {
  const staff = { id: 'Jo', name: 'Jo Tan', email: 'jo@fantail.example', roles, is_lead: false, passkeys: 2 }
  const api = createFakeApi({ 'GET /api/desk/me/': { staff, demo: [] }, ...replies })
  await openPortal(stockPages, path, api)
  await screen.findByRole('heading', { name: title, level: 1 })
  return api
}
const sent = (api: { calls: Call[] }, at: string) => api.calls.filter((call) => call.at === at).map(({ body }) => body)

test('the stock page shows how many days the SIM packs will last, and recent uploads and voucher batches', async () => {
  await open('/stock/', { 'GET /api/desk/stock/': stock() }, 'Stock')
  expect(await screen.findByText(/4,120 SIM packs left, enough for 21 days \(/)).toBeTruthy()
  expect(screen.getByText('5 GB Prepay Plan', { selector: 'dt' }).textContent).toBe(
    '5 GB Prepay Planenough for over a year',
  )
  expect(screen.getByRole('link', { name: 'christchurch.csv' }).getAttribute('href')).toBe('/stock/loads/LOAD0001/')
  expect(within(screen.getByRole('row', { name: /BATCH001/ })).getByText('6 days left')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Load SIM packs' })).toBeTruthy()
})

test('the stock page says so if there are no uploads or vouchers, and hides controls from staff who may not change stock', async () => {
  const none = stock({ sims: { unused: 1, used: 0, days: null }, vouchers: [], loads: [], batches: [] })
  await open('/stock/', { 'GET /api/desk/stock/': none }, 'Stock', ['finance'])
  expect(await screen.findByText(/1 SIM pack left\. None were used in the last 14 days/)).toBeTruthy()
  for (const words of ['No file has been loaded yet.', 'No vouchers have been made yet.', 'No usable vouchers.'])
    expect(screen.getByText(words)).toBeTruthy()
  expect(screen.queryByRole('link', { name: /Load SIM packs|Make vouchers/ })).toBeNull()
  expect(screen.queryByLabelText('Voucher code or ICCID')).toBeNull()
})

test('the stock page can be loaded again after an error', async () => {
  const api = await open('/stock/', { 'GET /api/desk/stock/': new ApiError(503, { code: 'Later.' }) }, 'Stock')
  expect(await screen.findByText('We couldn’t load the stock.')).toBeTruthy()
  api.replies['GET /api/desk/stock/'] = stock()
  await user.click(screen.getByRole('button', { name: /again/i }))
  expect(await screen.findByText('christchurch.csv')).toBeTruthy()
})

test('a voucher is found by its code, and the search field is cleared afterwards', async () => {
  const found = {
    of: 'voucher',
    state: 'redeemed',
    plan: '5 GB Prepay Plan',
    expires: null,
    at: '2026-11-20T05:02:00Z',
    order: { code: 'FTK2M07WPD4X', path: '/orders/FTK2M07WPD4X/' },
    from: { id: 'BATCH001', path: '/stock/batches/BATCH001/' },
  }
  const api = await open('/stock/', { 'GET /api/desk/stock/': stock(), 'POST /api/desk/stock/find/': found }, 'Stock')
  const field = await screen.findByLabelText('Voucher code or ICCID')
  await user.type(field, '7Q2M7Q2M7Q2M{Enter}')
  expect(await screen.findByRole('link', { name: 'FTK2M07WPD4X' })).toBeTruthy()
  expect((field as HTMLInputElement).value).toBe('')
  api.replies['POST /api/desk/stock/find/'] = new ApiError(404, { text: ['No voucher or SIM pack found.'] })
  await user.type(field, 'NOSUCHCODE12{Enter}')
  expect(await screen.findByText('No voucher or SIM pack found.')).toBeTruthy()
})

const loadPath = 'GET /api/desk/stock/loads/LOAD0001/'
const decidePath = 'POST /api/desk/stock/loads/LOAD0001/decide/'

test('a checked file of SIM packs shows its bad lines with the errors marked, and is loaded after confirmation', async () => {
  const api = await open('/stock/loads/LOAD0001/', { [loadPath]: page() }, 'christchurch.csv')
  const row = within(screen.getByRole('row', { name: /9,031/ }))
  expect(row.getByText('O').tagName).toBe('MARK')
  expect(screen.getByRole('link', { name: /Download bad lines/ }).getAttribute('href')).toBe(
    '/api/desk/stock/loads/LOAD0001/bad-lines/',
  )
  await user.click(screen.getByRole('radio', { name: /Invalid PUK/ }))
  await waitFor(() => expect(api.calls.at(-1)?.query).toEqual({ kind: 'puk' }))
  api.replies[decidePath] = new ApiError(409, { __all__: ['Someone else already made a decision on this file.'] })
  await user.click(screen.getByRole('button', { name: 'Load the 19,959 good lines' }))
  expect(await screen.findByText('Someone else already made a decision on this file.')).toBeTruthy()
  api.replies[decidePath] = {}
  api.replies[loadPath] = page({ state: 'loading', done: 5_000 })
  await user.click(screen.getByRole('button', { name: 'Load the 19,959 good lines' }))
  expect(await screen.findByText(/The file is being loaded/)).toBeTruthy()
  expect(sent(api, decidePath).at(-1)).toEqual({ decision: 'good' })
  expect(screen.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('5,000 of 20,000 lines')
  api.replies[loadPath] = page({ state: 'loaded', loaded: 19_959, left: 19_959 })
  expect(await screen.findByText(/19,959 SIM packs are on sale/, {}, { timeout: 3_000 })).toBeTruthy()
  expect(screen.queryByRole('progressbar')).toBeNull()
})

test('a checked file of SIM packs can be declined as a whole', async () => {
  const api = await open('/stock/loads/LOAD0001/', { [loadPath]: page(), [decidePath]: {} }, 'christchurch.csv')
  api.replies[loadPath] = page({ state: 'refused' })
  await user.click(screen.getByRole('button', { name: 'Load nothing' }))
  expect(await screen.findByText(/Nothing was loaded. You can upload the file again./)).toBeTruthy()
  expect(sent(api, decidePath)).toEqual([{ decision: 'none' }])
})

test('the page for a file of SIM packs says so if the same file has been uploaded before', async () => {
  await open('/stock/loads/LOAD0001/?known=1', { [loadPath]: page({ state: 'loaded' }) }, 'christchurch.csv')
  expect(screen.getByText(/This same file was uploaded before. It is already loaded/)).toBeTruthy()
})

test('a SIM pack upload is polled less often the longer its check takes, and least often once it awaits a decision', () => {
  const paces = [5, 60, 600].map((age_seconds) => getPollInterval(load({ state: 'checking', age_seconds })))
  expect(paces).toEqual(paces.toSorted((one, other) => one - other))
  expect(getPollInterval(load())).toBeGreaterThan(paces.at(-1)!)
})

function answerUploads(
  status: number,
  body: object,
  token: string | null = null,
): { sent: { url: string; file: File }[] } {
  const seen: { url: string; file: File }[] = []
  class FakeRequest extends EventTarget {
    upload = new EventTarget()
    status = status
    responseText = JSON.stringify(body)
    url = ''
    open(_method: string, url: string) {
      this.url = url
    }
    setRequestHeader(name: string, value: string) {
      if (name === 'x-csrftoken' && token !== null && value !== token) this.status = 403
    }
    getResponseHeader = (name: string) => (name === 'x-csrftoken' && this.status === 403 ? token : null)
    send(file: File) {
      seen.push({ url: this.url, file })
      this.dispatchEvent(new Event('load'))
    }
  }
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  return { sent: seen }
}

test('uploading a file of SIM packs opens the upload’s page', async () => {
  const uploads = answerUploads(200, { id: 'LOAD0001', known: false })
  await open('/stock/loads/new/', { [loadPath]: page() }, 'Load SIM packs')
  await user.click(screen.getByRole('button', { name: 'Upload and check' }))
  expect(await screen.findByText('Please choose a CSV file of SIM packs.')).toBeTruthy()
  await user.upload(
    screen.getByLabelText('CSV file'),
    new File(['iccid,msisdn\n'], 'christchurch.csv', { type: 'text/csv' }),
  )
  await user.click(screen.getByRole('button', { name: 'Upload and check' }))
  expect(await screen.findByRole('heading', { name: 'christchurch.csv', level: 1 })).toBeTruthy()
  expect(uploads.sent.map(({ url, file }) => [url, file.name])).toEqual([
    ['/api/desk/stock/loads/?name=christchurch.csv', 'christchurch.csv'],
  ])
})

test('an upload is repeated with the new CSRF token if a different tab has replaced the session', async () => {
  const uploads = answerUploads(200, { id: 'LOAD0001', known: false }, 'tok-2')
  setCsrfToken('tok-1')
  await open('/stock/loads/new/', { [loadPath]: page() }, 'Load SIM packs')
  await user.upload(screen.getByLabelText('CSV file'), new File(['x'], 'christchurch.csv', { type: 'text/csv' }))
  await user.click(screen.getByRole('button', { name: 'Upload and check' }))
  expect(await screen.findByRole('heading', { name: 'christchurch.csv', level: 1 })).toBeTruthy()
  expect(uploads.sent).toHaveLength(2)
})

test('the server’s error about an uploaded file of SIM packs is shown', async () => {
  answerUploads(400, { __all__: ['The file has no SIM packs.'] })
  await open('/stock/loads/new/', {}, 'Load SIM packs')
  await user.upload(screen.getByLabelText('CSV file'), new File(['x'], 'x.csv', { type: 'text/csv' }))
  await user.click(screen.getByRole('button', { name: 'Upload and check' }))
  expect(await screen.findByText('The file has no SIM packs.')).toBeTruthy()
})

test('a file of SIM packs larger than 20 MB is not uploaded', async () => {
  const uploads = answerUploads(200, {})
  await open('/stock/loads/new/', {}, 'Load SIM packs')
  const file = new File(['x'], 'x.csv', { type: 'text/csv' })
  Object.defineProperty(file, 'size', { value: maxSimLoadBytes + 1 })
  await user.upload(screen.getByLabelText('CSV file'), file)
  await user.click(screen.getByRole('button', { name: 'Upload and check' }))
  expect(await screen.findByText(simLoadMessages.tooLarge)).toBeTruthy()
  expect(uploads.sent).toEqual([])
})

test('the upload page shows the server’s message if the server rejects a file as too large', async () => {
  answerUploads(413, { code: simLoadMessages.tooLarge })
  await open('/stock/loads/new/', {}, 'Load SIM packs')
  await user.upload(screen.getByLabelText('CSV file'), new File(['x'], 'x.csv', { type: 'text/csv' }))
  await user.click(screen.getByRole('button', { name: 'Upload and check' }))
  expect(await screen.findByText(simLoadMessages.tooLarge)).toBeTruthy()
})

test('the value of the requested vouchers is shown before the request is sent', async () => {
  const api = await open(
    '/stock/batches/new/',
    {
      'GET /api/desk/stock/': stock(),
      'POST /api/desk/stock/batches/': { id: 'BATCH001' },
      'GET /api/desk/stock/batches/BATCH001/': batchPage({ state: 'asked', approved_by: null }),
    },
    'Make vouchers',
  )
  await user.type(await screen.findByLabelText('Number of vouchers'), '500')
  await user.selectOptions(screen.getByLabelText('Plan'), 'plan-30-5gb')
  await user.type(screen.getByLabelText('Valid until the end of'), '2027-12-31')
  await user.selectOptions(screen.getByLabelText('Reason'), 'retail')
  expect(
    screen.getByText('500 vouchers × 5 GB Prepay Plan, valid until Fri 31 Dec 2027, worth $11,000.00.'),
  ).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Request approval' }))
  expect(await screen.findByRole('heading', { name: 'Batch BATCH001', level: 1 })).toBeTruthy()
  expect(sent(api, 'POST /api/desk/stock/batches/')).toEqual([
    expect.objectContaining({ count: '500', plan: 'plan-30-5gb', expires: '2027-12-31', reason: 'retail' }),
  ])
})

const batchPath = 'GET /api/desk/stock/batches/BATCH001/'

test('the requester downloads the voucher codes once, and confirms the download to make the vouchers valid', async () => {
  vi.stubGlobal('fetch', async () => new Response('AAAAAAAAAAAA\nBBBBBBBBBBBB\n'))
  const kept = captureDownloads()
  const api = await open('/stock/batches/BATCH001/', { [batchPath]: batchPage() }, 'Batch BATCH001')
  api.replies[batchPath] = batchPage({ state: 'making' })
  await user.click(screen.getByRole('button', { name: 'Download the codes' }))
  expect(await screen.findByText(/has 2 codes/)).toBeTruthy()
  expect(kept).toEqual(['vouchers-BATCH001.txt'])
  expect(document.body.textContent).not.toContain('AAAAAAAAAAAA')
  api.replies['POST /api/desk/stock/batches/BATCH001/arrived/'] = {}
  api.replies[batchPath] = batchPage({ state: 'complete', unused: 2 })
  await user.click(screen.getByRole('button', { name: 'I have the file' }))
  expect(await screen.findByText('2 vouchers are now valid.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Save again|Download/ })).toBeNull()
})

test('an incomplete download of voucher codes cannot be confirmed', async () => {
  vi.stubGlobal('fetch', async () => new Response('AAAAAAAAAAAA\n'))
  await open('/stock/batches/BATCH001/', { [batchPath]: batchPage() }, 'Batch BATCH001')
  await user.click(screen.getByRole('button', { name: 'Download the codes' }))
  expect(await screen.findByText(/none of the codes is valid/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'I have the file' })).toBeNull()
})

test('a voucher batch can be voided with a reason', async () => {
  const path = 'POST /api/desk/stock/batches/BATCH001/void/'
  const api = await open(
    '/stock/batches/BATCH001/',
    { [batchPath]: batchPage({ state: 'complete', unused: 2 }), [path]: {} },
    'Batch BATCH001',
  )
  await user.click(screen.getByRole('button', { name: 'Void batch' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Void batch BATCH001' }))
  await user.click(drawer.getByRole('button', { name: 'Void batch' }))
  expect(await drawer.findByText('Please enter a reason.')).toBeTruthy()
  await user.type(drawer.getByLabelText('Reason'), 'stolen from the van')
  await user.click(drawer.getByRole('button', { name: 'Void batch' }))
  expect(await screen.findByText('The unused vouchers in this batch have been voided.')).toBeTruthy()
  expect(sent(api, path)).toEqual([{ reason: 'stolen from the van' }])
})
