import { run } from '@zootools/email-spell-checker'
import { comOnlyProviders, knownEmailDomains, mistypedEndings, suggestedEmailDomains } from './known-email-domains.ts'

/**
 * Returns the address that a person probably meant, or `null` if the typed one is plausible. Only the domain can differ.
 * @param email an address that `normaliseEmail` accepts, as typed
 */
export function suggestEmail(email: string): string | null {
  const [local = '', typedDomain = ''] = email.split('@')
  const domain = typedDomain.toLowerCase()
  const suggestion = suggestDomain(domain)
  return suggestion === domain ? null : `${local}@${suggestion}`
}

function suggestDomain(typed: string): string {
  const domain = correctEnding(typed)
  const [provider = ''] = domain.split('.')
  if (comOnlyProviders.has(provider)) return `${provider}.com`
  if (knownEmailDomains.has(domain)) return domain
  const closest = run({
    email: `name@${domain}`,
    domains: suggestedEmailDomains,
    distanceFunction: countMistakes,
    domainThreshold: 1,
    // The library also compares parts of the domain. It would then suggest `kauri.co.nz` instead of `kauri.ac.nz`.
    secondLevelDomains: [],
    topLevelDomains: [],
  })
  return closest?.domain ?? domain
}

function correctEnding(domain: string): string {
  const at = domain.lastIndexOf('.') + 1
  return domain.slice(0, at) + (mistypedEndings.get(domain.slice(at)) ?? domain.slice(at))
}

/**
 * Returns 1 if exactly one letter is wrong, missing or extra, or two neighbours are swapped, and `Infinity` otherwise. The library's own
 * measure counts a missing letter as a half and swapped ones as two, so it cannot find `gmial.com` without `yahoo.ca`.
 */
function countMistakes(typed: string, known: string): number {
  const shorter = Math.min(typed.length, known.length)
  let start = 0
  while (start < shorter && typed[start] === known[start]) start++
  let end = 0
  while (end < shorter - start && typed.at(-1 - end) === known.at(-1 - end)) end++
  const wrong = typed.slice(start, typed.length - end)
  const right = known.slice(start, known.length - end)
  const isSwapped = wrong.length === 2 && wrong === [...right].toReversed().join('')
  return isSwapped || Math.max(wrong.length, right.length) === 1 ? 1 : Infinity
}
