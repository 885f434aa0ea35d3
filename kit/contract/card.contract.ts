import * as v from 'valibot'
import { detectCardType, getSecurityCodeLength, extractDigits, isCardNumber } from './card-number.ts'
import { getCardTypeErrorMessage, type CardType, isAcceptedCardType } from './card-types.ts'
import { createFieldIssue, requiredCode, requiredText } from './schema.ts'

/** Error messages for the card form (specification, section 5). */
export const cardMessages = {
  number: 'Please enter a valid credit card number.',
  expiry: 'Please enter a valid expiry date.',
  cvc: 'Please enter a valid CSC.',
  encryption: 'Please check your payment details and try again',
} as const

/** The current month in the market's time zone: `month` from 1 to 12, `year` with four digits. */
export type Month = { year: number; month: number }

export const expiryMaxLength = 7
export const cvcMaxLength = 4
const maxExpiryYearsAhead = 15

/** Values entered in the card form. They never leave the browser unencrypted. */
export type CardFormValues = v.InferOutput<ReturnType<typeof cardFormSchema>>

/**
 * Builds the card form's validation schema for the current month, `now`. A card is valid until the end of its expiry month, which may be at
 * most 15 years ahead, and its type must be in `taken`. `others` holds the rules for the form's other fields.
 */
export const cardFormSchema = (now: Month, taken: readonly CardType[], others: v.ObjectEntries = {}) =>
  v.pipe(
    v.object({
      ...(others as Record<never, never>),
      'credit-card-number': createCardNumberField(taken),
      'credit-card-name': requiredText(),
      'credit-card-expiry': createValidatedField((text) => isValidExpiry(text, now), cardMessages.expiry),
      'credit-card-cvc': createValidatedField(isSecurityCode, cardMessages.cvc),
    }),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      const { 'credit-card-number': number, 'credit-card-cvc': cvc } = dataset.value
      if (isSecurityCode(cvc) && cvc.length !== getSecurityCodeLength(number))
        addIssue(createFieldIssue(dataset.value, 'credit-card-cvc', cardMessages.cvc))
    }),
  )

const createValidatedField = (isValid: (text: string) => boolean, message: string) =>
  v.config(v.pipe(requiredCode(), v.check(isValid, message)), { abortPipeEarly: true })

const createCardNumberField = (taken: readonly CardType[]) =>
  v.config(
    v.pipe(
      requiredCode(),
      v.check(isCardNumber, cardMessages.number),
      v.check((number) => isAcceptedCardType(taken, detectCardType(number) ?? 'other'), getCardTypeErrorMessage(taken)),
    ),
    { abortPipeEarly: true },
  )

const isSecurityCode = (text: string): boolean => /^\d{3,4}$/.test(text)

/**
 * Formats text typed or pasted into the expiry field as `'MM / YY'`: `'3'` becomes `'03'`, and `'0330'`, `'03/2030'` and `'2030-03'`, which
 * password managers fill in, become `'03 / 30'`. The slash appears with the first digit of the year or when the customer types it, so it
 * can always be deleted.
 */
export function formatExpiry(text: string): string {
  const digits = padMonth(putMonthFirst(text))
  const month = digits.slice(0, 2)
  if (digits.length > 2) return `${month} / ${toTwoDigitYear(digits.slice(2))}`
  return month.length === 2 && /\d(?:\/| \/ )$/.test(text) ? `${month} / ` : month
}

/** Turns `'2030-03'`, HTML's form of a month, into `'03/30'`, and leaves other texts as they are. */
const putMonthFirst = (text: string): string => text.replace(/^\s*20(\d\d) *[-/] *(0[1-9]|1[0-2])\s*$/, '$2/$1')

function padMonth(text: string): string {
  const digits = extractDigits(text)
  return /^\D*(?:[2-9]|1\s*\/)/.test(text) ? `0${digits}` : digits
}

const toTwoDigitYear = (digits: string): string => (/^20\d\d/.test(digits) ? digits.slice(2, 4) : digits.slice(0, 2))

/**
 * Parses an expiry date in the form `'MM / YY'`, `'MM / YYYY'` or `'YYYY-MM'`, with or without spaces, in the current century. Returns
 * `null` if the text is invalid.
 */
export function parseExpiry(text: string, now: Month): Month | null {
  const [, month, year] = /^(0[1-9]|1[0-2])\s*\/\s*(?:20)?(\d\d)$/.exec(putMonthFirst(text).trim()) ?? []
  return month && year ? { month: Number(month), year: now.year - (now.year % 100) + Number(year) } : null
}

function isValidExpiry(text: string, now: Month): boolean {
  const expiry = parseExpiry(text, now)
  if (!expiry) return false
  return expiry.year <= now.year + maxExpiryYearsAhead && toMonthIndex(expiry) >= toMonthIndex(now)
}

const toMonthIndex = ({ year, month }: Month): number => year * 12 + month
