/**
 * Matches invisible characters: Unicode's format characters, such as direction marks, which phones add to a number copied from contacts.
 * Joiners and non-joiners are excluded if they stand between two characters outside ASCII, or after a combining mark. Persian, Sinhala,
 * Malayalam and many emoji need these.
 */
const invisibleInText =
  /(?![\u200c\u200d])\p{Cf}|(?<![^\0-\u007f\u200c\u200d])[\u200c\u200d]|(?<!\p{M})[\u200c\u200d](?![^\0-\u007f])/gu

/** Cleans text that people read, such as a name: removes invisible characters, turns tabs into spaces, and applies Unicode NFC. */
export const cleanText = (text: string): string =>
  text.replace(invisibleInText, '').replaceAll('\t', ' ').normalize('NFC')

/**
 * Cleans a phone number, an email address or a code: removes invisible characters and tabs, and applies Unicode NFKC, which turns
 * full-width digits into ASCII digits.
 */
export const cleanCode = (text: string): string => text.replace(/[\p{Cf}\t]/gu, '').normalize('NFKC')

/** The length of a text in code points, as PostgreSQL counts it. An emoji has one or more of them. */
export const countCharacters = (text: string): number => [...text].length
