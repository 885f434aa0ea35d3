import type { ParsedFont } from 'fontkit'
import type Pdfkit from 'pdfkit'
import { breakIntoLines, orderRuns, type Piece } from './pdf-lines.ts'
import { type FontWeight, isPlainText, type ScriptFonts } from './pdf-script-fonts.ts'

type Document = InstanceType<typeof Pdfkit>

/** A document whose text is drawn and measured only with the functions below, because names can be in any script. */
export type Pdf = Omit<Document, 'text' | 'list' | 'widthOfString' | 'heightOfString'> & {
  fonts: Record<FontWeight, ParsedFont>
  scriptFonts: ScriptFonts
}

/** Size and gap below each line are in points. */
export type TextStyle = { font: FontWeight; size: number; colour: string; lineGap?: number }

/** Without `y`, the text starts below the text before it. Text that is aligned on the right is not broken into lines. */
type Place = { x: number; y?: number; width: number; align?: 'right' }

export function drawText(pdf: Pdf, text: string, { x, y = pdf.y, width, align }: Place, style: TextStyle): void {
  const document = setStyle(pdf, style)
  document.fillColor(style.colour)
  if (isPlainText(text)) {
    const { lineGap = 0 } = style
    document.text(text, x, y, align ? { width, align, lineBreak: false } : { width, lineGap })
    return
  }
  let top = y
  for (const { pieces, ascent, height } of layOutLines(pdf, text, width, style)) {
    if (top + height > document.page.maxY()) {
      document.addPage()
      top = document.page.margins.top
    }
    let left = align ? x + width - measureLine(pdf, pieces, style) : x
    for (const run of orderRuns(pieces)) {
      setRunFont(pdf, run, style).text(run.text, left, top, { lineBreak: false, baseline: -ascent })
      left += document.widthOfString(run.text)
    }
    top += height
  }
  setStyle(pdf, style)
  document.x = x
  document.y = top
}

/** Measures the height of a text in points. */
export function measureText(pdf: Pdf, text: string, width: number, style: TextStyle): number {
  if (isPlainText(text)) return setStyle(pdf, style).heightOfString(text || ' ', { width, lineGap: style.lineGap ?? 0 })
  return layOutLines(pdf, text, width, style).reduce((sum, { height }) => sum + height, 0)
}

type Line = { pieces: Piece[]; ascent: number; height: number }

function layOutLines(pdf: Pdf, text: string, width: number, style: TextStyle): Line[] {
  const baseFont = pdf.fonts[style.font]
  return breakIntoLines(text, width, (line) => measureLine(pdf, line, style)).map((pieces, at) => {
    const fonts = [baseFont, ...pieces.flatMap((piece) => findFont(pdf, piece, style)?.font ?? [])]
    // The first line is on the baseline that it would have in DejaVu, so it is level with the text beside it.
    const ascent = Math.max(...(at === 0 ? [baseFont] : fonts).map((font) => font.ascent / font.unitsPerEm))
    const descent = Math.min(...fonts.map((font) => font.descent / font.unitsPerEm))
    return { pieces, ascent: ascent * style.size, height: (ascent - descent) * style.size + (style.lineGap ?? 0) }
  })
}

const measureLine = (pdf: Pdf, line: Piece[], style: TextStyle): number =>
  orderRuns(line).reduce((sum, run) => sum + setRunFont(pdf, run, style).widthOfString(run.text), 0)

const findFont = (pdf: Pdf, { file }: Piece, { font }: TextStyle) => file && pdf.scriptFonts.find(file, font)

const setStyle = (pdf: Pdf, { font, size }: TextStyle): Document => (pdf as Pdf & Document).font(font).fontSize(size)

function setRunFont(pdf: Pdf, run: Piece, style: TextStyle): Document {
  const document = setStyle(pdf, style)
  const found = findFont(pdf, run, style)
  // The PDF library accepts parsed fonts, although its types don't say so.
  return found ? document.font(found.font as unknown as Buffer, found.name) : document
}
