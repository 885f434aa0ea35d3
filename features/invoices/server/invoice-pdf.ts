import type { Colours } from '#kit/contract/brand.ts'
import { formatDate } from '#kit/contract/dates.ts'
import { formatPrice, decimalToCents } from '#kit/contract/money.ts'
import { makePdf, type Pdf, pdfPage } from '#kit/server/pdf.ts'
import {
  describeCreditNote,
  documentTitles,
  type Invoice,
  itemNote,
  itemTitle,
  saleDetailRows,
} from '../invoices.contract.ts'

const { left, right, top, width } = pdfPage
/** Right edges and widths, in points, for the columns quantity, unit price and subtotal. */
const amountColumns = [
  { end: 347, width: 50 },
  { end: 443, width: 90 },
  { end: right, width: 90 },
] as const
const titleWidth = amountColumns[0].end - amountColumns[0].width - left - 12

export type PdfStyle = { brandName: string; colours: Colours; zone: string }

/**
 * Creates a document's PDF using only the data in the API response. The same document always produces the same bytes.
 * @param style the brand's name, its colours (the PDF uses the light-mode ones), and the market's time zone for the date
 */
export function createInvoicePdf(invoice: Invoice, { brandName, colours, zone }: PdfStyle): Promise<Buffer> {
  const title = documentTitles[invoice.document_type]
  const metadata = {
    title: `${title} ${invoice.order_code}`,
    author: invoice.issuer.name,
    brandName,
    lang: invoice.currency === 'AUD' ? 'en-AU' : 'en-NZ',
    at: new Date(invoice.created),
  } as const
  const pdfColours: PdfColours = {
    brand: colours.brand.light,
    ink: colours.ink.light,
    quiet: colours['ink-2'].light,
    line: colours.line.light,
  }
  return makePdf(metadata, (pdf) => {
    drawHeader(pdf, invoice, pdfColours, { brandName, title, date: formatDate(invoice.created, zone) })
    drawLineItems(pdf, invoice, pdfColours)
  })
}

type PdfColours = { brand: string; ink: string; quiet: string; line: string }

function drawHeader(
  pdf: Pdf,
  invoice: Invoice,
  inks: PdfColours,
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

  const halfWidth = width / 2 - 12
  const y = pdf.y
  const detailRows: [string, string][] = [
    ['Date', date],
    ['Order number', invoice.order_code],
    ...saleDetailRows(invoice),
    ...(invoice.refund_ref === null ? [] : [['Refund of order', invoice.refund_ref] satisfies [string, string]]),
  ]
  const issuerLines = [issuer.name, `${issuer.tax_label} ${issuer.tax_number}`, issuer.address]
  drawTextBlock(pdf, inks, { x: left, y, width: halfWidth }, { label: 'From', lines: issuerLines })
  const issuerEndY = pdf.y
  const recipientLines = [invoice.full_name, invoice.email]
  drawTextBlock(pdf, inks, { x: left + width / 2 + 12, y, width: halfWidth }, { label: 'To', lines: recipientLines })
  pdf.y = Math.max(issuerEndY, pdf.y) + 22
  for (const [label, value] of detailRows) {
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

function drawTextBlock(
  pdf: Pdf,
  { ink, quiet }: PdfColours,
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

function drawLineItems(pdf: Pdf, invoice: Invoice, { ink, quiet, line }: PdfColours): void {
  drawTableRow(pdf, 'Description', ['Quantity', 'Unit price', 'Subtotal'], { font: 'text', size: 9, colour: quiet })
  for (const item of invoice.line_items) {
    drawHorizontalLine(pdf, line)
    drawTableRow(
      pdf,
      itemTitle(item),
      [String(item.quantity), formatWirePrice(item.unit_price), formatWirePrice(item.subtotal)],
      {
        font: 'text',
        size: 10,
        colour: ink,
      },
    )
    const itemNoteText = itemNote(item)
    if (itemNoteText) drawNote(pdf, itemNoteText, quiet)
  }
  drawHorizontalLine(pdf, line)
  drawTableRow(pdf, 'GST included', ['', '', formatWirePrice(invoice.tax)], { font: 'text', size: 10, colour: quiet })
  drawTableRow(pdf, `Total (${invoice.currency}, including GST)`, ['', '', formatWirePrice(invoice.total_price)], {
    font: 'bold',
    size: 12,
    colour: ink,
  })
  drawHorizontalLine(pdf, line)
  const creditText = describeCreditNote(invoice)
  if (creditText)
    pdf
      .font('text')
      .fontSize(9)
      .fillColor(quiet)
      .text(creditText, left, pdf.y + 8, { width })
}

type RowStyle = { font: 'text' | 'bold'; size: number; colour: string }

function drawTableRow(
  pdf: Pdf,
  description: string,
  amounts: [string, string, string],
  { font, size, colour }: RowStyle,
): void {
  const y = pdf.y + 7
  pdf.font(font).fontSize(size).fillColor(colour)
  amountColumns.forEach((column, at) =>
    pdf.text(amounts[at] ?? '', column.end - column.width, y, {
      width: column.width,
      align: 'right',
      lineBreak: false,
    }),
  )
  pdf.text(description, left, y, { width: titleWidth })
  pdf.y += 7
}

function drawNote(pdf: Pdf, text: string, colour: string): void {
  pdf
    .font('text')
    .fontSize(9)
    .fillColor(colour)
    .text(text, left, pdf.y - 5, { width: titleWidth })
  pdf.y += 7
}

function drawHorizontalLine(pdf: Pdf, colour: string): void {
  pdf.moveTo(left, pdf.y).lineTo(right, pdf.y).lineWidth(0.75).strokeColor(colour).stroke()
}

const formatWirePrice = (amount: string): string => formatPrice(decimalToCents(amount))
