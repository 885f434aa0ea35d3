import type { Colours } from '#kit/contract/brand.ts'
import { formatDate } from '#kit/contract/dates.ts'
import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { formatLocalDateTime } from '#kit/contract/local-date-time.ts'
import { makePdf, type Pdf, pdfPage } from '#kit/server/pdf.ts'
import type { DeskDispute } from '../disputes.contract.ts'

type PdfOptions = { brandName: string; colours: Colours; zone: string; at: Temporal.Instant }
type Palette = { ink: string; quiet: string; line: string; brand: string }

const { left, right, width } = pdfPage
const timeColumnWidth = 96
const labelColumnWidth = 120

export function createEvidencePdf(dispute: DeskDispute, { brandName, colours, zone, at }: PdfOptions): Promise<Buffer> {
  const title = `Evidence ${dispute.reference}`
  const about = {
    title,
    author: brandName,
    brandName,
    lang: dispute.currency === 'AUD' ? 'en-AU' : 'en-NZ',
    at: new Date(at.epochMilliseconds),
  } as const
  const palette: Palette = {
    brand: colours.brand.light,
    ink: colours.ink.light,
    quiet: colours['ink-2'].light,
    line: colours.line.light,
  }
  return makePdf(about, (pdf) => {
    drawHeader(pdf, dispute, palette, { brandName, day: formatDate(at, zone), zone })
    for (const { title: name, rows, none } of dispute.evidence) {
      pdf.moveDown(0.8).font('bold').fontSize(12).fillColor(palette.ink).text(name, left)
      pdf.moveDown(0.3)
      if (rows.length === 0) pdf.font('text').fontSize(9).fillColor(palette.quiet).text(none, left)
      for (const { at: when, what, said } of rows)
        drawRow(pdf, palette, [when ? formatToMinute(when, zone) : '', what, said])
    }
  })
}

function drawHeader(
  pdf: Pdf,
  dispute: DeskDispute,
  { brand, ink, quiet, line }: Palette,
  { brandName, day, zone }: { brandName: string; day: string; zone: string },
): void {
  pdf.font('bold').fontSize(15).fillColor(brand).text(brandName, left, pdfPage.top)
  pdf.moveDown(0.8).fontSize(20).fillColor(ink).text('Dispute evidence')
  pdf.moveDown(0.6)
  const [disputed, paid] = [dispute.amount, dispute.paid].map((amount) => formatPriceWithCommas(decimalToCents(amount)))
  const facts = [
    ['Dispute', dispute.reference],
    ['Amount', `${disputed} ${dispute.currency} of ${paid}`],
    ['Reason given', dispute.reason],
    ['Order', `${dispute.order}, ${dispute.title}`],
    ['Prepared', `${day} (all times in ${zone})`],
  ] as const
  for (const [name, value] of facts) {
    const y = pdf.y
    pdf.font('text').fontSize(10).fillColor(quiet).text(name, left, y, { width: timeColumnWidth })
    pdf
      .font('bold')
      .fillColor(ink)
      .text(value, left + timeColumnWidth, y, { width: width - timeColumnWidth })
    pdf.moveDown(0.2)
  }
  pdf.y += 6
  pdf.moveTo(left, pdf.y).lineTo(right, pdf.y).lineWidth(0.75).strokeColor(line).stroke()
}

function drawRow(pdf: Pdf, { ink, quiet }: Palette, [time, what, said]: [string, string, string]): void {
  const textWidth = width - timeColumnWidth - labelColumnWidth
  pdf.font('text').fontSize(9)
  const height = Math.max(
    pdf.heightOfString(said || ' ', { width: textWidth }),
    pdf.heightOfString(what, { width: labelColumnWidth - 8 }),
  )
  if (pdf.y + height > pdf.page.maxY()) pdf.addPage()
  const y = pdf.y
  pdf.fillColor(quiet).text(time, left, y, { width: timeColumnWidth - 8, lineBreak: false })
  pdf.fillColor(ink).text(what, left + timeColumnWidth, y, { width: labelColumnWidth - 8 })
  pdf.text(said, left + timeColumnWidth + labelColumnWidth, y, { width: textWidth })
  pdf.y = y + height + 3
}

const formatToMinute = (at: string, zone: string): string =>
  `${formatDate(at, zone)}, ${formatLocalDateTime(new Date(at), zone).slice(11, 16)}`
