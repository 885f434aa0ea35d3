import * as v from 'valibot'
import { requiredCode } from './schema.ts'

/**
 * Maximum length of an email address (specification, section 5). The database tables for accounts and email changes enforce the same limit.
 */
export const emailMaxLength = 254

// Patterns that HTML email fields apply before and after the @ (HTML Living Standard, "valid e-mail address").
const localPartPattern = /^[\w.!#$%&'*+/=?^`{|}~-]+$/
const domainLabelPattern = /^(?!-)[a-z\d-]{1,63}(?<!-)$/

/*
 * Matches misplaced hyphens in an international domain: at the start or end of a label, or as the third and fourth characters of a label
 * that does not begin with `xn`. Email fields reject these domains, but URLs do not.
 */
const misplacedHyphenPattern = /(?:^|[.。])(?:-|(?!xn)[^.。]{2}--)|-(?:[.。]|$)/iu

/**
 * Normalises an email address into the form that we store and send to: lower case, with any international domain in its ASCII form.
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
  // An ASCII character other than a letter, digit, hyphen or full stop would end the host name and start a different part of the URL.
  if (!/^(?:[A-Za-z\d.-]|\P{ASCII})+$/u.test(domain) || misplacedHyphenPattern.test(domain.normalize('NFKC')))
    return null
  // URLs and email share the same domain rules. The label `.x` keeps a domain that ends in a number from being parsed as an IP address.
  const address = `http://${domain}.x`
  return URL.canParse(address) ? new URL(address).hostname.slice(0, -'.x'.length) : null
}

export const emailMessage = 'Please enter a valid email address.'

export const requiredEmail = () =>
  v.config(
    v.pipe(
      requiredCode(),
      v.maxLength(emailMaxLength, emailMessage),
      v.check((typed) => normaliseEmail(typed) !== null, emailMessage),
      v.transform((typed) => normaliseEmail(typed) ?? typed),
    ),
    { abortPipeEarly: true },
  )
