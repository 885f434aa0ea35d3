export const longestAnswer = 200

const hidden = '•••'
const word = /[^\s<>()[\]"',;:]+/g
/** A phone, SIM or card number, which may be written in groups. A code such as 5.7.1 does not match. */
const longNumber = /\+?\d(?:[ -]?\d){6,}/g

/**
 * Prepares the response of a mail relay or carrier, or the reason for its absence, for storage. The result is one line
 * of limited length and does not identify the recipient.
 */
export function answerOf(said: unknown, recipient: string): string {
  const text = beginningOf(
    wordsOf(said)
      .slice(0, 10 * longestRead)
      .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
      .trim(),
  )
  const withoutAddresses = text.replaceAll(word, (each) => (each.indexOf('@') > 0 ? hidden : each))
  return withoutName(withoutAddresses.replaceAll(longNumber, hidden), recipient).slice(0, longestAnswer)
}

const longestRead = 2_000

/** Drops the last word, because a truncated email address would no longer be recognised. */
function beginningOf(text: string): string {
  if (text.length <= longestRead) return text
  const beginning = text.slice(0, longestRead)
  return beginning.slice(0, Math.max(0, beginning.lastIndexOf(' ')))
}

function wordsOf(said: unknown): string {
  if (!(said instanceof Error)) return String(said ?? '')
  // The mail server's own response says more than the library's message.
  const { response } = said as Error & { response?: unknown }
  return typeof response === 'string' ? response : said.message
}

/** Servers repeat the mailbox name of an address alone, too. A shorter name would occur in other words. */
function withoutName(text: string, recipient: string): string {
  const [name = ''] = recipient.split('@')
  return name.length < 3 ? text : text.replaceAll(new RegExp(RegExp.escape(name), 'gi'), hidden)
}
