// A text in the alphabet GSM 7-bit (3GPP TS 23.038) has room for 160 characters. A single character outside it reduces
// that to 70, and the carrier then sends and charges several texts.

const alphabet =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
/** Characters that count twice. */
const wide = '^{}\\[~]|€'

const room = 160

const stand: Record<string, string> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '...',
  '\u00a0': ' ',
}

export const toGsm = (text: string): string => Array.from(text.normalize('NFC'), charOf).join('')

function charOf(char: string): string {
  if (alphabet.includes(char) || wide.includes(char)) return char
  const plain = stand[char] ?? char.normalize('NFD').replace(/\p{M}/gu, '')
  return plain !== '' && Array.from(plain).every((each) => alphabet.includes(each)) ? plain : '?'
}

export const roomOf = (text: string): number => Array.from(text).reduce((sum, char) => sum + widthOf(char), 0)

export const isOneText = (text: string): boolean => text === toGsm(text) && roomOf(text) <= room

export function cutToOneText(text: string): string {
  let left = room
  return Array.from(text)
    .filter((char) => (left -= widthOf(char)) >= 0)
    .join('')
}

const widthOf = (char: string): number => (wide.includes(char) ? 2 : 1)
