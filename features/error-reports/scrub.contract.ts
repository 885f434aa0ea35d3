/** The longest message that is kept. */
export const messageMaxLength = 300

// Longer ones are not written by hand, and the patterns need not go through more.
const longestRead = 2_000

/**
 * What a message of an error may carry of a customer, with what we put in its place. Too much is taken rather than too
 * little: where it happened is told by the frames. In this order: an address may be part of a link, a number of a token.
 */
const personal: readonly [RegExp, string][] = [
  [/(?<![a-z\d+.-])[a-z\d+.-]+:\/\/\S*/gi, '<link>'],
  [/(?<!\S)\S*@\S*/g, '<email>'],
  // A quotation that is never closed goes on to the end. What follows a letter is an apostrophe.
  [/"[^"]*(?:"|$)/g, '<text>'],
  [/`[^`]*(?:`|$)/g, '<text>'],
  [/[“”„][^“”]*(?:[“”]|$)/g, '<text>'],
  [/«[^»]*(?:»|$)/g, '<text>'],
  [/(?<![\p{L}\p{N}])['‘’].*?(?:['’](?![\p{L}\p{N}])|$)/gsu, '<text>'],
  [/(?<!\S)([^\s?]*)\?\S*=\S*/g, '$1<query>'],
  // Tokens, codes, ids: a long word with letters and figures in it, or all in capitals.
  [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z_])[\w-]{8,}|\b[A-Z]{8,}\b/g, '<id>'],
  // Phone numbers are written in groups.
  [/\p{Nd}(?:[ .,()/-]{0,2}\p{Nd}){3,}/gu, '<number>'],
]

/** A message without what may be personal in it, on one line, at most `messageMaxLength` long. Both sides run it. */
export function scrub(message: string): string {
  const plain = message
    .slice(0, longestRead)
    .normalize('NFKC')
    // Some characters become many.
    .slice(0, longestRead)
    .replace(/\s+/g, ' ')
    // Also what is not seen, and could stand between two figures.
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, '')
  const clean = personal.reduce((text, [pattern, placeholder]) => text.replace(pattern, placeholder), plain)
  return clean.slice(0, messageMaxLength).toWellFormed().trim()
}
