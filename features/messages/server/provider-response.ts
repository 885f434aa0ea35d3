export const maxResponseLength = 200

const placeholder = '•••'
const wordPattern = /[^\s<>()[\]"',;:]+/g
/** A phone, SIM or card number, which may be written in groups. A code such as 5.7.1 does not match. */
const longNumberPattern = /\+?\d(?:[ -]?\d){6,}/g

/**
 * Prepares the response of a mail relay or carrier, or the reason for its absence, for storage. The result is one line
 * of limited length and does not identify the recipient.
 */
export function scrubResponse(providerResponse: unknown, recipient: string): string {
  const truncated = truncateAtWord(
    answerText(providerResponse)
      .slice(0, 10 * maxReadLength)
      .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
      .trim(),
  )
  const withoutAddresses = truncated.replaceAll(wordPattern, (token) => (token.indexOf('@') > 0 ? placeholder : token))
  return hideMailboxName(withoutAddresses.replaceAll(longNumberPattern, placeholder), recipient).slice(
    0,
    maxResponseLength,
  )
}

const maxReadLength = 2_000

/** Drops the last word, because a truncated email address would no longer be recognised. */
function truncateAtWord(text: string): string {
  if (text.length <= maxReadLength) return text
  const truncatedText = text.slice(0, maxReadLength)
  return truncatedText.slice(0, Math.max(0, truncatedText.lastIndexOf(' ')))
}

function answerText(rawResponse: unknown): string {
  if (!(rawResponse instanceof Error)) return String(rawResponse ?? '')
  // The mail server's own response says more than the library's message.
  const { response } = rawResponse as Error & { response?: unknown }
  return typeof response === 'string' ? response : rawResponse.message
}

/** Servers repeat the mailbox name of an address alone, too. A shorter name would occur in other words. */
function hideMailboxName(text: string, recipient: string): string {
  const [name = ''] = recipient.split('@')
  return name.length < 3 ? text : text.replaceAll(new RegExp(RegExp.escape(name), 'gi'), placeholder)
}
