import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { testColours } from '#quality/support/test-brand-assets.ts'
import { readPdfColours, readPdf } from '#quality/support/pdf-text.ts'
import type { Invoice } from './invoices.contract.ts'
import { createInvoicePdf } from './server/invoice-pdf.ts'

const product = { product_type: 1, length: 30, sku: 'P30', data_gb: 5, voice_mins: 0, txt_sms: 0 } as const

const anInvoice = (changes: Partial<Invoice> = {}): Invoice => ({
  // In New Zealand, this instant is 1.30 am the next day.
  created: '2026-11-20T12:30:00.000Z',
  email: 'hemi@example.nz',
  full_name: 'Hēmi Kōwhai',
  line_items: [{ title: '5 GB Prepay Plan', quantity: 1, unit_price: '22.00', subtotal: '22.00', product }],
  order_code: 'FT0123456789',
  phone_number: '021 555 0142',
  paid_with: 'Visa ending 1111',
  auto: true,
  tax: '2.87',
  total_price: '22.00',
  currency: 'NZD',
  document_type: 'invoice',
  refund_ref: null,
  partial: false,
  issuer: {
    name: 'Fantail Mobile Limited',
    tax_label: 'GST number',
    tax_number: '49-091-850',
    address: '1 Queen Street, Auckland 1010, New Zealand',
  },
  pdf_url: '/documents/1/FT0123456789.pdf',
  ...changes,
})

const aCredit = (changes: Partial<Invoice> = {}): Invoice =>
  anInvoice({
    document_type: 'credit',
    order_code: 'CN0123456789',
    refund_ref: 'FT0123456789',
    line_items: [{ title: '5 GB Prepay Plan', quantity: 1, unit_price: '-22.00', subtotal: '-22.00', product }],
    tax: '-2.87',
    total_price: '-22.00',
    ...changes,
  })

const look = { brandName: 'Fantail Mobile', colours: testColours, zone: 'Pacific/Auckland' }
const read = async (invoice: Invoice) => readPdf(await createInvoicePdf(invoice, look))

const australian: Partial<Invoice> = {
  currency: 'AUD',
  tax: '-2.00',
  issuer: {
    name: 'Fantail Mobile Limited',
    tax_label: 'ABN',
    tax_number: '51 824 753 556',
    address: '1 George Street, Sydney NSW 2000, Australia',
  },
}

test('a New Zealand tax invoice contains all the taxable supply information required by law', async () => {
  expect(await read(anInvoice())).toEqual({
    pages: 1,
    lines: [
      'Fantail Mobile',
      'Tax Invoice',
      'From\tTo',
      'Fantail Mobile Limited\tHēmi Kōwhai',
      'GST number 49-091-850\themi@example.nz',
      '1 Queen Street, Auckland 1010, New Zealand',
      'Date\t21 Nov 2026',
      'Order number\tFT0123456789',
      'Phone number\t021 555 0142',
      'Paid with\tVisa ending 1111, by auto-renewal',
      'Description\tQuantity\tUnit price\tSubtotal',
      '5 GB Prepay Plan, 30 days\t1\t$22.00\t$22.00',
      'GST included\t$2.87',
      'Total (NZD, including GST)\t$22.00',
    ],
  })
})

test('an invoice or credit note for a plan with several data cycles shows the plan’s total data', async () => {
  const long = { ...product, length: 90, data_gb: 25 }
  const items = (price: string) => [
    { title: '25 GB Prepay Plan', quantity: 1, unit_price: price, subtotal: price, product: long },
  ]
  for (const [document, price] of [
    [anInvoice({ line_items: items('22.00') }), '$22.00'],
    [aCredit({ line_items: items('-22.00') }), '-$22.00'],
  ] as const) {
    const { lines } = await read(document)
    const at = lines.indexOf(`25 GB Prepay Plan, 90 days\t1\t${price}\t${price}`)
    expect(lines[at + 1]).toBe('75 GB in all, 25 GB at a time')
  }
})

test('an invoice PDF uses only the brand’s light-mode colours', async () => {
  const { brand, ink, 'ink-2': quiet, line } = testColours
  expect(readPdfColours(await createInvoicePdf(anInvoice(), look))).toEqual(
    new Set([brand, ink, quiet, line].map(({ light }) => light)),
  )
})

test('a credit note PDF names the refunded order and shows negative amounts', async () => {
  const { lines } = await read(aCredit())
  expect(lines).toEqual(
    expect.arrayContaining([
      'Tax Credit Note',
      'Order number\tCN0123456789',
      'Refunded to\tVisa ending 1111',
      'Refund of order\tFT0123456789',
    ]),
  )
  expect(lines.slice(-5)).toEqual([
    'Description\tQuantity\tUnit price\tSubtotal',
    '5 GB Prepay Plan, 30 days\t1\t-$22.00\t-$22.00',
    'GST included\t-$2.87',
    'Total (NZD, including GST)\t-$22.00',
    'Order FT0123456789 was refunded in full to the card that paid for it.',
  ])
  expect(lines).not.toContain('Adjustment note')
})

test('a partial credit note PDF states the refunded amount and the order', async () => {
  const { lines } = await read(
    aCredit({
      partial: true,
      line_items: [{ title: '5 GB Prepay Plan', quantity: 1, unit_price: '-5.00', subtotal: '-5.00', product }],
      tax: '-0.65',
      total_price: '-5.00',
    }),
  )
  expect(lines.slice(-4)).toEqual([
    '5 GB Prepay Plan, 30 days\t1\t-$5.00\t-$5.00',
    'GST included\t-$0.65',
    'Total (NZD, including GST)\t-$5.00',
    '$5.00 of order FT0123456789 was refunded to the card that paid for it.',
  ])
})

test('Australian PDFs show the ABN, and a credit note PDF is also titled “Adjustment note”', async () => {
  const { lines } = await read(aCredit(australian))
  expect(lines.slice(1, 3)).toEqual(['Tax Credit Note', 'Adjustment note'])
  expect(lines.join('\n')).toContain('ABN 51 824 753 556')
  expect(lines).toContain('Total (AUD, including GST)\t-$22.00')
  expect((await read(anInvoice(australian))).lines).not.toContain('Adjustment note')
})

test('the invoice PDF for a plan paid for with a voucher mentions the voucher and has a total of zero', async () => {
  const { lines } = await read(
    anInvoice({
      paid_with: 'Voucher',
      auto: false,
      tax: '0.00',
      total_price: '0.00',
      line_items: [{ title: '5 GB Prepay Plan', quantity: 1, unit_price: '0.00', subtotal: '0.00', product }],
    }),
  )
  expect(lines).toContain('Paid with\tVoucher')
  expect(lines.at(-1)).toBe('Total (NZD, including GST)\t$0.00')
})

describe('customers’ names in an invoice PDF', () => {
  test.each([
    'Māui Pōtiki',
    'Ēhua Ūpoko Īhaka',
    'ʻOfa Faʻasavalu',
    'Sione Fa’asavalu',
    'Łukasz Nguyễn Thị',
    'Ольга Ελένη',
  ])('an invoice PDF spells the name %s correctly', async (full_name) => {
    expect((await read(anInvoice({ full_name }))).lines.join('\n')).toContain(`\t${full_name}\n`)
  })

  test.each([
    ['Devanagari', 'दीपक शर्मा कृष्णा हिमांशु'],
    ['Gurmukhi', 'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ ਢਿੱਲੋਂ'],
    ['Tamil', 'கிருஷ்ணன் லக்ஷ்மி ஸ்ரீ'],
    ['Thai', 'สมชาย น้ำฝน กิตติศักดิ์'],
    ['simplified Chinese', '张伟 刘洋'],
    ['traditional Chinese', '陳大文 劉德華'],
    ['Japanese', '山田太郎 さくら ケンジ'],
    ['Korean', '김민준 박서연'],
    ['emoji', 'Ana 👩‍👧 Rewi 😀 ❤️ 🇳🇿'],
    ['several scripts', 'Ana 陳 शर्मा 김'],
  ])('an invoice PDF spells a name in %s correctly', async (_script, full_name) => {
    expect((await read(anInvoice({ full_name }))).lines.join('\n')).toContain(`\t${full_name}\n`)
  })

  test.each([
    ['דוד כהן', 'ןהכ דוד'],
    ['דוד (דודי) כהן 12', '12 ןהכ (ידוד) דוד'],
    ['דוד Cohen', 'Cohen דוד'],
    ['Ana כהן לוי Rewi', 'Ana יול ןהכ Rewi'],
    ['محمد علی', 'یلع دمحم'],
    ['علی ۱۲۳', '۱۲۳ یلع'],
  ])('an invoice PDF shows the right-to-left name %s in the right order', async (full_name, drawn) => {
    expect((await read(anInvoice({ full_name }))).lines.join('\n')).toContain(`\t${drawn}\n`)
  })

  test('an emoji sequence without a glyph of its own is drawn as separate emoji', async () => {
    const { lines } = await read(anInvoice({ full_name: 'Ana 😀\u200d🐢 Rewi' }))
    expect(lines.find((line) => line.includes('Rewi'))).toMatch(/\tAna 😀.?🐢 Rewi$/u)
  })

  test.each([
    ['Chinese', '张'.repeat(180)],
    ['Thai', 'กิตติศักดิ์'.repeat(16)],
    ['Devanagari', 'क्षत्रिय '.repeat(20).trim()],
    ['Arabic', 'محمد '.repeat(36).trim()],
    ['emoji', '👩‍👧'.repeat(60)],
  ])('a long name in %s wraps within its column, and the PDF fits on one page', async (_script, full_name) => {
    const { pages, lines } = await read(anInvoice({ full_name }))
    expect(pages).toBe(1)
    const inColumn = lines.slice(lines.indexOf('From\tTo') + 1, lines.indexOf('Date\t21 Nov 2026'))
    expect(inColumn.length).toBeGreaterThan(3)
    expect(inColumn.join('')).not.toContain('\uFFFD')
  })

  test('a name that needs two hundred font files still gives a PDF smaller than 200 kB', async () => {
    const full_name = Array.from({ length: 180 }, (_, at) => String.fromCodePoint(0x4e00 + at * 115)).join('')
    expect((await createInvoicePdf(anInvoice({ full_name }), look)).length).toBeLessThan(200_000)
  })

  test('a PDF is byte-identical whatever names were drawn before it', async () => {
    const draw = (full_name: string) => createInvoicePdf(anInvoice({ full_name }), look)
    const first = await draw('कि 陳 محمد')
    for (const name of ['क की', '陈陳', 'محمود']) await draw(name)
    expect(first.equals(await draw('कि 陳 محمد'))).toBe(true)
  })

  test('a letter can be copied from a PDF after it was drawn with an accent in another PDF', async () => {
    await createInvoicePdf(anInvoice({ full_name: 'Ĵ' }), look)
    expect((await read(anInvoice({ full_name: 'Jo' }))).lines).toContain('Fantail Mobile Limited\tJo')
  })

  test('no text makes drawing fail, and characters without a font print as boxes', async () => {
    const scripts = [
      0x00, 0x0590, 0x0600, 0x0900, 0x0a00, 0x0b80, 0x0e00, 0x1200, 0x2000, 0x2600, 0x4e00, 0xac00, 0xfe00, 0x1f300,
    ]
    const character = fc
      .tuple(fc.constantFrom(...scripts), fc.nat(0xff))
      .map(([start, offset]) => String.fromCodePoint(start + offset))
    const name = fc.array(fc.oneof(character, fc.constantFrom(' ', '\u200d', '\ud800')), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(name, async (characters) => {
        expect((await read(anInvoice({ full_name: characters.join('') }))).pages).toBe(1)
      }),
      { numRuns: 30 },
    )
    expect((await read(anInvoice({ full_name: 'ሰላም' }))).lines.join('\n')).toContain('\t\uFFFD\uFFFD\uFFFD\n')
  })

  test('long names and titles wrap onto several lines, and the invoice PDF still fits on one page', async () => {
    const full_name = `${'Tāwhiri'.repeat(4)} ${'Ngāwairongoā'.repeat(12)}`
    const email = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(50)}.nz`
    const title = 'A very long name of a plan '.repeat(12).trim()
    const { pages, lines } = await read(
      anInvoice({
        full_name,
        email,
        line_items: [{ title, quantity: 1, unit_price: '22.00', subtotal: '22.00', product }],
      }),
    )
    expect(pages).toBe(1)
    const right = lines.map((line) => line.split('\t').at(-1)).join('')
    for (const part of [...full_name.split(' '), email]) expect(right).toContain(part)
    const from = lines.findIndex((line) => line.startsWith('A very'))
    expect(lines[from]).toMatch(/\t1\t\$22\.00\t\$22\.00$/)
    const to = lines.findIndex((line) => line.startsWith('GST included'))
    expect(
      lines
        .slice(from, to)
        .map((line) => line.split('\t')[0]?.trim())
        .join(' '),
    ).toBe(`${title}, 30 days`)
  })
})

test('creating an invoice’s PDF twice gives byte-identical files smaller than 60 kB', async () => {
  const [one, other] = await Promise.all([createInvoicePdf(anInvoice(), look), createInvoicePdf(anInvoice(), look)])
  expect(one.equals(other)).toBe(true)
  expect(one.length).toBeLessThan(60_000)
})
