import type { SearchCriterion } from '#features/customers/server/parse-search.ts'
import type { ResultRow } from '../search.contract.ts'
import { foldName, foldedLength } from './fold-name.ts'
import type { Hit } from './search.ts'

export function findMatchedRange(shown: string, found: Hit): ResultRow['mark'] {
  const { search, hit } = found
  // An activation is listed by its number, whatever it was found by.
  if (found.kind === 'activation' && search.of !== 'number' && search.of !== 'end') return null
  switch (search.of) {
    case 'order':
      return toRange(0, search.code.length)
    case 'number':
      return numberRange(shown, search, hit)
    case 'SIM':
      // Only a SIM number's last digits are shown, so a match of other digits cannot be highlighted unless the whole number was typed.
      return search.iccid.length >= hit.length ? lastDigitsRange(shown, 4) : null
    case 'end':
      return found.kind === 'activation' && !hit.endsWith(search.digits) ? null : lastDigitsRange(shown, 4)
    case 'email':
      return toRange(0, Math.min(search.email.length, visibleLength(shown, 0)))
    case 'name':
      return nameRange(shown, search.text)
  }
}

const toRange = (start: number, length: number): ResultRow['mark'] => (length > 0 ? { start, length } : null)
const countDigits = (text: string): number => text.replaceAll(/\D/g, '').length

function numberRange(
  shown: string,
  { prefixes, ending }: Extract<SearchCriterion, { of: 'number' }>,
  msisdn: string,
): ResultRow['mark'] {
  const prefix = prefixes.find((digits) => msisdn.startsWith(digits))
  if (prefix === undefined && ending) return lastDigitsRange(shown, ending.length)
  return firstDigitsRange(shown, countDigits(shown) - (msisdn.length - (prefix?.length ?? 0)))
}

function firstDigitsRange(text: string, count: number): ResultRow['mark'] {
  let end = 0
  for (let left = count; left > 0 && end < text.length; end++) if (/\d/.test(text[end] ?? '')) left--
  return toRange(0, end)
}

function lastDigitsRange(text: string, count: number): ResultRow['mark'] {
  let start = text.length
  for (let left = count; left > 0 && start > 0; start--) if (/\d/.test(text[start - 1] ?? '')) left--
  return toRange(start, text.length - start)
}

const visibleLength = (text: string, from: number): number => {
  const dots = text.indexOf('•', from)
  return (dots < 0 ? text.length : dots) - from
}

/** Marks the first word of the shown name that begins with a word of the text. A masked word is marked as far as it is shown. */
function nameRange(shown: string, text: string): ResultRow['mark'] {
  const searchWords = text
    .split(/[\s,]+/)
    .map(foldName)
    .filter(Boolean)
  for (const { 0: word, index } of shown.matchAll(/\S+/g)) {
    const visible = word.slice(0, visibleLength(word, 0))
    const isMasked = visible !== word
    const folded = foldName(visible)
    const match = searchWords.find(
      (each) => folded.startsWith(each) || (isMasked && folded !== '' && each.startsWith(folded)),
    )
    if (match) return toRange(index, foldedLength(visible, match.length))
  }
  return null
}
