/** The page that was asked for before signing in, or '' for none. Whether it is one of this portal is judged where it is used. */
export const wantedIn = (search: string): string => new URLSearchParams(search).get('next') ?? ''

/** The address of another page before the portal, on the way to the same wanted page. */
export function withWanted(path: string, search: string): string {
  const next = wantedIn(search)
  return next ? `${path}?${new URLSearchParams({ next })}` : path
}
