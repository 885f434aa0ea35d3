/** Spec 5: an address has at most 254 characters. The tables of accounts and of address changes enforce it, too. */
export const emailMaxLength = 254

// The characters that an HTML e-mail field accepts on both sides of the @ (HTML Living Standard, "valid e-mail address").
const localPartPattern = /^[\w.!#$%&'*+/=?^`{|}~-]+$/
const domainLabelPattern = /^(?!-)[a-z\d-]{1,63}(?<!-)$/

// Labels of international domains neither begin nor end with a hyphen, nor have two hyphens as in `xn--`. E-mail fields check that; URLs
// don't.
const misplacedHyphenPattern = /(?:^|[.。])(?:-|(?!xn)[^.。]{2}--)|-(?:[.。]|$)/iu

/**
 * Normalises an address to the form that is stored and used for sending: lower case, with an international domain in its ASCII form.
 * `Ana@kōwhai.nz` and `ana@xn--kwhai-g9a.nz` become the same address. `null` for an address that a browser's e-mail field would reject.
 */
export function normaliseEmail(typed: string): string | null {
  if (typed.length > emailMaxLength) return null
  const [local = '', written = '', ...more] = typed.split('@')
  const domain = toAsciiDomain(written)
  if (
    more.length > 0 ||
    !localPartPattern.test(local) ||
    !domain?.split('.').every((part) => domainLabelPattern.test(part))
  )
    return null
  const email = `${local.toLowerCase()}@${domain}`
  return email.length > emailMaxLength ? null : email
}

function toAsciiDomain(domain: string): string | null {
  if (/^\p{ASCII}*$/u.test(domain)) return domain.toLowerCase()
  // Any other ASCII character would belong to another part of a URL.
  if (!/^(?:[A-Za-z\d.-]|\P{ASCII})+$/u.test(domain) || misplacedHyphenPattern.test(domain.normalize('NFKC')))
    return null
  // URLs and mail use the same rules for domains. Without the appended label, a numeric last label would make the domain an IP address.
  const address = `http://${domain}.x`
  return URL.canParse(address) ? new URL(address).hostname.slice(0, -'.x'.length) : null
}
