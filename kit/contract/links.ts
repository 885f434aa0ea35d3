export const telLink = (phone: string): string => `tel:${phone.replace(/[^+\d]/g, '')}`

export const safeLinkFormats = '/path, https://, mailto: or tel:'

/**
 * Whether an address in a provider's texts may become a link: a path of this site, or `https:`, `mailto:` or `tel:`. Browsers read a
 * backslash as a slash and drop tabs and line breaks, so none of these characters is allowed.
 */
export function isSafeLink(address: string): boolean {
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(address)) return false
  return (
    /^(?:\/(?!\/)|https:\/\/[^/?#]|mailto:[^?]+@[^?]|tel:\+?\d)/.test(address) &&
    (address.startsWith('/') || URL.canParse(address))
  )
}
