/** Returns a domain for the demo's email addresses, made from the brand's short name. Nobody can register a domain in `.example`. */
export function brandDomain(shortName: string): string {
  const name = shortName
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
  return `${name || 'demo'}.example`
}
