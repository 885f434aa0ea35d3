/** What a phone dials: `tel:0800326824` for `0800 326 824`. */
export const telOf = (phone: string): string => `tel:${phone.replace(/[^+\d]/g, '')}`

/** What a provider's link may be, for its fault lines. */
export const safeLinks = '/path, https://, mailto: or tel:'

/**
 * Whether an address from a provider's texts may become a link: a path of this site, or `https:`, `mailto:` or `tel:`.
 * Browsers take a backslash for a slash and leave out tabs and line breaks, so neither may be in it.
 */
export function isSafeLink(address: string): boolean {
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(address)) return false
  return (
    /^(?:\/(?!\/)|https:\/\/[^/?#]|mailto:[^?]+@[^?]|tel:\+?\d)/.test(address) &&
    (address.startsWith('/') || URL.canParse(address))
  )
}
