// A text in a phone's own alphabet, GSM 7-bit (3GPP TS 23.038), has room for 160 characters. One character that is not
// in it makes that 70, and the carrier sends, and charges, several.

const alphabet =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
/** These take the room of two. */
const wide = '^{}\\[~]|€'

/** Room of one text. */
const room = 160

/** What the alphabet has for signs that it does not have. */
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

/** The same in a phone's own alphabet: letters lose the marks that it does not have, and what it cannot say at all is `?`. */
export const toGsm = (text: string): string => Array.from(text.normalize('NFC'), charOf).join('')

function charOf(char: string): string {
  if (alphabet.includes(char) || wide.includes(char)) return char
  const plain = stand[char] ?? char.normalize('NFD').replace(/\p{M}/gu, '')
  return plain !== '' && Array.from(plain).every((each) => alphabet.includes(each)) ? plain : '?'
}

/** The room that a text in the alphabet takes. */
export const roomOf = (text: string): number => Array.from(text).reduce((sum, char) => sum + widthOf(char), 0)

/** Whether it goes as one. */
export const isOneText = (text: string): boolean => text === toGsm(text) && roomOf(text) <= room

/** As much of a text in the alphabet as goes as one. */
export function cutToOneText(text: string): string {
  let left = room
  return Array.from(text)
    .filter((char) => (left -= widthOf(char)) >= 0)
    .join('')
}

const widthOf = (char: string): number => (wide.includes(char) ? 2 : 1)
