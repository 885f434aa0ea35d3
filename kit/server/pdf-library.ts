import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { create } from 'fontkit'
import Pdfkit from 'pdfkit'

/*
 * The fonts built into PDF readers have no macrons, but the DejaVu fonts cover Māori, Pacific and most other names. They are parsed only
 * once, because parsing takes six times as long as drawing a document. The PDF library accepts parsed fonts, although its types don't say
 * so.
 */
const readFont = (name: string): Buffer =>
  create(readFileSync(createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))) as Buffer
export const fonts = { text: readFont('DejaVuSansCondensed'), bold: readFont('DejaVuSansCondensed-Bold') }

export const createPdfDocument = (options: ConstructorParameters<typeof Pdfkit>[0]): InstanceType<typeof Pdfkit> =>
  new Pdfkit(options)
