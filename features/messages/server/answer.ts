/** So much of it is kept. */
export const longestAnswer = 200

const hidden = '•••'
const address = /[^\s<>()[\]"',;:]+@[^\s<>()[\]"',;:]*/g
/** A phone number, a SIM, a card; written in groups, too. Not a code such as 5.7.1. */
const longNumber = /\+?\d(?:[ -]?\d){6,}/g

/**
 * What a relay or a carrier said, or why there was no answer, as it may be kept and shown: on one line, with a bound, and without
 * anything by which to tell whom the message was for.
 */
export function answerOf(said: unknown, recipient: string): string {
  const text = beginningOf(
    wordsOf(said)
      .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
      .trim(),
  )
  return withoutName(text.replaceAll(address, hidden).replaceAll(longNumber, hidden), recipient).slice(0, longestAnswer)
}

/** Nobody reads more, and an address that is cut in two would be none any more: its word goes with it. */
const beginningOf = (text: string): string => (text.length > 2_000 ? text.slice(0, 2_000).replace(/\S*$/, '') : text)

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
