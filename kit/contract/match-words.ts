import { cleanText } from './clean-text.ts'

const maxQueryLength = 100

/**
 * Creates a filter for a list: whether each word of the query begins a word of a text. Case, accents and apostrophes do not matter,
 * nor does a space between a number and its unit.
 */
export function createWordFilter(query: string): (text: string) => boolean {
  const wanted = splitWords(joinUnits(foldText(query.slice(0, maxQueryLength))))
  return (text) => {
    const folded = foldText(text)
    const words = [...splitWords(joinUnits(folded)), ...splitWords(folded.replaceAll('-', ' '))]
    return wanted.every((part) => words.some((word) => word.startsWith(part)))
  }
}

const foldText = (text: string): string =>
  cleanText(text)
    .normalize('NFKD')
    .replaceAll(/[\p{M}'\u2019\u02bb]/gu, '')
    .toLowerCase()

/** Turns `5 gb` into `5gb`, so that it does not match 15 GB for $5.00. */
const joinUnits = (text: string): string => text.replaceAll(/(\d) (?=(?:gb|mb|days?)(?!\w))/g, '$1')

const splitWords = (text: string): string[] => text.split(/[\s,$()]+/).filter(Boolean)
