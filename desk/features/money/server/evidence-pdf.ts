import type { Colours } from '#kit/contract/brand.ts'
import { formatDate } from '#kit/contract/dates.ts'
import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { formatLocalDateTime } from '#kit/contract/local-date-time.ts'
import { makePdf, pdfPage } from '#kit/server/pdf.ts'
import { drawText, measureText, type Pdf } from '#kit/server/pdf-text.ts'
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
    text: JSON.stringify([dispute.title, dispute.reason, dispute.evidence, brandName]),
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
      pdf.moveDown(0.8)
      drawText(pdf, name, { x: left, width }, { font: 'bold', size: 12, colour: palette.ink })
      pdf.moveDown(0.3)
      if (rows.length === 0) drawText(pdf, none, { x: left, width }, { font: 'text', size: 9, colour: palette.quiet })
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
  drawText(pdf, brandName, { x: left, y: pdfPage.top, width }, { font: 'bold', size: 15, colour: brand })
  pdf.moveDown(0.8)
  drawText(pdf, 'Dispute evidence', { x: left, width }, { font: 'bold', size: 20, colour: ink })
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
    drawText(pdf, name, { x: left, y, width: timeColumnWidth }, { font: 'text', size: 10, colour: quiet })
    const place = { x: left + timeColumnWidth, y, width: width - timeColumnWidth }
    drawText(pdf, value, place, { font: 'bold', size: 10, colour: ink })
    pdf.moveDown(0.2)
  }
  pdf.y += 6
  pdf.moveTo(left, pdf.y).lineTo(right, pdf.y).lineWidth(0.75).strokeColor(line).stroke()
}

function drawRow(pdf: Pdf, { ink, quiet }: Palette, [time, what, said]: [string, string, string]): void {
  const textWidth = width - timeColumnWidth - labelColumnWidth
  const style = { font: 'text', size: 9, colour: ink } as const
  const height = Math.max(measureText(pdf, said, textWidth, style), measureText(pdf, what, labelColumnWidth - 8, style))
  if (pdf.y + height > pdf.page.maxY()) pdf.addPage()
  const y = pdf.y
  drawText(pdf, time, { x: left, y, width: timeColumnWidth - 8 }, { ...style, colour: quiet })
  drawText(pdf, what, { x: left + timeColumnWidth, y, width: labelColumnWidth - 8 }, style)
  drawText(pdf, said, { x: left + timeColumnWidth + labelColumnWidth, y, width: textWidth }, style)
  pdf.y = y + height + 3
}

const formatToMinute = (at: string, zone: string): string =>
  `${formatDate(at, zone)}, ${formatLocalDateTime(new Date(at), zone).slice(11, 16)}`
