import type { Colours } from '#kit/contract/brand.ts'
import { formatDate } from '#kit/contract/dates.ts'
import { fromWire } from '#kit/contract/money.ts'
import { formatSum } from '#kit/contract/sums.ts'
import { localText } from '#kit/contract/local-text.ts'
import { makePdf, type Pdf, pdfPage } from '#kit/server/pdf.ts'
import type { DeskDispute } from '../disputes.contract.ts'

type Look = { brandName: string; colours: Colours; zone: string; at: Temporal.Instant }
type Inks = { ink: string; quiet: string; line: string; brand: string }

const { left, right, width } = pdfPage
const timeWidth = 96
const whatWidth = 120

export function evidencePdf(dispute: DeskDispute, { brandName, colours, zone, at }: Look): Promise<Buffer> {
  const title = `Evidence ${dispute.reference}`
  const about = {
    title,
    author: brandName,
    brandName,
    lang: dispute.currency === 'AUD' ? 'en-AU' : 'en-NZ',
    at: new Date(at.epochMilliseconds),
  } as const
  const inks: Inks = {
    brand: colours.brand.light,
    ink: colours.ink.light,
    quiet: colours['ink-2'].light,
    line: colours.line.light,
  }
  return makePdf(about, (pdf) => {
    drawHead(pdf, dispute, inks, { brandName, day: formatDate(at, zone), zone })
    for (const { title: name, rows, none } of dispute.evidence) {
      pdf.moveDown(0.8).font('bold').fontSize(12).fillColor(inks.ink).text(name, left)
      pdf.moveDown(0.3)
      if (rows.length === 0) pdf.font('text').fontSize(9).fillColor(inks.quiet).text(none, left)
      for (const { at: when, what, said } of rows) drawRow(pdf, inks, [when ? minuteIn(when, zone) : '', what, said])
    }
  })
}

function drawHead(
  pdf: Pdf,
  dispute: DeskDispute,
  { brand, ink, quiet, line }: Inks,
  { brandName, day, zone }: { brandName: string; day: string; zone: string },
): void {
  pdf.font('bold').fontSize(15).fillColor(brand).text(brandName, left, pdfPage.top)
  pdf.moveDown(0.8).fontSize(20).fillColor(ink).text('Evidence in a dispute')
  pdf.moveDown(0.6)
  const facts = [
    ['Dispute', dispute.reference],
    ['Amount', `${formatSum(fromWire(dispute.amount))} ${dispute.currency} of ${formatSum(fromWire(dispute.paid))}`],
    ['Reason given', dispute.reason],
    ['Order', `${dispute.order}, ${dispute.title}`],
    ['Drawn up', `${day}; all times are ${zone}`],
  ] as const
  for (const [name, value] of facts) {
    const y = pdf.y
    pdf.font('text').fontSize(10).fillColor(quiet).text(name, left, y, { width: timeWidth })
    pdf
      .font('bold')
      .fillColor(ink)
      .text(value, left + timeWidth, y, { width: width - timeWidth })
    pdf.moveDown(0.2)
  }
  pdf.y += 6
  pdf.moveTo(left, pdf.y).lineTo(right, pdf.y).lineWidth(0.75).strokeColor(line).stroke()
}

function drawRow(pdf: Pdf, { ink, quiet }: Inks, [time, what, said]: [string, string, string]): void {
  const saidWidth = width - timeWidth - whatWidth
  pdf.font('text').fontSize(9)
  const height = Math.max(
    pdf.heightOfString(said || ' ', { width: saidWidth }),
    pdf.heightOfString(what, { width: whatWidth - 8 }),
  )
  if (pdf.y + height > pdf.page.maxY()) pdf.addPage()
  const y = pdf.y
  pdf.fillColor(quiet).text(time, left, y, { width: timeWidth - 8, lineBreak: false })
  pdf.fillColor(ink).text(what, left + timeWidth, y, { width: whatWidth - 8 })
  pdf.text(said, left + timeWidth + whatWidth, y, { width: saidWidth })
  pdf.y = y + height + 3
}

const minuteIn = (at: string, zone: string): string =>
  `${formatDate(at, zone)}, ${localText(new Date(at), zone).slice(11, 16)}`
