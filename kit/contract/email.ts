/** Spec 5: an address has at most 254 characters; it is kept in no more. */
export const emailMaxLength = 254

// What HTML's own field takes on both sides of the @ (HTML Living Standard, "valid e-mail address").
const localPart = /^[\w.!#$%&'*+/=?^`{|}~-]+$/
const label = /^(?!-)[a-z\d-]{1,63}(?<!-)$/

// In international names none stands at a beginning or an end, nor two as in `xn--`: e-mail fields look for that, page addresses don't.
const misplacedHyphen = /(?:^|[.。])(?:-|(?!xn)[^.。]{2}--)|-(?:[.。]|$)/iu

/**
 * An address in the one form in which it is kept and written to: lower case, and an international domain as the network has
 * it, so that `Ana@kōwhai.nz` and `ana@xn--kwhai-g9a.nz` are one. Null for what a browser's e-mail field would not take.
 */
export function storedEmail(typed: string): string | null {
  if (typed.length > emailMaxLength) return null
  const [local = '', written = '', ...more] = typed.split('@')
  const domain = asciiDomain(written)
  if (more.length > 0 || !localPart.test(local) || !domain?.split('.').every((part) => label.test(part))) return null
  const email = `${local.toLowerCase()}@${domain}`
  return email.length > emailMaxLength ? null : email
}

function asciiDomain(domain: string): string | null {
  if (/^\p{ASCII}*$/u.test(domain)) return domain.toLowerCase()
  // Anything else of ASCII would be another part of a page's address.
  if (!/^(?:[A-Za-z\d.-]|\P{ASCII})+$/u.test(domain) || misplacedHyphen.test(domain.normalize('NFKC'))) return null
  // Pages and mail have their domains by the same rules. Without a last part of ours, one of figures would make it an IP address.
  const address = `http://${domain}.x`
  return URL.canParse(address) ? new URL(address).hostname.slice(0, -'.x'.length) : null
}
