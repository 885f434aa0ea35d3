const placeholderOrigin = 'http://portal.invalid'

/**
 * Normalises a path of this portal, with its search and hash, as a browser reads it. Returns `/` for an address that leads elsewhere, so
 * that no link can redirect to another site.
 */
export function portalPath(target: string): string {
  if (!target.startsWith('/') || !URL.canParse(target, placeholderOrigin)) return '/'
  const { origin, pathname, search, hash } = new URL(target, placeholderOrigin)
  // The address `/.//elsewhere` stays on this origin, but its pathname alone, `//elsewhere`, would not.
  return origin === placeholderOrigin && !pathname.startsWith('//') ? pathname + search + hash : '/'
}
