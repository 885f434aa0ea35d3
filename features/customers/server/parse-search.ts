import type { Region } from '#kit/contract/phone.ts'

/** What to search for. Values match if they start with the text; `end` instead matches the last four digits of a number, SIM or card. */
export type SearchCriterion =
  | { of: 'order'; code: string }
  | { of: 'email'; email: string }
  | { of: 'name'; words: string[] }
  | { of: 'number'; prefixes: string[] }
  | { of: 'SIM'; iccid: string }
  | { of: 'end'; digits: string }

/** Maximum characters in a search text. No searchable value is longer. */
export const maxSearchLength = 254

const countryCodes: Record<Region, string> = { NZ: '64', AU: '61' }

/** `orderPrefixes` contains every prefix that order codes have had. */
export function parseSearch(text: string, region: Region, orderPrefixes: ReadonlySet<string>): SearchCriterion[] {
  const searchText = text.slice(0, maxSearchLength).normalize('NFKC').trim()
  const searchCriteria: SearchCriterion[] = []
  const code = /^[0-9a-z]+$/i.test(searchText) ? searchText.toUpperCase() : ''
  if ([...orderPrefixes].some((prefix) => code.startsWith(prefix))) searchCriteria.push({ of: 'order', code })
  if (/\p{L}/u.test(searchText) && !/\s/.test(searchText) && searchText.split('@').length <= 2)
    searchCriteria.push({ of: 'email', email: searchText.toLowerCase() })
  const searchTerms = searchText
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  if (/\p{L}/u.test(searchText) && !searchText.includes('@') && searchTerms.length <= 10)
    searchCriteria.push({ of: 'name', words: searchTerms })
  const digits = searchText.replace(/[\s().\p{Dash}]/gu, '')
  if (/^\d{4}$/.test(digits)) searchCriteria.push({ of: 'end', digits })
  if (/^89\d{3,18}$/.test(digits)) searchCriteria.push({ of: 'SIM', iccid: digits })
  if (/^\+?\d{5,15}$/.test(digits))
    searchCriteria.push({ of: 'number', prefixes: buildNumberPrefixes(digits, countryCodes[region]) })
  return searchCriteria
}

function buildNumberPrefixes(digits: string, countryCode: string): string[] {
  if (digits.startsWith('+')) return [digits]
  if (digits.startsWith('0')) return [`+${countryCode}${digits.slice(1)}`]
  return [`+${countryCode}${digits}`, ...(digits.startsWith(countryCode) ? [`+${digits}`] : [])]
}
