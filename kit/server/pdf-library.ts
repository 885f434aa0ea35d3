import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { create, type ParsedFont } from 'fontkit'
import Pdfkit from 'pdfkit'

/*
 * The fonts built into PDF readers have no macrons, but the DejaVu fonts cover Māori, Pacific and most other names. They are parsed only
 * once, because parsing takes six times as long as drawing a document.
 */
function readFont(name: string): ParsedFont {
  const font = create(readFileSync(createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)))
  /*
   * A font remembers the characters of each glyph from its first use. An accented letter that has the glyph of J as a part would otherwise
   * leave it without characters, and nobody could copy a J from later documents.
   */
  for (const codePoint of font.characterSet) font.glyphForCodePoint(codePoint)
  return font
}
export const fonts = { text: readFont('DejaVuSansCondensed'), bold: readFont('DejaVuSansCondensed-Bold') }

export const createPdfDocument = (options: ConstructorParameters<typeof Pdfkit>[0]): InstanceType<typeof Pdfkit> =>
  new Pdfkit(options)
