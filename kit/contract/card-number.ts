import type { CardType } from './card-types.ts'

type CardScheme = {
  type: CardType | null
  starts: RegExp
  groups: readonly number[]
  lengths: readonly number[]
  cvcLength: 3 | 4
}

// Card schemes from section 5 of the specification. Unlike some libraries, the specification treats the prefix 677189 as Mastercard.
const cardSchemes: readonly CardScheme[] = [
  { type: 'amex', starts: /^3[47]/, groups: [4, 6, 5], lengths: [15], cvcLength: 4 },
  {
    type: 'mc',
    starts: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720|677189)/,
    groups: [4, 4, 4, 4],
    lengths: [16],
    cvcLength: 3,
  },
  { type: 'visa', starts: /^4/, groups: [4, 4, 4, 4], lengths: [13, 16], cvcLength: 3 },
]

const unknownScheme: CardScheme = {
  type: null,
  starts: /^/,
  groups: [4, 4, 4, 4],
  lengths: [12, 13, 14, 15, 16],
  cvcLength: 3,
}

const findCardScheme = (number: string): CardScheme => {
  const digits = extractDigits(number)
  return cardSchemes.find((scheme) => scheme.starts.test(digits)) ?? unknownScheme
}

export const extractDigits = (text: string): string => text.replace(/\D/g, '')

/** Returns the card type as soon as the leading digits identify it; `null` until then, and for types that Fantail does not support. */
export const detectCardType = (number: string): CardType | null => findCardScheme(number).type

export const getSecurityCodeLength = (number: string): 3 | 4 => findCardScheme(number).cvcLength

export function getMaxCardNumberLength(number: string): number {
  const { groups } = findCardScheme(number)
  return sum(groups) + groups.length - 1
}

/** Groups the digits as they are printed on the card: `'4111 1111 1111 1111'`, `'3700 000000 00002'`. Extra digits are dropped. */
export function formatCardNumber(text: string): string {
  const digits = extractDigits(text)
  const { groups } = findCardScheme(digits)
  const groupStarts = groups.map((_, index) => sum(groups.slice(0, index)))
  return groups
    .map((length, index) => digits.slice(groupStarts[index], groupStarts[index]! + length))
    .filter((group) => group !== '')
    .join(' ')
}

export function isCardNumber(text: string): boolean {
  const digits = extractDigits(text)
  return findCardScheme(digits).lengths.includes(digits.length) && passesLuhn(digits)
}

/** Verifies the check digit defined in ISO/IEC 7812-1, annex B. */
export function passesLuhn(digits: string): boolean {
  let total = 0
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place])
    const doubledDigit = digit < 5 ? digit * 2 : digit * 2 - 9
    total += place % 2 === 0 ? digit : doubledDigit
  }
  return digits !== '' && total % 10 === 0
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/**
 * Whether the text contains an unencrypted card number, either alone or within other text. The server rejects such text in every field. A
 * match has 13 to 19 digits, contiguous or separated by single spaces or hyphens, with the prefix of an issued card and a valid check
 * digit. Legitimate values do not match: ICCIDs begin with 89 (older SIM numbers also with 64), phone numbers are too short or begin with
 * 0, voucher codes have 12 characters, and digits in base64 or hex are next to letters.
 */
export function looksLikeCardNumber(text: string): boolean {
  const runs =
    text
      .replace(nonAsciiPattern, normaliseCharacter)
      .replace(uuidPattern, ' ')
      .replace(internationalNumberPattern, ' ')
      .match(digitRunPattern) ?? []
  return runs.some((run) => !simNumberPattern.test(extractDigits(run)) && candidateNumbers(run).some(isIssuedCard))
}

// Characters are normalised one by one, because normalising a long run of combining marks at once takes quadratic time.
const nonAsciiPattern = /[\u0080-\u{10ffff}]/gu
const normaliseCharacter = (character: string): string => character.normalize('NFKC')
// The first three groups of a UUID can consist entirely of digits, which could be mistaken for a card number.
const uuidPattern = /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/gi
/*
 * Matches phone numbers that begin with a plus and have at most 15 digits (E.164). German mobile numbers can begin like a 13-digit Visa
 * number.
 */
const internationalNumberPattern = /\+\d(?:[\s\p{Dash}]?\d){6,14}(?![\s\p{Dash}]?\d)/gu
const digitRunPattern = /(?<![\p{L}\p{N}])\d(?:[\s\p{Dash}]?\d)+(?![\p{L}\p{N}])/gu
const digitSeparator = /[\s\p{Dash}]/u
// Matches the number printed on a SIM (specification, section 2.6).
const simNumberPattern = /^(?:89|64)\d{14,18}$/

/**
 * Splits a run of digits at its separators and yields every sequence of whole groups that is as long as a card number, because another
 * number may be written right next to the card number.
 */
function* candidateNumbers(run: string): Generator<string> {
  const digits = extractDigits(run)
  const groupBoundaries = new Set([0])
  let end = 0
  for (const group of run.split(digitSeparator)) groupBoundaries.add((end += group.length))
  for (const start of groupBoundaries) {
    if (!/[2-6]/.test(digits[start] ?? '')) continue
    for (let length = 13; length <= 19; length++) {
      if (groupBoundaries.has(start + length)) yield digits.slice(start, start + length)
    }
  }
}

// Prefixes and lengths of cards issued by Visa, Mastercard, American Express, Discover, Diners Club, JCB and UnionPay.
const issuedCardPatterns = [
  /^4(?:\d{12}|\d{15}|\d{18})$/,
  /^(?:5[1-5]\d{4}|222[1-9]\d\d|22[3-9]\d{3}|2[3-6]\d{4}|27[01]\d{3}|2720\d\d)\d{10}$/,
  /^677189\d{10,13}$/,
  /^3[47]\d{13}$/,
  /^(?:6011|65\d\d)\d{12}$/,
  /^(?:30[0-5]|3[68]\d)\d{11}$/,
  /^35(?:2[89]|[3-8]\d)\d{12}$/,
  /^62\d{14,17}$/,
]

const isIssuedCard = (digits: string): boolean =>
  issuedCardPatterns.some((range) => range.test(digits)) && passesLuhn(digits)
