import type Pdfkit from 'pdfkit'

// A4, in points.
const [left, right, top, pageWidth] = [56, 539, 56, 595.28]
/** Where there is to be drawn on a page. */
export const pdfPage = { left, right, top, width: right - left } as const

/** A document that is drawn on, with the fonts `text` and `bold`. */
export type Pdf = InstanceType<typeof Pdfkit>

type About = { title: string; author: string; brandName: string; lang: 'en-AU' | 'en-NZ'; at: Date }

/** The library with its fonts: a tenth of a second, which neither a start nor, where it was read by then, the first document waits for. */
export const readPdfLibrary = () => import('./pdf-library.ts')

/** A document as PDF. The same drawing at the same time makes the same bytes. */
export async function makePdf(
  { title, author, brandName, lang, at }: About,
  draw: (pdf: Pdf) => void,
): Promise<Buffer> {
  const { fonts, makeDocument } = await readPdfLibrary()
  const pdf = makeDocument({
    // Else it reads one of its own for each document, and uses it for nothing.
    font: '',
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
