import type { Colours } from '#kit/contract/brand.ts'
import { formatDate } from '#kit/contract/dates.ts'
import { formatPrice, decimalToCents } from '#kit/contract/money.ts'
import { makePdf, pdfPage } from '#kit/server/pdf.ts'
import { drawText, type Pdf, type TextStyle } from '#kit/server/pdf-text.ts'
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
    text: JSON.stringify([invoice, brandName]),
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
  drawText(pdf, brandName, { x: left, y: top, width }, { font: 'bold', size: 15, colour: brand })
  pdf.moveDown(1.6)
  drawText(pdf, title, { x: left, width }, { font: 'bold', size: 24, colour: ink })
  // Australian law calls a credit note an adjustment note.
  if (invoice.document_type === 'credit' && issuer.tax_label === 'ABN')
    drawText(pdf, 'Adjustment note', { x: left, width }, { font: 'text', size: 10, colour: quiet })
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
    const y = pdf.y
    drawText(pdf, label, { x: left, y, width: 110 }, { font: 'text', size: 10, colour: quiet })
    drawText(pdf, value, { x: left + 116, y, width: width - 116 }, { font: 'bold', size: 10, colour: ink })
    pdf.moveDown(0.25)
  }
  pdf.y += 18
}

function drawTextBlock(
  pdf: Pdf,
  { ink, quiet }: PdfColours,
  { x, y, width }: { x: number; y: number; width: number },
  { label, lines }: { label: string; lines: string[] },
): void {
  drawText(pdf, label, { x, y, width }, { font: 'text', size: 9, colour: quiet })
  pdf.moveDown(0.3)
  lines.forEach((line, at) =>
    drawText(pdf, line, { x, width }, { font: at === 0 ? 'bold' : 'text', size: 10, colour: ink, lineGap: 1.5 }),
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
  if (creditText) drawText(pdf, creditText, { x: left, y: pdf.y + 8, width }, { font: 'text', size: 9, colour: quiet })
}

function drawTableRow(pdf: Pdf, description: string, amounts: [string, string, string], style: TextStyle): void {
  const y = pdf.y + 7
  amountColumns.forEach((column, at) =>
    drawText(pdf, amounts[at] ?? '', { x: column.end - column.width, y, width: column.width, align: 'right' }, style),
  )
  drawText(pdf, description, { x: left, y, width: titleWidth }, style)
  pdf.y += 7
}

function drawNote(pdf: Pdf, text: string, colour: string): void {
  drawText(pdf, text, { x: left, y: pdf.y - 5, width: titleWidth }, { font: 'text', size: 9, colour })
  pdf.y += 7
}

function drawHorizontalLine(pdf: Pdf, colour: string): void {
  pdf.moveTo(left, pdf.y).lineTo(right, pdf.y).lineWidth(0.75).strokeColor(colour).stroke()
}

const formatWirePrice = (amount: string): string => formatPrice(decimalToCents(amount))
