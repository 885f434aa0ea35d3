// Only the highlighting uses this: the database compares names with its own function `name_words`, which folds more letters.

const apostrophes = /['`´ʹʻʼʽʾʿˈ׳‘’‚‛′ꞌ＇]/gu
const marks = /[\p{M}\p{Cf}]/gu

/** Folds case, diacritics, apostrophes and Unicode forms. */
export const foldName = (text: string): string =>
  text.replace(apostrophes, '').normalize('NFKD').replace(marks, '').toLowerCase()

/** How many characters at the start of `text` become the first `count` characters of its folded form. */
export function foldedLength(text: string, count: number): number {
  let length = 0
  let folded = 0
  for (const character of text) {
    const added = foldName(character).length
    if (folded >= count && added > 0) break
    folded += added
    length += character.length
  }
  return length
}
