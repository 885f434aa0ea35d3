import type { SearchCriterion } from '#features/customers/server/parse-search.ts'
import type { ResultRow } from '../search.contract.ts'
import type { Hit } from './search.ts'

export function findMatchedRange(shown: string, { search, hit, first_name: first }: Hit): ResultRow['mark'] {
  switch (search.of) {
    case 'order':
      return toRange(0, search.code.length)
    case 'number':
      return firstDigitsRange(shown, countDigits(shown) - countUntypedDigits(search, hit))
    case 'SIM':
      // Only a SIM number's last digits are shown, so a match of other digits cannot be highlighted unless the whole number was typed.
      return search.iccid.length >= hit.length ? lastDigitsRange(shown) : null
    case 'end':
      return lastDigitsRange(shown)
    case 'email':
      return toRange(0, Math.min(search.email.length, visibleLength(shown, 0)))
    case 'name':
      return nameRange(shown, first, search.words)
  }
}

const toRange = (start: number, length: number): ResultRow['mark'] => (length > 0 ? { start, length } : null)
const countDigits = (text: string): number => text.replaceAll(/\D/g, '').length

function countUntypedDigits(
  { prefixes: beginnings }: Extract<SearchCriterion, { of: 'number' }>,
  msisdn: string,
): number {
  const prefix = beginnings.find((digits) => msisdn.startsWith(digits)) ?? ''
  return msisdn.length - prefix.length
}

function firstDigitsRange(text: string, count: number): ResultRow['mark'] {
  let end = 0
  for (let left = count; left > 0 && end < text.length; end++) if (/\d/.test(text[end] ?? '')) left--
  return toRange(0, end)
}

function lastDigitsRange(text: string): ResultRow['mark'] {
  let start = text.length
  for (let left = 4; left > 0 && start > 0; start--) if (/\d/.test(text[start - 1] ?? '')) left--
  return toRange(start, text.length - start)
}

const visibleLength = (text: string, from: number): number => {
  const dots = text.indexOf('•', from)
  return (dots < 0 ? text.length : dots) - from
}

function nameRange(shown: string, first: string, [word = '']: string[]): ResultRow['mark'] {
  if (first.toLowerCase().startsWith(word)) return toRange(0, word.length)
  const start = first.length + 1
  return toRange(start, Math.min(word.length, visibleLength(shown, start)))
}
