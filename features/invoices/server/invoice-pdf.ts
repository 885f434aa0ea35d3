import type { Colours } from '#kit/contract/brand.ts'
import { formatDate } from '#kit/contract/dates.ts'
import { formatPrice, fromWire } from '#kit/contract/money.ts'
import { makePdf, type Pdf, pdfPage } from '#kit/server/pdf.ts'
import { creditSentence, documentTitles, type Invoice, itemNote, itemTitle, saleFacts } from '../invoices.contract.ts'

const { left, right, top, width } = pdfPage
/** The right edges and widths, in points, of the columns quantity, unit price and subtotal. */
const columns = [
  { end: 347, width: 50 },
  { end: 443, width: 90 },
  { end: right, width: 90 },
] as const
const titleWidth = columns[0].end - columns[0].width - left - 12

export type Look = { brandName: string; colours: Colours; zone: string }

/**
 * Creates the PDF of a document from the API's data only. The same document always produces the same bytes.
 * @param look the brand, its colours in light mode, which suit paper, and the market's zone for the date
 */
export function invoicePdf(invoice: Invoice, { brandName, colours, zone }: Look): Promise<Buffer> {
  const title = documentTitles[invoice.document_type]
  const about = {
    title: `${title} ${invoice.order_code}`,
    author: invoice.issuer.name,
    brandName,
    lang: invoice.currency === 'AUD' ? 'en-AU' : 'en-NZ',
    at: new Date(invoice.created),
  } as const
  const inks: Inks = {
    brand: colours.brand.light,
    ink: colours.ink.light,
    quiet: colours['ink-2'].light,
    line: colours.line.light,
  }
  return makePdf(about, (pdf) => {
    drawHead(pdf, invoice, inks, { brandName, title, date: formatDate(invoice.created, zone) })
    drawLines(pdf, invoice, inks)
  })
}

type Inks = { brand: string; ink: string; quiet: string; line: string }

function drawHead(
  pdf: Pdf,
  invoice: Invoice,
  inks: Inks,
  { brandName, title, date }: { brandName: string; title: string; date: string },
): void {
  const { issuer } = invoice
  const { brand, ink, quiet } = inks
  pdf.font('bold').fontSize(15).fillColor(brand).text(brandName, left, top)
  pdf.moveDown(1.6).fontSize(24).fillColor(ink).text(title)
  // Australian law calls a credit note an adjustment note.
  if (invoice.document_type === 'credit' && issuer.tax_label === 'ABN')
    pdf.font('text').fontSize(10).fillColor(quiet).text('Adjustment note')
  pdf.y += 20

  const half = width / 2 - 12
  const y = pdf.y
  const facts: [string, string][] = [
    ['Date', date],
    ['Order number', invoice.order_code],
    ...saleFacts(invoice),
    ...(invoice.refund_ref === null ? [] : [['Refund of order', invoice.refund_ref] satisfies [string, string]]),
  ]
  const from = [issuer.name, `${issuer.tax_label} ${issuer.tax_number}`, issuer.address]
  drawBlock(pdf, inks, { x: left, y, width: half }, { label: 'From', lines: from })
  const fromEnds = pdf.y
  const to = [invoice.full_name, invoice.email]
  drawBlock(pdf, inks, { x: left + width / 2 + 12, y, width: half }, { label: 'To', lines: to })
  pdf.y = Math.max(fromEnds, pdf.y) + 22
  for (const [label, value] of facts) {
    const at = pdf.y
    pdf.font('text').fontSize(10).fillColor(quiet).text(label, left, at, { width: 110 })
    pdf
      .font('bold')
      .fillColor(ink)
      .text(value, left + 116, at, { width: width - 116 })
    pdf.moveDown(0.25)
  }
  pdf.y += 18
}

function drawBlock(
  pdf: Pdf,
  { ink, quiet }: Inks,
  place: { x: number; y: number; width: number },
  { label, lines }: { label: string; lines: string[] },
): void {
  pdf.font('text').fontSize(9).fillColor(quiet).text(label, place.x, place.y, { width: place.width })
  pdf.moveDown(0.3)
  lines.forEach((line, at) =>
    pdf
      .font(at === 0 ? 'bold' : 'text')
      .fontSize(10)
      .fillColor(ink)
      .text(line, place.x, pdf.y, { width: place.width, lineGap: 1.5 }),
  )
}

function drawLines(pdf: Pdf, invoice: Invoice, { ink, quiet, line }: Inks): void {
  drawRow(pdf, 'Description', ['Quantity', 'Unit price', 'Subtotal'], { font: 'text', size: 9, colour: quiet })
  for (const item of invoice.line_items) {
    drawRule(pdf, line)
    drawRow(pdf, itemTitle(item), [String(item.quantity), priceOf(item.unit_price), priceOf(item.subtotal)], {
      font: 'text',
      size: 10,
      colour: ink,
    })
    const more = itemNote(item)
    if (more) drawBelow(pdf, more, quiet)
  }
  drawRule(pdf, line)
  drawRow(pdf, 'GST included', ['', '', priceOf(invoice.tax)], { font: 'text', size: 10, colour: quiet })
  drawRow(pdf, `Total (${invoice.currency}, including GST)`, ['', '', priceOf(invoice.total_price)], {
    font: 'bold',
    size: 12,
    colour: ink,
  })
  drawRule(pdf, line)
  const sentence = creditSentence(invoice)
  if (sentence)
    pdf
      .font('text')
      .fontSize(9)
      .fillColor(quiet)
      .text(sentence, left, pdf.y + 8, { width })
}

type RowLook = { font: 'text' | 'bold'; size: number; colour: string }

function drawRow(
  pdf: Pdf,
  description: string,
  amounts: [string, string, string],
  { font, size, colour }: RowLook,
): void {
  const y = pdf.y + 7
  pdf.font(font).fontSize(size).fillColor(colour)
  columns.forEach((column, at) =>
    pdf.text(amounts[at] ?? '', column.end - column.width, y, {
      width: column.width,
      align: 'right',
      lineBreak: false,
    }),
  )
  pdf.text(description, left, y, { width: titleWidth })
  pdf.y += 7
}

function drawBelow(pdf: Pdf, text: string, colour: string): void {
  pdf
    .font('text')
    .fontSize(9)
    .fillColor(colour)
    .text(text, left, pdf.y - 5, { width: titleWidth })
  pdf.y += 7
}

function drawRule(pdf: Pdf, colour: string): void {
  pdf.moveTo(left, pdf.y).lineTo(right, pdf.y).lineWidth(0.75).strokeColor(colour).stroke()
}

const priceOf = (amount: string): string => formatPrice(fromWire(amount))
