import type { Region } from '#kit/contract/phone.ts'

/** The things that a search text may be the beginning of. For `end`, the last digits. */
export type Search =
  | { of: 'order'; code: string }
  | { of: 'email'; email: string }
  | { of: 'name'; words: string[] }
  | { of: 'number'; beginnings: string[] }
  | { of: 'SIM'; iccid: string }
  | { of: 'end'; digits: string }

/** Nothing that we store is longer. */
export const longestSearch = 254

const countryCodes: Record<Region, string> = { NZ: '64', AU: '61' }

export function searchesOf(text: string, region: Region): Search[] {
  const typed = text.slice(0, longestSearch).normalize('NFKC').trim()
  const searches: Search[] = []
  if (/^ft[0-9a-z]*$/i.test(typed)) searches.push({ of: 'order', code: typed.toUpperCase() })
  if (/\p{L}/u.test(typed) && !/\s/.test(typed) && typed.split('@').length <= 2)
    searches.push({ of: 'email', email: typed.toLowerCase() })
  const words = typed
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  if (/\p{L}/u.test(typed) && !typed.includes('@') && words.length <= 10) searches.push({ of: 'name', words })
  const digits = typed.replace(/[\s().\p{Dash}]/gu, '')
  if (/^\d{4}$/.test(digits)) searches.push({ of: 'end', digits })
  if (/^89\d{3,18}$/.test(digits)) searches.push({ of: 'SIM', iccid: digits })
  if (/^\+?\d{5,15}$/.test(digits))
    searches.push({ of: 'number', beginnings: beginningsOf(digits, countryCodes[region]) })
  return searches
}

function beginningsOf(digits: string, countryCode: string): string[] {
  if (digits.startsWith('+')) return [digits]
  if (digits.startsWith('0')) return [`+${countryCode}${digits.slice(1)}`]
  return [`+${countryCode}${digits}`, ...(digits.startsWith(countryCode) ? [`+${digits}`] : [])]
}
