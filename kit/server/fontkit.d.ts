declare module 'fontkit' {
  /** Widths and heights are in the font's units, of which `unitsPerEm` make the font size. */
  export type ParsedFont = {
    unitsPerEm: number
    ascent: number
    descent: number
    characterSet: number[]
    glyphForCodePoint: (codePoint: number) => { advanceWidth: number }
    getGlyph: (id: number) => { advanceWidth: number }
    /** Starts a font file with only some glyphs. `glyphs` has the glyphs' ids in the original font. */
    createSubset: () => { glyphs: number[]; encode: () => Uint8Array }
  }

  /** Parses a font. The parsed data stay in memory for as long as the font does. */
  export function create(file: Uint8Array): ParsedFont
}
