export const maxResponseLength = 200

const placeholder = '•••'
const wordPattern = /[^\s<>()[\]"',;:]+/g
/** Matches phone, SIM and card numbers, which may be written in groups. Shorter codes such as 5.7.1 do not match. */
const longNumberPattern = /\+?\d(?:[ -]?\d){6,}/g

/**
 * Prepares a mail relay's or carrier's response for storage, or the error if it did not respond. The result is a single
 * line of limited length that does not identify the recipient.
 */
export function scrubResponse(providerResponse: unknown, recipient: string): string {
  const truncatedAnswer = truncateAtWord(
    getResponseText(providerResponse)
      .slice(0, 10 * maxReadLength)
      .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
      .trim(),
  )
  const textWithoutAddresses = truncatedAnswer.replaceAll(wordPattern, (token) =>
    token.indexOf('@') > 0 ? placeholder : token,
  )
  return hideMailboxName(textWithoutAddresses.replaceAll(longNumberPattern, placeholder), recipient).slice(
    0,
    maxResponseLength,
  )
}

const maxReadLength = 2_000

/** Truncates text after a whole word, because a truncated email address would not be recognised and hidden. */
function truncateAtWord(text: string): string {
  if (text.length <= maxReadLength) return text
  const truncatedText = text.slice(0, maxReadLength)
  return truncatedText.slice(0, Math.max(0, truncatedText.lastIndexOf(' ')))
}

function getResponseText(rawResponse: unknown): string {
  if (!(rawResponse instanceof Error)) return String(rawResponse ?? '')
  // The mail server's own response is more informative than the mail library's message.
  const { response } = rawResponse as Error & { response?: unknown }
  return typeof response === 'string' ? response : rawResponse.message
}

/**
 * Hides the recipient's mailbox name, because servers may repeat only that part of the address. Names of one or two letters
 * are not hidden, because they also occur in ordinary words.
 */
function hideMailboxName(text: string, recipient: string): string {
  const [name = ''] = recipient.split('@')
  return name.length < 3 ? text : text.replaceAll(new RegExp(RegExp.escape(name), 'gi'), placeholder)
}
