import type { Search } from '#features/customers/server/searches.ts'
import type { FoundRow } from '../search.contract.ts'
import type { Hit } from './search.ts'

export function markOf(shown: string, { search, hit, first_name: first }: Hit): FoundRow['mark'] {
  switch (search.of) {
    case 'order':
      return part(0, search.code.length)
    case 'number':
      return firstDigits(shown, digitsIn(shown) - restOf(search, hit))
    case 'SIM':
      // Only the end of a SIM number is shown. The end was searched for only if the whole number was typed.
      return search.iccid.length >= hit.length ? lastDigits(shown) : null
    case 'end':
      return lastDigits(shown)
    case 'email':
      return part(0, Math.min(search.email.length, seen(shown, 0)))
    case 'name':
      return nameMark(shown, first, search.words)
  }
}

const part = (start: number, length: number): FoundRow['mark'] => (length > 0 ? { start, length } : null)
const digitsIn = (text: string): number => text.replaceAll(/\D/g, '').length

function restOf({ beginnings }: Extract<Search, { of: 'number' }>, msisdn: string): number {
  const fits = beginnings.find((digits) => msisdn.startsWith(digits)) ?? ''
  return msisdn.length - fits.length
}

function firstDigits(text: string, count: number): FoundRow['mark'] {
  let end = 0
  for (let left = count; left > 0 && end < text.length; end++) if (/\d/.test(text[end] ?? '')) left--
  return part(0, end)
}

function lastDigits(text: string): FoundRow['mark'] {
  let start = text.length
  for (let left = 4; left > 0 && start > 0; start--) if (/\d/.test(text[start - 1] ?? '')) left--
  return part(start, text.length - start)
}

const seen = (text: string, from: number): number => {
  const dots = text.indexOf('•', from)
  return (dots < 0 ? text.length : dots) - from
}

function nameMark(shown: string, first: string, [word = '']: string[]): FoundRow['mark'] {
  if (first.toLowerCase().startsWith(word)) return part(0, word.length)
  const start = first.length + 1
  return part(start, Math.min(word.length, seen(shown, start)))
}
