import { loadScriptFonts } from './pdf-script-fonts.ts'
import type { Pdf } from './pdf-text.ts'

// Margins and width of an A4 page, in PDF points.
const [left, right, top, pageWidth] = [56, 539, 56, 595.28]
export const pdfPage = { left, right, top, width: right - left } as const

/** `text` has all characters that will be drawn. It decides which fonts are loaded. */
type DocumentInfo = {
  title: string
  author: string
  brandName: string
  lang: 'en-AU' | 'en-NZ'
  at: Date
  text: string
}

/**
 * Loads the PDF library and its fonts, which takes a tenth of a second. The process does not wait for this when it starts, and neither does
 * the first document if loading has finished by then.
 */
export const loadPdfLibrary = () => import('./pdf-library.ts')

export async function makePdf(
  { title, author, brandName, lang, at, text }: DocumentInfo,
  draw: (pdf: Pdf) => void,
): Promise<Buffer> {
  const [{ fonts, createPdfDocument }, scriptFonts] = await Promise.all([loadPdfLibrary(), loadScriptFonts(text)])
  const pdf = createPdfDocument({
    // Without this empty name, the library would load a default font for each document and never use it.
    font: '',
    size: 'A4',
    margins: { top, bottom: top, left, right: pageWidth - right },
    lang,
    displayTitle: true,
    info: { Title: title, Author: author, Creator: brandName, Producer: brandName, CreationDate: at },
  })
  const parts: Buffer[] = []
  pdf.on('data', (part: Buffer) => parts.push(part))
  const endPromise = new Promise<void>((resolve, reject) => pdf.once('end', resolve).once('error', reject))
  // The PDF library accepts parsed fonts, although its types don't say so.
  for (const [name, font] of Object.entries(fonts)) pdf.registerFont(name, font as unknown as Buffer)
  draw(Object.assign(pdf, { fonts, scriptFonts }))
  pdf.end()
  await endPromise
  return Buffer.concat(parts)
}
