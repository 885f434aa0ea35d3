const here = 'http://portal.invalid'

/**
 * A path of this portal with its search and hash, as a browser reads it. `/` for an address that leads elsewhere, so that no link can
 * redirect to another site.
 */
export function ownPath(target: string): string {
  if (!target.startsWith('/') || !URL.canParse(target, here)) return '/'
  const { origin, pathname, search, hash } = new URL(target, here)
  // `/.//elsewhere` stays on this origin, but its pathname alone would not.
  return origin === here && !pathname.startsWith('//') ? pathname + search + hash : '/'
}
