export const buildTelLink = (phone: string): string => `tel:${phone.replace(/[^+\d]/g, '')}`

export const safeLinkFormats = '/path, https://, mailto: or tel:'

/**
 * Whether an address in text written by the provider may become a link: a path on this site, or an `https:`, `mailto:` or `tel:` address.
 * Browsers treat a backslash as a slash and drop tabs and line breaks, so addresses that contain these characters are rejected.
 */
export function isSafeLink(address: string): boolean {
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(address)) return false
  return (
    /^(?:\/(?!\/)|https:\/\/[^/?#]|mailto:[^?]+@[^?]|tel:\+?\d)/.test(address) &&
    (address.startsWith('/') || URL.canParse(address))
  )
}
