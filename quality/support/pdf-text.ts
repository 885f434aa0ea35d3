import { inflateSync } from 'node:zlib'

/**
 * Returns the text of a PDF made by Fantail, line by line from top to bottom, with tabs between columns. Hebrew and Arabic letters are in
 * the order in which they are drawn from left to right, and U+FFFD stands for a character that its font lacks. It supports only what such
 * files contain: compressed streams, and font subsets with a glyph map.
 */
export function readPdf(bytes: Uint8Array): { lines: string[]; pages: number } {
  const objects = readObjects(bytes)
  const all = [...objects.values()]
  const pages = all.filter(isPage)
  const lines = pages.flatMap((page) => {
    const fonts = readFonts(all, objects)
    return readLines(inflateStream(objects.get(refIn(page, 'Contents')) ?? ''), fonts)
  })
  return { lines, pages: pages.length }
}

export function readPdfColours(bytes: Uint8Array): Set<string> {
  const objects = readObjects(bytes)
  const content = [...objects.values()]
    .filter(isPage)
    .map((page) => inflateStream(objects.get(refIn(page, 'Contents')) ?? ''))
    .join('\n')
  const inks = [...content.matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) scn$/gim)].map((found) =>
    found.slice(1).map((part) => Math.round(Number(part) * 255)),
  )
  return new Set(inks.map((parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`))
}

function readObjects(bytes: Uint8Array): Map<number, string> {
  const source = Buffer.from(bytes).toString('latin1')
  return new Map(
    [...source.matchAll(/^(\d+) 0 obj\n(.*?)\nendobj$/gms)].map(([, id, text]) => [Number(id), text ?? '']),
  )
}

const isPage = (object: string): boolean => /\/Type \/Page\b(?!s)/.test(object)

/** Texts and widths of glyphs, by their codes. A width is in thousandths of the font size. */
type Font = { texts: Map<string, string>; widths: number[] }

const refIn = (text: string, name: string): number => Number(new RegExp(`/${name} (\\d+) 0 R`).exec(text)?.[1])

function inflateStream(object: string): string {
  const [head = '', rest = ''] = object.split(/(?<=>>)\nstream\n/, 2)
  const body = rest.slice(0, rest.lastIndexOf('\nendstream'))
  return head.includes('/FlateDecode') ? inflateSync(Buffer.from(body, 'latin1')).toString('latin1') : body
}

function readFonts(all: string[], objects: Map<number, string>): Map<string, Font> {
  const named = all.flatMap((text) => [...text.matchAll(/\/(F\d+) (\d+) 0 R/g)])
  return new Map(
    named.map(([, name = '', id]) => {
      const font = objects.get(Number(id)) ?? ''
      const descendant = objects.get(Number(/DescendantFonts \[(\d+) 0 R\]/.exec(font)?.[1])) ?? ''
      const widths = /\/W \[0 \[(.*?)\]/s.exec(descendant)?.[1]?.split(' ').map(Number) ?? []
      return [name, { widths, texts: parseCharacterMap(inflateStream(objects.get(refIn(font, 'ToUnicode')) ?? '')) }]
    }),
  )
}

function parseCharacterMap(cmap: string): Map<string, string> {
  const textByCode = new Map<string, string>()
  for (const [, first = '', list = ''] of cmap.matchAll(/<(\w+)> <\w+> \[(.*?)\]/gs)) {
    ;[...list.matchAll(/<([\w\s]*)>/g)].forEach(([, hex = ''], at) => {
      const units = hex.replaceAll(/\s/g, '').match(/.{4}/g) ?? []
      textByCode.set(
        (parseInt(first, 16) + at).toString(16).padStart(4, '0'),
        String.fromCharCode(...units.map((unit) => parseInt(unit, 16))),
      )
    })
  }
  return textByCode.set('0000', '\uFFFD')
}

type Piece = { x: number; y: number; end: number; text: string }

function readLines(content: string, fonts: Map<string, Font>): string[] {
  const pieces: Piece[] = []
  for (const [block] of content.matchAll(/^BT$.*?^ET$/gms)) {
    const piece = readTextBlock(block, fonts)
    const last = pieces.at(-1)
    // A text in several fonts is drawn run by run. Columns are further apart than a letter.
    if (last && last.y === piece.y && Math.abs(piece.x - last.end) < 8)
      Object.assign(last, { end: piece.end, text: last.text + piece.text })
    else pieces.push(piece)
  }
  const rows = Map.groupBy(pieces, (piece) => Math.round(piece.y))
  return [...rows]
    .toSorted(([a], [b]) => b - a)
    .map(([, row]) =>
      row
        .toSorted((a, b) => a.x - b.x)
        .map(({ text }) => text)
        .filter(Boolean)
        .join('\t'),
    )
}

/** Reads one run. Its first position is on the baseline; marks above and below letters have positions of their own. */
function readTextBlock(block: string, fonts: Map<string, Font>): Piece {
  const [[x = 0, y = 0] = []] = [...block.matchAll(/^1 0 0 1 (\S+) (\S+) Tm$/gm)].map((found) =>
    found.slice(1).map(Number),
  )
  const [, name = '', size] = /\/(F\d+) ([\d.]+) Tf/.exec(block) ?? []
  const font = fonts.get(name)
  let [end, text] = [x, '']
  for (const [operation, left] of block.matchAll(/^1 0 0 1 (\S+) \S+ Tm$|^\[.*?\] TJ$/gm)) {
    if (left !== undefined) end = Number(left)
    else
      for (const [, codes, shift] of operation.matchAll(/<([\da-f]+)>| (-?[\d.]+)(?=[ \]])/g)) {
        if (shift !== undefined) end -= (Number(shift) / 1000) * Number(size)
        for (const code of codes?.match(/.{4}/g) ?? []) {
          text += font?.texts.get(code) ?? '\uFFFD'
          end += ((font?.widths[parseInt(code, 16)] ?? 0) / 1000) * Number(size)
        }
      }
  }
  return { x, y, end, text }
}
