import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * Packages of Noto fonts for the scripts that DejaVu lacks, and for Arabic and Hebrew, which it has only in part. A font for Chinese has
 * the kana, too, and prints kanji in the forms used in China. The Korean font adds a few traditional Chinese characters.
 */
const packages: [RegExp, string[]][] = [
  [/\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[\d#*]\ufe0f?\u20e3/u, ['noto-emoji']],
  [/\p{Script_Extensions=Devanagari}/u, ['noto-sans-devanagari']],
  [/\p{Script_Extensions=Gurmukhi}/u, ['noto-sans-gurmukhi']],
  [/\p{Script_Extensions=Tamil}/u, ['noto-sans-tamil']],
  [/\p{Script_Extensions=Thai}/u, ['noto-sans-thai']],
  [/\p{Script_Extensions=Arabic}/u, ['noto-sans-arabic']],
  [/\p{Script_Extensions=Hebrew}/u, ['noto-sans-hebrew']],
  [/\p{Script=Hangul}/u, ['noto-sans-kr']],
  [
    /[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\uff00-\uffef]/u,
    ['noto-sans-sc', 'noto-sans-kr'],
  ],
]

/** A package divides its font into files by character. `ranges` has the first and last code point of each range, one after the other. */
export type FontFile = { path: string; ranges: readonly number[] }

/** Joiners and variation selectors choose the form of their neighbours, and need no glyphs themselves. */
const formatCharacters = /[\u200c\u200d\p{Variation_Selector}]/gu

const filesByPackage = new Map<string, FontFile[]>()

/**
 * Finds the file with the characters of a grapheme.
 * @returns `null` if no file has them all
 */
export function findFontFile(grapheme: string): FontFile | null {
  const codePoints = Array.from(
    grapheme.replaceAll(formatCharacters, ''),
    (character) => character.codePointAt(0) as number,
  )
  const [, names = []] = packages.find(([pattern]) => pattern.test(grapheme)) ?? []
  for (const name of names) {
    const file = readPackage(name).find(({ ranges }) => codePoints.every((codePoint) => isInRanges(codePoint, ranges)))
    if (file) return file
  }
  return null
}

function readPackage(name: string): FontFile[] {
  const known = filesByPackage.get(name)
  if (known) return known
  const resolve = (file: string): string => require.resolve(`@fontsource-variable/${name}/${file}`)
  const subsets = JSON.parse(readFileSync(resolve('unicode.json'), 'utf8')) as Record<string, string>
  const files = Object.entries(subsets)
    .filter(([subset]) => !/^(latin|cyrillic|greek|vietnamese|math|symbols)/.test(subset))
    .map(([subset, ranges]) => ({
      path: resolve(`files/${name}-${subset.replaceAll(/[[\]]/g, '')}-wght-normal.woff2`),
      ranges: parseRanges(ranges),
    }))
  filesByPackage.set(name, files)
  return files
}

const parseRanges = (ranges: string): number[] =>
  ranges.split(',').flatMap((range) => {
    const [first = '', last = first] = range.replace('U+', '').split('-')
    return [parseInt(first, 16), parseInt(last, 16)]
  })

const isInRanges = (codePoint: number, ranges: readonly number[]): boolean =>
  ranges.some((first, at) => at % 2 === 0 && first <= codePoint && codePoint <= (ranges[at + 1] as number))
