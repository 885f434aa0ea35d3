/**
 * Characters that take no space and that nobody types on purpose: zero-width characters, direction marks, soft hyphens and byte order
 * marks. Phones add them, for example, to a number copied from the contacts.
 */
const invisibleCharacters = /[\u00ad\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

/**
 * The same characters, except for a joiner or non-joiner between two characters outside ASCII, and a joiner after a combining mark. Persian,
 * Sinhala, Malayalam and many emoji need these.
 */
const invisibleInText =
  /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|(?<![^\0-\u007f\u200c\u200d])[\u200c\u200d]|(?<!\p{M})[\u200c\u200d](?![^\0-\u007f])/gu

/** Cleans text that people read, such as a name: removes invisible characters, turns tabs into spaces, and applies Unicode NFC. */
export const cleanText = (text: string): string =>
  text.replace(invisibleInText, '').replaceAll('\t', ' ').normalize('NFC')

/**
 * Cleans a phone number, an email address or a code: removes invisible characters and tabs, and applies Unicode NFKC, which turns
 * full-width digits into ASCII digits.
 */
export const cleanCode = (text: string): string =>
  text.replace(invisibleCharacters, '').replaceAll('\t', '').normalize('NFKC')

/** The length of a text in code points, as PostgreSQL counts it. An emoji has one or more of them. */
export const countCharacters = (text: string): number => [...text].length
