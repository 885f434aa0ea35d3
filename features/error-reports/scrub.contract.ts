export const messageMaxLength = 300

/*
 * Maximum number of characters of a message that are scrubbed. The rest is dropped, because longer messages are machine-generated and their
 * start is enough.
 */
const maxScrubbedLength = 2_000

/**
 * Patterns that match personal data in an error message, with their replacements. They err on the side of removing too
 * much, because the stack frames already show where the error happened. Their order matters: an email address may be
 * part of a link, and a number may be part of a token.
 */
const personalDataPatterns: readonly [RegExp, string][] = [
  [/(?<![a-z\d+.-])[a-z\d+.-]+:\/\/\S*/gi, '<link>'],
  [/(?<!\S)\S*@\S*/g, '<email>'],
  // An unclosed quotation extends to the end of the message. A single quote after a letter or digit is an apostrophe.
  [/"[^"]*(?:"|$)/g, '<text>'],
  [/`[^`]*(?:`|$)/g, '<text>'],
  [/[“”„][^“”]*(?:[“”]|$)/g, '<text>'],
  [/«[^»]*(?:»|$)/g, '<text>'],
  [/(?<![\p{L}\p{N}])['‘’].*?(?:['’](?![\p{L}\p{N}])|$)/gsu, '<text>'],
  [/(?<!\S)([^\s?]*)\?\S*=\S*/g, '$1<query>'],
  // Matches tokens, codes and ids: long words that mix letters and digits, and long all-caps words.
  [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z_])[\w-]{8,}|\b[A-Z]{8,}\b/g, '<id>'],
  [/\p{Nd}(?:[ .,()/-]{0,2}\p{Nd}){3,}/gu, '<number>'],
]

/**
 * Removes anything that may be personal data from an error message. Returns one line of at most `messageMaxLength`
 * characters. Both the browser and the server call this function.
 */
export function scrub(message: string): string {
  const normalisedMessage = message
    .slice(0, maxScrubbedLength)
    .normalize('NFKC')
    // Unicode normalisation can make text longer, so truncate it again.
    .slice(0, maxScrubbedLength)
    .replace(/\s+/g, ' ')
    // Remove invisible characters, because one inside a long number would hide the number from the patterns.
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, '')
  const scrubbedMessage = personalDataPatterns.reduce(
    (text, [pattern, placeholder]) => text.replace(pattern, placeholder),
    normalisedMessage,
  )
  return scrubbedMessage.slice(0, messageMaxLength).toWellFormed().trim()
}
