import { inflateSync } from 'node:zlib'

/**
 * Returns the text of a PDF made by Fantail, line by line from top to bottom, with tabs between adjacent pieces of text. It supports only
 * what such files contain: compressed streams, and font subsets with a glyph map.
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

type Font = Map<string, string>

const refIn = (text: string, name: string): number => Number(new RegExp(`/${name} (\\d+) 0 R`).exec(text)?.[1])

function inflateStream(object: string): string {
  const [head = '', rest = ''] = object.split(/(?<=>>)\nstream\n/, 2)
  const body = rest.slice(0, rest.lastIndexOf('\nendstream'))
  return head.includes('/FlateDecode') ? inflateSync(Buffer.from(body, 'latin1')).toString('latin1') : body
}

function readFonts(all: string[], objects: Map<number, string>): Map<string, Font> {
  const named = all.flatMap((text) => [...text.matchAll(/\/(F\d+) (\d+) 0 R/g)])
  return new Map(
    named.map(([, name = '', id]) => [
      name,
      parseCharacterMap(inflateStream(objects.get(refIn(objects.get(Number(id)) ?? '', 'ToUnicode')) ?? '')),
    ]),
  )
}

function parseCharacterMap(cmap: string): Font {
  const textByCode: Font = new Map()
  for (const [, first = '', list = ''] of cmap.matchAll(/<(\w+)> <\w+> \[(.*?)\]/gs)) {
    ;[...list.matchAll(/<([\w\s]+)>/g)].forEach(([, hex = ''], at) => {
      const units = hex.replaceAll(/\s/g, '').match(/.{4}/g) ?? []
      textByCode.set(
        (parseInt(first, 16) + at).toString(16).padStart(4, '0'),
        String.fromCharCode(...units.map((unit) => parseInt(unit, 16))),
      )
    })
  }
  return textByCode
}

function readLines(content: string, fonts: Map<string, Font>): string[] {
  const found: { x: number; y: number; text: string }[] = []
  let [x, y] = [0, 0]
  let font: Font = new Map()
  for (const [operation] of content.matchAll(/1 0 0 1 [\d.-]+ [\d.-]+ Tm|\/F\d+ [\d.]+ Tf|\[.*?\] TJ/gs)) {
    if (operation.endsWith('Tm')) [x = 0, y = 0] = operation.split(' ').slice(4, 6).map(Number)
    else if (operation.endsWith('Tf')) font = fonts.get(/F\d+/.exec(operation)?.[0] ?? '') ?? new Map()
    else
      found.push({
        x,
        y,
        text: [...operation.matchAll(/<([\da-f]*)>/g)]
          .flatMap(([, codes = '']) => codes.match(/.{4}/g) ?? [])
          .map((code) => font.get(code) ?? '\uFFFD')
          .join(''),
      })
  }
  const rows = Map.groupBy(found, (piece) => Math.round(piece.y))
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
