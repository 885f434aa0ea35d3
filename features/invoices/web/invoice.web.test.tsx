import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { anonymousAccount, signedInAccount } from '#quality/support/account.ts'
import { createFakeApi, openPortal, type Reply, testBootstrap } from '#quality/support/open-portal.tsx'
import type { Invoice } from '../invoices.contract.ts'
import { invoicePages } from './invoices.pages.ts'

const user = userEvent.setup()
const history = '/services/a/invoices/'
const read = (code: string) => `GET /api/account/invoices/a/${code}/`

const invoice: Invoice = {
  created: '2026-11-04T11:00:00.000Z',
  email: 'ana@example.nz',
  full_name: 'Ana Rewi',
  line_items: [
    {
      title: '25 GB Prepay Plan',
      quantity: 1,
      unit_price: '99.40',
      subtotal: '99.40',
      product: { product_type: 1, length: 90, sku: 'P90-25GB', data_gb: 25, voice_mins: 0, txt_sms: 0 },
    },
    {
      title: 'Extra 2 GB',
      quantity: 2,
      unit_price: '5.00',
      subtotal: '10.00',
      product: { product_type: 2, length: 30, sku: null, data_gb: 2, voice_mins: 0, txt_sms: 0 },
    },
  ],
  order_code: 'FT1',
  phone_number: '021 555 0142',
  paid_with: 'Visa ending 1111',
  auto: false,
  tax: '14.27',
  total_price: '109.40',
  currency: 'NZD',
  document_type: 'invoice',
  refund_ref: null,
  partial: false,
  issuer: {
    name: 'Fantail Mobile Limited',
    tax_label: 'GST number',
    tax_number: '49-091-850',
    address: '1 Queen Street, Auckland 1010',
  },
  pdf_url: '/documents/a/FT1.pdf',
}

const credit: Invoice = {
  ...invoice,
  line_items: [{ ...invoice.line_items[0]!, unit_price: '-99.40', subtotal: '-99.40' }],
  order_code: 'CNK2',
  tax: '-12.97',
  total_price: '-99.40',
  document_type: 'credit',
  refund_ref: 'FT1',
  pdf_url: '/documents/a/CNK2.pdf',
}

async function open(code: string, replies: Record<string, Reply> = {}, bootstrap = testBootstrap) {
  const api = createFakeApi({
    'GET /api/account/': signedInAccount(),
    [read('FT1')]: invoice,
    [read('CNK2')]: credit,
    ...replies,
  })
  await openPortal(invoicePages, `${history}${code}/`, api, bootstrap)
  return api
}

const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const paper = () => screen.getByRole('article')
const rows = () =>
  within(screen.getByRole('table', { name: 'Items' }))
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent))
const facts = () =>
  within(paper())
    .getAllByRole('term')
    .map((term) => [term.textContent, term.nextElementSibling?.textContent])

describe('the invoice page', () => {
  test('an invoice shows its title, date, customer and issuer', async () => {
    await open('FT1')
    await heading('Tax Invoice')
    expect(facts()).toEqual([
      ['Date', '05 Nov 2026'],
      ['Order #', 'FT1'],
      ['Phone number', '021 555 0142'],
      ['Paid with', 'Visa ending 1111'],
      ['GST included', '$14.27'],
      ['Total', '$109.40'],
    ])
    const party = (name: string) =>
      [...(screen.getByRole('heading', { level: 2, name }).closest('section')?.querySelectorAll('p') ?? [])].map(
        ({ textContent }) => textContent,
      )
    expect(party('From')).toEqual(['Fantail Mobile Limited', 'GST number 49-091-850', '1 Queen Street, Auckland 1010'])
    expect(party('To')).toEqual(['Ana Rewi', 'ana@example.nz'])
    expect(within(paper()).getByText('NZD, including GST')).toBeDefined()
  })

  test('an invoice has a row for each item', async () => {
    await open('FT1')
    await heading('Tax Invoice')
    expect(rows()).toEqual([
      ['Description', 'Quantity', 'Unit price', 'Subtotal'],
      ['25 GB Prepay Plan, 90 days 75 GB in all, 25 GB at a time', '1', '$99.40', '$99.40'],
      ['Extra 2 GB', '2', '$5.00', '$10.00'],
    ])
    expect(screen.getAllByRole('columnheader')).toHaveLength(4)
    expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
      '25 GB Prepay Plan, 90 days 75 GB in all, 25 GB at a time',
      'Extra 2 GB',
    ])
  })

  test('on narrow screens, each cell of an invoice item has a label', async () => {
    await open('FT1')
    await heading('Tax Invoice')
    expect(
      screen
        .getAllByRole('cell')
        .slice(0, 3)
        .map((cell) => cell.dataset['label']),
    ).toEqual(['Quantity', 'Unit price', 'Subtotal'])
  })

  test('the invoice for a plan paid for with a voucher mentions the voucher', async () => {
    await open('FT1', { [read('FT1')]: { ...invoice, paid_with: 'Voucher', total_price: '0.00', tax: '0.00' } })
    await heading('Tax Invoice')
    expect(facts().slice(3)).toEqual([
      ['Paid with', 'Voucher'],
      ['GST included', '$0.00'],
      ['Total', '$0.00'],
    ])
  })

  test('the invoice for an automatic renewal says that the plan was renewed automatically', async () => {
    await open('FT1', { [read('FT1')]: { ...invoice, auto: true } })
    await heading('Tax Invoice')
    expect(facts()).toContainEqual(['Paid with', 'Visa ending 1111, by auto-renewal'])
  })

  test('an invoice paid by card does not mention refunds, vouchers or adjustment notes', async () => {
    await open('FT1')
    await heading('Tax Invoice')
    expect(paper().textContent).not.toMatch(/refund|voucher|adjustment/i)
  })
})

describe('the credit note page', () => {
  test('a credit note shows negative amounts and links to the refunded invoice', async () => {
    await open('CNK2')
    await heading('Tax Credit Note')
    expect(rows()[1]).toEqual(['25 GB Prepay Plan, 90 days 75 GB in all, 25 GB at a time', '1', '-$99.40', '-$99.40'])
    expect(facts()).toEqual([
      ['Date', '05 Nov 2026'],
      ['Order #', 'CNK2'],
      ['Phone number', '021 555 0142'],
      ['Refunded to', 'Visa ending 1111'],
      ['Refund reference', 'FT1'],
      ['GST included', '-$12.97'],
      ['Total', '-$99.40'],
    ])
    expect(within(paper()).getByText('Order FT1 was refunded in full to the card that paid for it.')).toBeDefined()
    await user.click(within(paper()).getByRole('link', { name: 'FT1' }))
    await heading('Tax Invoice')
    expect(location.pathname).toBe(`${history}FT1/`)
  })

  test('the browser tab’s title says whether the page is a credit note or an invoice', async () => {
    await open('CNK2')
    await expect.poll(() => document.title).toBe('Tax Credit Note · Fantail Mobile')
    await user.click(within(paper()).getByRole('link', { name: 'FT1' }))
    await expect.poll(() => document.title).toBe('Tax Invoice · Fantail Mobile')
  })

  test('a credit note is also called an adjustment note in Australia', async () => {
    await open('CNK2', {}, { ...testBootstrap, market: { ...testBootstrap.market, code: 'AU' } })
    await heading('Tax Credit Note')
    expect(within(paper()).getByText('Adjustment note')).toBeDefined()
  })
})

describe('downloading and printing an invoice', () => {
  afterEach(() => vi.unstubAllGlobals())

  test('the “Download PDF” link is handled by the browser, not by the router', async () => {
    await open('FT1')
    await heading('Tax Invoice')
    const link = screen.getByRole('link', { name: 'Download PDF' })
    // This listener runs last: it records whether the router handled the click, and then prevents the navigation.
    const taken: boolean[] = []
    window.addEventListener(
      'click',
      (event) => {
        taken.push(event.defaultPrevented)
        event.preventDefault()
      },
      { once: true },
    )
    await user.click(link)
    expect(taken).toEqual([false])
    expect([link.getAttribute('href'), location.pathname]).toEqual(['/documents/a/FT1.pdf', `${history}FT1/`])
  })

  test('the Print button prints the invoice', async () => {
    const print = vi.fn<() => void>()
    vi.stubGlobal('print', print)
    await open('FT1')
    await heading('Tax Invoice')
    await user.click(screen.getByRole('button', { name: 'Print' }))
    expect(print).toHaveBeenCalledOnce()
  })
})

test('an invoice links back to the purchase history', async () => {
  await open('FT1')
  await heading('Tax Invoice')
  const link = within(screen.getByRole('navigation', { name: 'Breadcrumb' })).getByRole('link', {
    name: 'Purchase History',
  })
  expect(link.getAttribute('href')).toBe(history)
})

test.each([
  [500, formMessages.server],
  [0, formMessages.noAnswer],
  [429, formMessages.tooMany],
])('shows an error when an invoice fails to load with status %i, and Try Again reloads it', async (status, why) => {
  const api = await open('FT1', { [read('FT1')]: new ApiError(status, undefined) })
  await heading('Invoice')
  expect(screen.getByRole('alert').textContent).toContain(`Your invoice can’t be loaded right now.${why}`)
  const answer = Promise.withResolvers<Invoice>()
  api.replies[read('FT1')] = answer.promise
  await user.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByText('Loading')).toBeDefined()
  expect(screen.queryByRole('link', { name: 'Download PDF' })).toBeNull()
  answer.resolve(invoice)
  await heading('Tax Invoice')
})

test('the invoice page for another customer’s order shows the not-found page', async () => {
  await open('FT9', { [read('FT9')]: new ApiError(404, { code: 'Not found.' }) })
  await heading('Unfortunately we could not find what you were looking for')
  await expect.poll(() => document.title).toBe('Not Found · Fantail Mobile')
  expect(screen.queryByRole('article')).toBeNull()
})

test('an invoice page redirects a visitor who is not signed in to the login page', async () => {
  await open('FT1', { 'GET /api/account/': anonymousAccount, [read('FT1')]: new ApiError(401, {}) })
  await expect
    .poll(() => location.pathname + location.search)
    .toBe(`/login/?next=${encodeURIComponent(`${history}FT1/`)}`)
})
