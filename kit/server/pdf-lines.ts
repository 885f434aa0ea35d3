import bidiFactory from 'bidi-js'
import { divideByFont, type FontPiece } from './pdf-script-fonts.ts'

/** A grapheme, or a run of graphemes with the same font and direction. An odd `level` means that it is written from right to left. */
export type Piece = FontPiece & { level: number }

const bidi = bidiFactory()
const words = new Intl.Segmenter('en', { granularity: 'word' })
const lettersWrittenFromTheRight =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/**
 * Breaks a text into lines. A word that is wider than a line is broken, too.
 * @param measure returns the width of a line
 */
export const breakIntoLines = (text: string, width: number, measure: (line: Piece[]) => number): Piece[][] =>
  text.split('\n').flatMap((paragraph) => {
    const lines: Piece[][] = []
    let line: Piece[] = []
    for (const unit of divideIntoUnits(paragraph)) {
      const longer = [...line, ...unit]
      if (measure(trimEnd(longer)) <= width) {
        line = longer
        continue
      }
      if (line.length > 0) lines.push(line)
      line = unit
      for (let count = countFitting(line, width, measure); count < trimEnd(line).length;) {
        lines.push(line.slice(0, count))
        line = line.slice(count)
        count = countFitting(line, width, measure)
      }
    }
    return [...lines, line].map(trimEnd)
  })

/** Counts the graphemes of a line that fit, and returns at least one. */
function countFitting(line: Piece[], width: number, measure: (line: Piece[]) => number): number {
  let count = 1
  while (count < line.length && measure(line.slice(0, count + 1)) <= width) count++
  return count
}

const trimEnd = (line: Piece[]): Piece[] => line.slice(0, line.findLastIndex((piece) => !isSpace(piece)) + 1)

/** Divides a paragraph at the places where a line may end. Chinese, Japanese and Thai have them between words without spaces. */
function divideIntoUnits(paragraph: string): Piece[][] {
  const { levels } = bidi.getEmbeddingLevels(paragraph, 'auto')
  let at = 0
  const pieces = divideByFont(paragraph).map((piece) => {
    const level = levels[at] ?? 0
    at += piece.text.length
    return { ...piece, level }
  })
  const starts = findUnitStarts(paragraph)
  const units: Piece[][] = []
  at = 0
  for (const piece of pieces) {
    if (starts.has(at)) units.push([])
    units.at(-1)?.push(piece)
    at += piece.text.length
  }
  return units
}

function findUnitStarts(paragraph: string): Set<number> {
  const segments = Array.from(words.segment(paragraph))
  return new Set(
    segments.flatMap(({ index, segment, isWordLike }, at) => {
      const before = segments[at - 1]
      if (!before) return index
      const isAfterSpace = /\s$/.test(before.segment) && !/^\s/.test(segment)
      return isAfterSpace || (isWordLike && before.isWordLike) ? index : []
    }),
  )
}

/** Puts the graphemes of a line into the order in which they are drawn from left to right, and joins them to runs. */
export function orderRuns(line: Piece[]): Piece[] {
  const ordered = [...line]
  for (let level = Math.max(0, ...line.map((piece) => piece.level)); level > 0; level--) {
    for (let start = 0; start < ordered.length; start++) {
      let end = start
      while ((ordered[end]?.level ?? -1) >= level) end++
      if (end > start) ordered.splice(start, end - start, ...ordered.slice(start, end).toReversed())
      start = end
    }
  }
  const runs: Piece[][] = []
  for (const piece of ordered) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run && last && last.file === piece.file && last.level === piece.level && !isSpace(last) && !isSpace(piece))
      run.push(piece)
    else runs.push([piece])
  }
  return runs.map(joinRun)
}

/** Joins graphemes in the order that makes the font draw them in `run`'s order: fonts turn Hebrew or Arabic letters around themselves. */
function joinRun(run: Piece[]): Piece {
  const texts = run.map(({ text, level }) => (level % 2 === 1 && bidi.getMirroredCharacter(text)) || text)
  const isTurnedByFont = texts.some((text) => lettersWrittenFromTheRight.test(text))
  return { ...(run[0] as Piece), text: (isTurnedByFont ? texts.toReversed() : texts).join('') }
}

const isSpace = ({ text }: Piece): boolean => text === ' '
