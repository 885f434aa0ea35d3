/** Maximum length of an email address (specification, section 5). The tables of accounts and of address changes enforce it, too. */
export const emailMaxLength = 254

// The characters that an HTML email field accepts on both sides of the @ (HTML Living Standard, "valid e-mail address").
const localPartPattern = /^[\w.!#$%&'*+/=?^`{|}~-]+$/
const domainLabelPattern = /^(?!-)[a-z\d-]{1,63}(?<!-)$/

/*
 * Matches misplaced hyphens of an international domain: at the beginning or end of a label, or as third and fourth character of a label
 * that does not begin with `xn`. Email fields reject such domains; URLs don't.
 */
const misplacedHyphenPattern = /(?:^|[.。])(?:-|(?!xn)[^.。]{2}--)|-(?:[.。]|$)/iu

/**
 * Normalises an email address to the form that is stored and used for sending: lower case, with an international domain in its ASCII form.
 * `Ana@kōwhai.nz` and `ana@xn--kwhai-g9a.nz` become the same address. Returns `null` for an address that a browser's email field would
 * reject.
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
  // ASCII characters other than letters, digits, hyphens and full stops would belong to another part of a URL.
  if (!/^(?:[A-Za-z\d.-]|\P{ASCII})+$/u.test(domain) || misplacedHyphenPattern.test(domain.normalize('NFKC')))
    return null
  // URLs and mail use the same rules for domains. Without the label `.x`, a domain that ends in a number would become an IP address.
  const address = `http://${domain}.x`
  return URL.canParse(address) ? new URL(address).hostname.slice(0, -'.x'.length) : null
}
