import { cleanCode, cleanText } from '#kit/contract/clean-text.ts'
import { normaliseEmail } from '#kit/contract/email.ts'
import { parseMobile, type Region } from '#kit/contract/phone.ts'

/**
 * What to search for. Values match if they start with the text; a name matches if each word of the text starts one of its words. `end`
 * matches the last four digits of a number, SIM or card. `ending` is a number without its prefix, such as `5059101` of 021 505 9101.
 */
export type SearchCriterion =
  | { of: 'order'; code: string }
  | { of: 'email'; email: string }
  | { of: 'name'; text: string }
  | { of: 'number'; prefixes: string[]; ending: string | null }
  | { of: 'SIM'; iccid: string }
  | { of: 'end'; digits: string }

/** Maximum characters in a search text. No searchable value is longer. */
export const maxSearchLength = 254

const maxWords = 10
const countryCodes: Record<Region, string> = { NZ: '64', AU: '61' }

/** `orderPrefixes` contains every prefix that order codes have had. */
export function parseSearch(text: string, region: Region, orderPrefixes: ReadonlySet<string>): SearchCriterion[] {
  const searchText = unwrapAddress(cleanText(text.slice(0, maxSearchLength)).normalize('NFKC'))
  const searchCriteria: SearchCriterion[] = []
  const compactText = cleanCode(searchText).replace(/[\s#\p{Dash}]/gu, '')
  // A text in groups is a code only if it has a digit; otherwise it is a name.
  const isAlphanumeric = /^[0-9a-z]+$/i.test(compactText) && (compactText === searchText || /\d/.test(compactText))
  const code = isAlphanumeric ? compactText.toUpperCase() : ''
  if ([...orderPrefixes].some((prefix) => code.startsWith(prefix))) searchCriteria.push({ of: 'order', code })
  const hasLetter = /\p{L}/u.test(searchText)
  if (hasLetter && !/\s/.test(searchText) && searchText.split('@').length <= 2)
    searchCriteria.push({ of: 'email', email: normaliseEmail(searchText) ?? searchText.toLowerCase() })
  if (hasLetter && !searchText.includes('@') && searchText.split(/[\s,]+/).length <= maxWords)
    searchCriteria.push({ of: 'name', text: searchText })
  // Spreadsheets put an apostrophe before a SIM number, to keep it from being rounded. Some SIM packs print an F after it.
  const digits = cleanCode(searchText).replace(/[\s'().\p{Dash}]/gu, '')
  if (/^\d{4}$/.test(digits)) searchCriteria.push({ of: 'end', digits })
  if (/^89\d{3,18}f?$/i.test(digits)) searchCriteria.push({ of: 'SIM', iccid: digits.replace(/f$/i, '') })
  if (/^\+?\d{5,15}$/.test(digits)) searchCriteria.push(numberSearch(digits, region))
  return searchCriteria
}

/** Extracts an address or number from the form in which it was copied, such as `<ana@example.nz>` or `tel:+64-21-505-9101`. */
function unwrapAddress(text: string): string {
  const [, inBrackets = text] = /<([^<>]+)>/.exec(text) ?? []
  const [, address] = /^(?:mailto|tel|sms):([^?;]*)/i.exec(inBrackets.trim()) ?? []
  return (address === undefined ? inBrackets : decodePercent(address)).trim()
}

function decodePercent(text: string): string {
  try {
    return cleanCode(decodeURIComponent(text)).replaceAll(/\p{Cc}/gu, '')
  } catch {
    return text
  }
}

function numberSearch(digits: string, region: Region): SearchCriterion {
  const mobile = parseMobile(digits, region)
  const prefixes = typeof mobile === 'string' ? buildNumberPrefixes(digits, countryCodes[region]) : [mobile.e164]
  return { of: 'number', prefixes, ending: /^[1-9]\d{4,8}$/.test(digits) ? digits : null }
}

function buildNumberPrefixes(digits: string, countryCode: string): string[] {
  const number = digits.replace(/^00(?:11)?(?=6[14])/, '+').replace(/^(\+6[14])0/, '$1')
  if (number.startsWith('+')) return [number]
  if (number.startsWith('0')) return [`+${countryCode}${number.slice(1)}`]
  return [`+${countryCode}${number}`, ...(number.startsWith(countryCode) ? [`+${number}`] : [])]
}
