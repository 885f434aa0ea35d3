/*
 * A text message in the GSM 7-bit alphabet (3GPP TS 23.038) has room for 160 characters. A single character from outside
 * that alphabet reduces the limit to 70, so that the carrier sends and charges for several texts.
 */

const gsmAlphabet =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
/** Characters that count as two in a text message. */
const doubleWidthCharacters = '^{}\\[~]|€'

const maxSmsLength = 160

const replacements: Record<string, string> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '...',
  '\u00a0': ' ',
}

export const toGsmText = (text: string): string => Array.from(text.normalize('NFC'), toGsmCharacter).join('')

function toGsmCharacter(char: string): string {
  if (gsmAlphabet.includes(char) || doubleWidthCharacters.includes(char)) return char
  const unaccentedCharacter = replacements[char] ?? char.normalize('NFD').replace(/\p{M}/gu, '')
  return unaccentedCharacter !== '' && Array.from(unaccentedCharacter).every((each) => gsmAlphabet.includes(each))
    ? unaccentedCharacter
    : '?'
}

export const gsmLength = (text: string): number =>
  Array.from(text).reduce((sum, char) => sum + getCharacterWidth(char), 0)

export const fitsInOneSms = (text: string): boolean => text === toGsmText(text) && gsmLength(text) <= maxSmsLength

export function truncateToOneSms(text: string): string {
  let remaining = maxSmsLength
  return Array.from(text)
    .filter((char) => (remaining -= getCharacterWidth(char)) >= 0)
    .join('')
}

const getCharacterWidth = (char: string): number => (doubleWidthCharacters.includes(char) ? 2 : 1)
