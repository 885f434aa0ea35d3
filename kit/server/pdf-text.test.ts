import type { ParsedFont } from 'fontkit'
import { describe, expect, test } from 'vitest'
import { readPdf } from '#quality/support/pdf-text.ts'
import { makePdf, pdfPage } from './pdf.ts'
import { divideByFont, loadScriptFonts } from './pdf-script-fonts.ts'
import { drawText, measureText } from './pdf-text.ts'

const at = new Date('2026-11-20T12:30:00Z')
const information = { title: 'A test', author: 'Fantail', brandName: 'Fantail', lang: 'en-NZ', at } as const
const style = { font: 'text', size: 10, colour: '#000000' } as const

const samples = ['Hēmi Kōwhai', 'दीपक शर्मा', 'กิตติศักดิ์', 'محمد علی', 'דוד כהן', '張偉', '김민준', '👩‍👧 😀']

test.each(samples)('measures the height with which “%s” is drawn', async (sample) => {
  const text = `${sample} `.repeat(30).trim()
  await makePdf({ ...information, text }, (pdf) => {
    const { y } = pdf
    const height = measureText(pdf, text, 200, style)
    drawText(pdf, text, { x: pdfPage.left, width: 200 }, style)
    expect(pdf.y - y).toBeCloseTo(height)
  })
})

test.each(samples)('continues “%s” on the next page', async (sample) => {
  const text = `${sample} `.repeat(200).trim()
  const place = { x: pdfPage.left, y: 700, width: pdfPage.width / 2 }
  const { pages } = readPdf(await makePdf({ ...information, text }, (pdf) => drawText(pdf, text, place, style)))
  expect(pages).toBeGreaterThan(1)
})

test.each([
  ['Ana 張', 'Ana 張'],
  ['محمد', 'دمحم'],
])('“%s” can be aligned on the right', async (text, drawn) => {
  const place = { x: pdfPage.left, width: pdfPage.width, align: 'right' } as const
  const pdf = await makePdf({ ...information, text }, (pdf) => {
    drawText(pdf, 'left', { x: pdfPage.left, y: 100, width: pdfPage.width }, style)
    drawText(pdf, text, { ...place, y: 100 }, style)
  })
  expect(readPdf(pdf).lines).toEqual([`left\t${drawn}`])
})

test('text whose fonts were not announced prints as boxes', async () => {
  const pdf = await makePdf({ ...information, text: '' }, (pdf) =>
    drawText(pdf, '張', { x: pdfPage.left, width: pdfPage.width }, style),
  )
  expect(readPdf(pdf).lines).toEqual(['\uFFFD'])
})

type Layout = { glyphs: { id: number; advanceWidth: number }[]; advanceWidth: number }

async function layOut(text: string): Promise<Layout> {
  const [piece] = divideByFont(text)
  const found = piece?.file && (await loadScriptFonts(text)).find(piece.file, 'text')
  if (!found) throw new Error(`there is no font for ${text}`)
  return (found.font as ParsedFont & { layout: (text: string) => Layout }).layout(text)
}

describe('shaping', () => {
  test('two Devanagari consonants form one conjunct glyph', async () => {
    expect((await layOut('क्ष')).glyphs).toHaveLength(1)
  })

  test('the Devanagari vowel i is drawn before its consonant', async () => {
    const [consonant] = (await layOut('क')).glyphs
    const { glyphs } = await layOut('कि')
    expect(glyphs.map(({ advanceWidth }) => advanceWidth === consonant?.advanceWidth)).toEqual([false, true])
  })

  test.each(['ਸਿੰਘ', 'ਪ੍ਰੀਤ', 'ਅੰਮ੍ਰਿਤ'])('every character of the Gurmukhi name %s has a glyph', async (name) => {
    expect((await layOut(name)).glyphs.map(({ id }) => id)).not.toContain(0)
  })

  test('a Thai tone mark is placed above the vowel am', async () => {
    // The vowel is divided into a circle and a letter, and the tone mark comes after the circle.
    expect((await layOut('น้ำ')).glyphs).toHaveLength(4)
  })

  test('Arabic letters are joined', async () => {
    const letters = await Promise.all(Array.from('محمد', layOut))
    const isolated = letters.map(({ advanceWidth }) => advanceWidth).toReversed()
    expect((await layOut('محمد')).glyphs.map(({ advanceWidth }) => advanceWidth)).not.toEqual(isolated)
  })
})
