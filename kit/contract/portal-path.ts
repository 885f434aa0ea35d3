const placeholderOrigin = 'http://portal.invalid'

/**
 * Normalises a path within this portal, including its query string and hash, the way a browser would. Returns `/` for an address on a
 * different site, so that links cannot redirect there.
 */
export function toPortalPath(target: string): string {
  if (!target.startsWith('/') || !URL.canParse(target, placeholderOrigin)) return '/'
  const { origin, pathname, search, hash } = new URL(target, placeholderOrigin)
  // The address `/.//elsewhere` stays on this origin, but its pathname `//elsewhere` on its own would not.
  return origin === placeholderOrigin && !pathname.startsWith('//') ? pathname + search + hash : '/'
}
