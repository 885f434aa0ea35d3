import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { create } from 'fontkit'
import Pdfkit from 'pdfkit'

// The fonts that every reader of PDF has know no macron: these carry Māori, Pacific and most other names of the world. They are
// read once: to read them anew is six times the work of drawing a document. Its library takes them like this, which its types lack.
const readFont = (name: string): Buffer =>
  create(readFileSync(createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))) as Buffer
export const fonts = { text: readFont('DejaVuSansCondensed'), bold: readFont('DejaVuSansCondensed-Bold') }

export const makeDocument = (options: ConstructorParameters<typeof Pdfkit>[0]): InstanceType<typeof Pdfkit> =>
  new Pdfkit(options)
