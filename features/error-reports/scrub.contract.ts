export const messageMaxLength = 300

// Maximum characters of a message that are scrubbed. Longer messages are generated, and their beginning is enough.
const maxScrubbedLength = 2_000

/**
 * Patterns that match personal data in an error message, with their replacements. When in doubt they remove text,
 * because the stack frames already show where the error happened. Their order matters: an email address may be part of
 * a link, and a number may be part of a token.
 */
const personalDataPatterns: readonly [RegExp, string][] = [
  [/(?<![a-z\d+.-])[a-z\d+.-]+:\/\/\S*/gi, '<link>'],
  [/(?<!\S)\S*@\S*/g, '<email>'],
  // An unclosed quotation counts as quoted up to the end of the message. After a letter, the character is an apostrophe.
  [/"[^"]*(?:"|$)/g, '<text>'],
  [/`[^`]*(?:`|$)/g, '<text>'],
  [/[“”„][^“”]*(?:[“”]|$)/g, '<text>'],
  [/«[^»]*(?:»|$)/g, '<text>'],
  [/(?<![\p{L}\p{N}])['‘’].*?(?:['’](?![\p{L}\p{N}])|$)/gsu, '<text>'],
  [/(?<!\S)([^\s?]*)\?\S*=\S*/g, '$1<query>'],
  // Matches tokens, codes and ids: long words that mix letters and digits, and long words in capitals.
  [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z_])[\w-]{8,}|\b[A-Z]{8,}\b/g, '<id>'],
  [/\p{Nd}(?:[ .,()/-]{0,2}\p{Nd}){3,}/gu, '<number>'],
]

/**
 * Removes everything that may be personal data from an error message. Returns one line of at most `messageMaxLength`
 * characters. The browser and the server both call this function.
 */
export function scrub(message: string): string {
  const normalised = message
    .slice(0, maxScrubbedLength)
    .normalize('NFKC')
    // Unicode normalisation can lengthen a text, so cut it again.
    .slice(0, maxScrubbedLength)
    .replace(/\s+/g, ' ')
    // Also removes invisible characters, which could hide a long number from the patterns by splitting it.
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, '')
  const scrubbed = personalDataPatterns.reduce(
    (text, [pattern, placeholder]) => text.replace(pattern, placeholder),
    normalised,
  )
  return scrubbed.slice(0, messageMaxLength).toWellFormed().trim()
}
