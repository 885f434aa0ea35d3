import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { create } from 'fontkit'
import Pdfkit from 'pdfkit'

// The fonts that every reader of PDF has know no macron: these carry Māori, Pacific and most other names of the world. They are
// read once: to read them anew is six times the work of drawing a document. Its library takes them like this, which its types lack.
const readFont = (name: string): Buffer =>
  create(readFileSync(createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))) as Buffer
const fonts = { text: readFont('DejaVuSansCondensed'), bold: readFont('DejaVuSansCondensed-Bold') }

// A4, in points.
const [left, right, top, pageWidth] = [56, 539, 56, 595.28]
/** Where there is to be drawn on a page. */
export const pdfPage = { left, right, top, width: right - left } as const

/** A document that is drawn on, with the fonts `text` and `bold`. */
export type Pdf = InstanceType<typeof Pdfkit>

type About = { title: string; author: string; brandName: string; lang: 'en-AU' | 'en-NZ'; at: Date }

/** A document as PDF. The same drawing at the same time makes the same bytes. */
export async function makePdf(
  { title, author, brandName, lang, at }: About,
  draw: (pdf: Pdf) => void,
): Promise<Buffer> {
  const pdf = new Pdfkit({
    size: 'A4',
    margins: { top, bottom: top, left, right: pageWidth - right },
    lang,
    displayTitle: true,
    info: { Title: title, Author: author, Creator: brandName, Producer: brandName, CreationDate: at },
  })
  const parts: Buffer[] = []
  pdf.on('data', (part: Buffer) => parts.push(part))
  const ended = new Promise<void>((resolve, reject) => pdf.once('end', resolve).once('error', reject))
  pdf.registerFont('text', fonts.text).registerFont('bold', fonts.bold)
  draw(pdf)
  pdf.end()
  await ended
  return Buffer.concat(parts)
}
