import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ParsedFont } from 'fontkit'
import { type FontFile, findFontFile } from './pdf-font-files.ts'
import type { FontData } from './pdf-shaping.ts'

export type FontWeight = 'text' | 'bold'

/** `find` returns `null` for a file that was not loaded. */
export type ScriptFonts = { find: (file: FontFile, weight: FontWeight) => { name: string; font: ParsedFont } | null }

/** Whether a text has only characters for which DejaVu is right, and that are written from left to right. */
export const isPlainText = (text: string): boolean => /^[\n\u0020-\u058f\u1e00-\u22ff]*$/.test(text)

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
export type FontPiece = { text: string; file: FontFile | null }

/** Divides a text into graphemes and finds the font file of each. The file is `null` where DejaVu is used. */
export const divideByFont = (text: string): FontPiece[] =>
  Array.from(graphemes.segment(text)).flatMap(({ segment }) => {
    if (isPlainText(segment)) return { text: segment, file: null }
    const file = findFontFile(segment)
    if (file) return { text: segment, file }
    // No file has the whole grapheme, such as an unusual emoji sequence, so each character is drawn by itself.
    return Array.from(segment, (character) => ({ text: character, file: findFontFile(character) }))
  })

/** Most font files that are loaded for one text. Chinese is divided into a hundred files, of which a name needs a few. */
const maxFilesPerText = 16

/** Loads the fonts for a text. Plain text needs none. */
export async function loadScriptFonts(text: string): Promise<ScriptFonts> {
  const files = new Set(isPlainText(text) ? [] : divideByFont(text).flatMap(({ file }) => file ?? []))
  if (files.size === 0) return { find: () => null }
  const limitedFiles = [...files].slice(0, maxFilesPerText)
  const { createShapedFont } = await import('./pdf-shaping.ts')
  const loaded = new Map<string, FontData>()
  for (const file of limitedFiles)
    for (const weight of ['text', 'bold'] as const) loaded.set(nameFont(file, weight), await readFont(file, weight))
  const fonts = new Map<string, ParsedFont>()
  return {
    find(file, weight) {
      const name = nameFont(file, weight)
      const data = loaded.get(name)
      if (!data) return null
      // A document has fonts of its own: a shared font remembers earlier documents' characters, and two PDFs of one invoice would differ.
      const font = fonts.get(name) ?? createShapedFont(data, name)
      fonts.set(name, font)
      return { name, font }
    },
  }
}

const nameFont = ({ path }: FontFile, weight: FontWeight): string => `${basename(path, '-wght-normal.woff2')}-${weight}`

/** Most fonts that stay in memory. Each takes 20 to 180 KB. */
const maxCachedFonts = 64
const cachedFonts = new Map<string, FontData>()

async function readFont(file: FontFile, weight: FontWeight): Promise<FontData> {
  const name = nameFont(file, weight)
  const font = cachedFonts.get(name) ?? (await decompressFont(file.path, weight === 'bold' ? 700 : 400))
  // A map keeps the order of insertion, so its first font is the one that was used least recently.
  cachedFonts.delete(name)
  cachedFonts.set(name, font)
  const [oldest] = cachedFonts.keys()
  if (cachedFonts.size > maxCachedFonts && oldest) cachedFonts.delete(oldest)
  return font
}

/** Decompresses a variable font, and reduces it to one weight, because fontkit cannot write variable fonts into a PDF. */
async function decompressFont(path: string, weight: number): Promise<FontData> {
  const [{ default: subsetFont }, { parseFontData }] = await Promise.all([
    import('subset-font'),
    import('./pdf-shaping.ts'),
  ])
  const options = { keepAllGlyphs: true, targetFormat: 'sfnt', variationAxes: { wght: weight } } as const
  return parseFontData(await subsetFont(await readFile(path), '', options))
}
