/** So much of it is kept. */
export const longestAnswer = 200

const hidden = '•••'
/** What stands between brackets, quotes and blanks: an address is one of these. */
const word = /[^\s<>()[\]"',;:]+/g
/** A phone number, a SIM, a card; written in groups, too. Not a code such as 5.7.1. */
const longNumber = /\+?\d(?:[ -]?\d){6,}/g

/**
 * What a relay or a carrier said, or why there was no answer, as it may be kept and shown: on one line, with a bound, and without
 * anything by which to tell whom the message was for.
 */
export function answerOf(said: unknown, recipient: string): string {
  const text = beginningOf(
    wordsOf(said)
      // A relay may go on for as long as it likes.
      .slice(0, 10 * longestRead)
      .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
      .trim(),
  )
  const withoutAddresses = text.replaceAll(word, (each) => (each.indexOf('@') > 0 ? hidden : each))
  return withoutName(withoutAddresses.replaceAll(longNumber, hidden), recipient).slice(0, longestAnswer)
}

const longestRead = 2_000

/** Nobody reads more, and an address that is cut in two would be none any more: its word goes with it. */
function beginningOf(text: string): string {
  if (text.length <= longestRead) return text
  const beginning = text.slice(0, longestRead)
  return beginning.slice(0, Math.max(0, beginning.lastIndexOf(' ')))
}

function wordsOf(said: unknown): string {
  if (!(said instanceof Error)) return String(said ?? '')
  // A mail server's own words say more than what is made of them.
  const { response } = said as Error & { response?: unknown }
  return typeof response === 'string' ? response : said.message
}

/** Of an address servers repeat the mailbox alone, too: one of fewer letters would be found in other words. */
function withoutName(text: string, recipient: string): string {
  const [name = ''] = recipient.split('@')
  return name.length < 3 ? text : text.replaceAll(new RegExp(RegExp.escape(name), 'gi'), hidden)
}
