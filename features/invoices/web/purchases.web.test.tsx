import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, test } from 'vitest'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { anonymousAccount, signedInAccount, twoServices } from '#quality/support/account.ts'
import { type Call, createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import type { DocumentRow } from '../invoices.contract.ts'
import { invoicePages } from './invoices.pages.ts'

const user = userEvent.setup()
const uuid = 'uuid-+64215550142'
const path = `/services/${uuid}/invoices/`
const list = `GET /api/account/invoices/${encodeURIComponent(uuid)}/`

const purchases: DocumentRow[] = [
  {
    created: '2026-11-20T11:00:00.000Z',
    order_code: 'CNK2',
    title: '25 GB Prepay Plan',
    length: 90,
    paid_with: 'Visa ending 1111',
    auto: true,
    total_price: '-109.40',
    document_type: 'credit',
    partial: false,
    is_oldest: false,
  },
  {
    created: '2026-11-20T10:59:59.000Z',
    order_code: 'FT2',
    title: '25 GB Prepay Plan',
    length: 90,
    paid_with: 'Visa ending 1111',
    auto: true,
    total_price: '109.40',
    document_type: 'invoice',
    partial: false,
    is_oldest: false,
  },
  {
    created: '2026-10-01T20:00:00.000Z',
    order_code: 'FTA',
    title: 'Extra 2 GB',
    length: null,
    paid_with: 'Mastercard ending 4444',
    auto: false,
    total_price: '10.00',
    document_type: 'invoice',
    partial: false,
    is_oldest: false,
  },
  {
    created: '2025-09-04T20:00:00.000Z',
    order_code: 'FT1',
    title: '5 GB Prepay Plan',
    length: 30,
    paid_with: 'Voucher',
    auto: false,
    total_price: '0.00',
    document_type: 'invoice',
    partial: false,
    is_oldest: true,
  },
]

async function open(reply: Reply = purchases, replies: Record<string, Reply> = {}) {
  const api = createFakeApi({
    'GET /api/account/': signedInAccount(),
    'GET /api/services/': twoServices,
    [list]: reply,
    ...replies,
  })
  await openPortal(invoicePages, path, api)
  return api
}

const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const title = () => heading('Purchase History')
const rows = () => within(screen.getByRole('table')).getAllByRole('row')
const wayBack = () => within(screen.getByRole('navigation', { name: 'Breadcrumb' })).getByRole('link')
const pathOf = (code: string) => `${path}${code}/`

const what = (row: HTMLElement) => [...row.querySelectorAll('th > span > span')].map(({ textContent }) => textContent)

describe('the purchases table', () => {
  test('the purchase history has a row for each purchase and refund, with dates in the market’s time zone', async () => {
    await open()
    await title()
    expect(screen.getByRole('table', { name: 'Purchases and refunds, newest first' })).toBeDefined()
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Purchase',
      'Date',
      'Order #',
      'Amount Paid',
      'Document',
    ])
    expect(
      rows()
        .slice(1)
        .map((row) => [...row.children].slice(1, 4).map(({ textContent }) => textContent)),
    ).toEqual([
      ['Sat 21 Nov 2026', 'CNK2', '-$109.40'],
      ['Fri 20 Nov 2026', 'FT2', '$109.40'],
      ['Fri 02 Oct 2026', 'FTA', '$10.00'],
      ['Fri 05 Sep 2025', 'FT1', '$0.00'],
    ])
  })

  test('each row in the purchase history shows the purchase, its date, its payment method and its order number', async () => {
    await open()
    await title()
    expect(rows().slice(1).map(what)).toEqual([
      ['Refund: 25 GB Prepay Plan', 'Sat 21 Nov 2026, Visa ending 1111', 'Order # CNK2'],
      ['25 GB Prepay Plan, 90 days', 'Fri 20 Nov 2026, Visa ending 1111, by auto-renewal', 'Order # FT2'],
      ['Extra 2 GB', 'Fri 02 Oct 2026, Mastercard ending 4444', 'Order # FTA'],
      ['5 GB Prepay Plan, 30 days', 'Fri 05 Sep 2025, Voucher', 'Order # FT1'],
    ])
    expect(
      rows()
        .slice(1)
        .map((row) => row.lastElementChild?.textContent),
    ).toEqual(['-$109.40VIEW REFUND', '$109.40VIEW INVOICE', '$10.00VIEW INVOICE', '$0.00VIEW INVOICE'])
  })

  test('the purchase history distinguishes a partial refund from a full refund', async () => {
    await open([{ ...purchases[0]!, partial: true, total_price: '-10.00' }, ...purchases.slice(1)])
    await title()
    expect(what(rows()[1]!)[0]).toBe('Partial refund: 25 GB Prepay Plan')
    expect(rows()[1]!.lastElementChild?.textContent).toBe('-$10.00VIEW REFUND')
  })

  test('each link in the purchase history has its row’s header as its accessible description', async () => {
    await open()
    await title()
    const links = within(screen.getByRole('table')).getAllByRole('link')
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['VIEW REFUND', pathOf('CNK2')],
      ['VIEW INVOICE', pathOf('FT2')],
      ['VIEW INVOICE', pathOf('FTA')],
      ['VIEW INVOICE', pathOf('FT1')],
    ])
    const names = screen.getAllByRole('rowheader').map(({ textContent }) => textContent)
    expect(new Set(names).size).toBe(4)
    expect(
      links.map((link) => document.getElementById(link.getAttribute('aria-describedby') ?? '')?.textContent),
    ).toEqual(names)
  })

  test('the purchase history shows the amount paid in the last 12 months, minus refunds', async () => {
    await open()
    await title()
    expect(screen.getByText(/in the last 12 months$/).textContent).toBe('$10.00 in the last 12 months')
  })

  test('does not show an amount paid in the last 12 months if nothing was bought in that time', async () => {
    await open(purchases.slice(3))
    await title()
    expect(screen.queryByText(/12 months/)).toBeNull()
  })

  test('the purchase history shows all 200 purchases at once if the server sends them all in one response', async () => {
    await open(Array.from({ length: 200 }, (_, index) => ({ ...purchases[1]!, order_code: `FT${index}` })))
    await title()
    expect(rows()).toHaveLength(201)
  })
})

describe('opening an invoice from its row in the purchases table', () => {
  const second = () => rows()[2]!
  const cell = (text: string) => within(second()).getAllByText(text).at(-1)!
  afterEach(() => window.getSelection()?.removeAllRanges())

  test.each(['25 GB Prepay Plan, 90 days', 'Fri 20 Nov 2026', 'FT2'])(
    'clicking “%s” in the purchase history opens that row’s invoice',
    async (text) => {
      await open()
      await title()
      await user.click(cell(text))
      expect(location.pathname).toBe(pathOf('FT2'))
    },
  )

  test('pressing Enter on the link in a purchase’s row opens the invoice only once', async () => {
    await open()
    await title()
    const before = history.length
    expect(second().hasAttribute('tabindex')).toBe(false)
    within(second()).getByRole('link').focus()
    await user.keyboard('{Enter}')
    expect(location.pathname).toBe(pathOf('FT2'))
    expect(history.length).toBe(before + 1)
  })

  test('clicking a purchase’s row does not open the invoice if text in the row is selected', async () => {
    await open()
    await title()
    window.getSelection()?.selectAllChildren(cell('FT2'))
    fireEvent.click(cell('FT2'))
    expect(location.pathname).toBe(path)
  })

  test.each(['ctrlKey', 'metaKey', 'shiftKey', 'altKey'])(
    'clicking a purchase’s row while the modifier %s is pressed does not open the invoice',
    async (held) => {
      await open()
      await title()
      fireEvent.click(cell('FT2'), { [held]: true })
      expect(location.pathname).toBe(path)
    },
  )
})

describe('purchase histories longer than one page', () => {
  const page = (from: number, count: number, { isEnd = false } = {}): DocumentRow[] =>
    Array.from({ length: count }, (_, at) => ({
      ...purchases[1]!,
      order_code: `FT${from + at}`,
      is_oldest: isEnd && at === count - 1,
    }))
  const showMore = () => screen.queryByRole('link', { name: 'Show more' })
  const pages = ({ query }: Call) =>
    (query as { before?: string } | undefined)?.before === 'FT102' ? page(103, 2, { isEnd: true }) : page(100, 3)

  test('“Show more” adds older purchases, moves the focus to the first new one, and disappears once the list is complete', async () => {
    const api = await open(pages)
    await title()
    expect(rows()).toHaveLength(4)
    expect(showMore()?.getAttribute('href')).toBe(`${path}?before=FT102`)
    await user.click(showMore()!)
    await expect.poll(() => rows()).toHaveLength(6)
    expect(api.calls.filter(({ at }) => at === list).at(-1)?.query).toEqual({ before: 'FT102' })
    await expect.poll(() => document.activeElement).toBe(within(rows()[4]!).getByRole('link'))
    expect(showMore()).toBeNull()
    expect(location.search).toBe('')
  })

  test('“Show more” says that purchases are loading; if that fails, the existing rows stay and the customer can try again', async () => {
    const api = await open(pages)
    await title()
    const answer = Promise.withResolvers<DocumentRow[]>()
    api.replies[list] = answer.promise
    await user.click(showMore()!)
    expect(screen.getByRole('link', { name: 'Loading…' }).getAttribute('aria-busy')).toBe('true')
    answer.reject(new ApiError(500, undefined))
    await expect.poll(() => screen.getByRole('alert').textContent).toBe(formMessages.server)
    expect(rows()).toHaveLength(4)
    api.replies[list] = pages
    await user.click(showMore()!)
    await expect.poll(() => rows()).toHaveLength(6)
    expect(screen.getByRole('alert').textContent).toBe('')
  })

  test('treats a response without `is_oldest`, as the previous version sent it, as the whole purchase history', async () => {
    await open(purchases.map(({ is_oldest: _, ...row }) => row))
    await title()
    expect(rows()).toHaveLength(5)
    expect(showMore()).toBeNull()
    expect(screen.getByText(/in the last 12 months$/).textContent).toBe('$10.00 in the last 12 months')
  })

  test('does not show an amount paid in the last 12 months if the first page of purchases does not go back that far', async () => {
    await open(pages)
    await title()
    expect(screen.queryByText(/in the last 12 months/)).toBeNull()
  })

  test('each page of older purchases has its own URL, and links to the newest purchases', async () => {
    const api = createFakeApi({
      'GET /api/account/': signedInAccount(),
      'GET /api/services/': twoServices,
      [list]: pages,
    })
    await openPortal(invoicePages, `${path}?before=FT102`, api)
    await title()
    expect(rows()).toHaveLength(3)
    expect(screen.getByRole('link', { name: 'Show the latest purchases' }).getAttribute('href')).toBe(path)
  })
})

describe('the purchase history’s back link', () => {
  test('the purchase history links back to the service', async () => {
    await open()
    await title()
    expect([wayBack().textContent, wayBack().getAttribute('href')]).toEqual(['021 555 0142', `/services/${uuid}/`])
  })

  test('a released service’s purchase history links back to the account’s numbers', async () => {
    await open(purchases, { 'GET /api/services/': {} })
    await title()
    expect([wayBack().textContent, wayBack().getAttribute('href')]).toEqual(['Purchases', '/account/purchases/'])
    expect(rows()).toHaveLength(5)
  })

  test('the purchase history links back to the service even if the service’s number fails to load', async () => {
    await open(purchases, { 'GET /api/services/': new ApiError(500, undefined) })
    await title()
    expect([wayBack().textContent, wayBack().getAttribute('href')]).toEqual([
      'Back to your service',
      `/services/${uuid}/`,
    ])
  })
})

test('the purchase history tells the customer if nothing has been bought for a number yet', async () => {
  await open([])
  await title()
  expect(
    screen.getByText(
      'You haven’t bought anything for this number yet. Invoices for its plans and Add-Ons will appear here.',
    ),
  ).toBeDefined()
  expect(screen.queryByRole('table')).toBeNull()
})

test.each([
  [500, formMessages.server],
  [0, formMessages.noAnswer],
  [429, formMessages.tooMany],
])(
  'shows an error when the purchase history fails to load with status %i, and Try Again reloads it',
  async (status, why) => {
    const api = await open(new ApiError(status, undefined))
    await title()
    expect(screen.getByRole('alert').textContent).toContain(`Your purchases can’t be loaded right now.${why}`)
    expect(wayBack().textContent).toBe('021 555 0142')
    const answer = Promise.withResolvers<DocumentRow[]>()
    api.replies[list] = answer.promise
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(screen.getByText('Loading')).toBeDefined()
    await expect.poll(() => document.activeElement).toBe(screen.getByRole('main'))
    answer.resolve(purchases)
    await screen.findByRole('table')
    expect(screen.queryByText('Loading')).toBeNull()
  },
)

test('the purchase history URL of a service that the customer never had shows the not-found page', async () => {
  await open(new ApiError(404, { code: 'Not found.' }))
  expect(await heading('Unfortunately we could not find what you were looking for')).toBeDefined()
  await expect.poll(() => document.title).toBe('Not Found · Fantail Mobile')
  expect(screen.queryByRole('table')).toBeNull()
})

test('the purchase history redirects a visitor who is not signed in to the login page', async () => {
  await open(new ApiError(401, {}), { 'GET /api/account/': anonymousAccount })
  await expect.poll(() => location.pathname + location.search).toBe(`/login/?next=${encodeURIComponent(path)}`)
})

test('the purchase history redirects a customer with an unverified email address to the verification page', async () => {
  await open(new ApiError(403, {}), { 'GET /api/account/': signedInAccount({ email_verified: false }) })
  await expect.poll(() => location.pathname).toBe('/verify/')
})
