import { create, type ParsedFont } from 'fontkit'
import { Blob, Buffer as ShapingBuffer, Face, Font, type GlyphInfo, shape } from 'harfbuzzjs'

export type FontData = { file: Uint8Array; face: Face }

export const parseFontData = (file: Uint8Array): FontData => ({ file, face: new Face(new Blob(file)) })

/**
 * Creates a font for the PDF library. fontkit reads the outlines, but HarfBuzz chooses and places the glyphs, because fontkit fails on
 * common names in Gurmukhi and misplaces vowels in Thai.
 * @param name differs for each weight, because the PDF library takes two fonts with the same name for one
 */
export function createShapedFont({ file, face }: FontData, name: string): ParsedFont {
  const outlines = create(file)
  const shapingFont = new Font(face)
  const { numberGlyph, createSubset } = numberGlyphs(outlines)
  const layout = (text: string) => {
    const buffer = new ShapingBuffer()
    buffer.addText(text)
    buffer.guessSegmentProperties()
    shape(shapingFont, buffer)
    const infos = buffer.getGlyphInfos()
    const positions = buffer.getGlyphPositions()
    return {
      glyphs: infos.map(({ codepoint: id }, at) => {
        const codePoints = findCodePoints(text, infos, at)
        return { id: numberGlyph(id, codePoints), codePoints, advanceWidth: outlines.getGlyph(id).advanceWidth }
      }),
      positions,
      // The PDF library reads the width after it has scaled the positions.
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
      },
    }
  }
  const changes = { postscriptName: name, layout, createSubset }
  return Object.create(outlines, Object.getOwnPropertyDescriptors(changes)) as ParsedFont
}

/**
 * Numbers glyphs by their characters, too. A PDF has one text for each glyph, which readers copy and search, but a glyph of an Indic script
 * can stand for different characters in different syllables. Such a glyph is stored once for each text.
 */
function numberGlyphs(outlines: ParsedFont) {
  const numbers = new Map<string, number>()
  const ids = [0]
  return {
    numberGlyph(id: number, codePoints: number[]): number {
      const key = `${id}:${codePoints.join()}`
      const number = id === 0 ? 0 : (numbers.get(key) ?? ids.push(id) - 1)
      numbers.set(key, number)
      return number
    },
    createSubset() {
      const subset = outlines.createSubset()
      const places = new Map([[0, 0]])
      return {
        encode: () => subset.encode(),
        includeGlyph(number: number): number {
          const place = places.get(number) ?? subset.glyphs.push(ids[number] ?? 0) - 1
          places.set(number, place)
          return place
        },
      }
    },
  }
}

/**
 * Finds the characters that a glyph stands for. HarfBuzz tells only which glyphs and characters form a cluster, such as a syllable. The
 * glyphs get its characters in the order in which they are read, one each, and the last glyph the rest.
 */
function findCodePoints(text: string, infos: GlyphInfo[], at: number): number[] {
  const start = infos[at]?.cluster ?? 0
  const end = Math.min(text.length, ...infos.map(({ cluster }) => cluster).filter((cluster) => cluster > start))
  const codePoints = Array.from(text.slice(start, end), (character) => character.codePointAt(0) as number)
  const first = infos.findIndex(({ cluster }) => cluster === start)
  const last = infos.findLastIndex(({ cluster }) => cluster === start)
  const isRightToLeft = (infos[0]?.cluster ?? 0) > (infos.at(-1)?.cluster ?? 0)
  const position = isRightToLeft ? last - at : at - first
  return codePoints.slice(position, position === last - first ? undefined : position + 1)
}
