export const messageMaxLength = 300

// Maximum characters that the patterns process. Nobody writes longer messages by hand.
const maxScrubbedLength = 2_000

/**
 * Patterns for personal data in an error message, with their replacements. They remove too much rather than too little,
 * because the frames tell where the error happened. The sequence matters: an email address may be part of a link, and a
 * number may be part of a token.
 */
const personalDataPatterns: readonly [RegExp, string][] = [
  [/(?<![a-z\d+.-])[a-z\d+.-]+:\/\/\S*/gi, '<link>'],
  [/(?<!\S)\S*@\S*/g, '<email>'],
  // An unclosed quotation extends to the end. After a letter, the character is an apostrophe.
  [/"[^"]*(?:"|$)/g, '<text>'],
  [/`[^`]*(?:`|$)/g, '<text>'],
  [/[“”„][^“”]*(?:[“”]|$)/g, '<text>'],
  [/«[^»]*(?:»|$)/g, '<text>'],
  [/(?<![\p{L}\p{N}])['‘’].*?(?:['’](?![\p{L}\p{N}])|$)/gsu, '<text>'],
  [/(?<!\S)([^\s?]*)\?\S*=\S*/g, '$1<query>'],
  // Tokens, codes and ids: a long word that mixes letters and digits, or a long word in capitals.
  [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z_])[\w-]{8,}|\b[A-Z]{8,}\b/g, '<id>'],
  [/\p{Nd}(?:[ .,()/-]{0,2}\p{Nd}){3,}/gu, '<number>'],
]

/**
 * Removes everything that may be personal from a message and returns one line of at most `messageMaxLength` characters.
 * Browser and server both run this function.
 */
export function scrub(message: string): string {
  const normalised = message
    .slice(0, maxScrubbedLength)
    .normalize('NFKC')
    // Normalisation can expand some characters.
    .slice(0, maxScrubbedLength)
    .replace(/\s+/g, ' ')
    // Also removes invisible characters, which could separate two digits.
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, '')
  const scrubbed = personalDataPatterns.reduce(
    (text, [pattern, placeholder]) => text.replace(pattern, placeholder),
    normalised,
  )
  return scrubbed.slice(0, messageMaxLength).toWellFormed().trim()
}
