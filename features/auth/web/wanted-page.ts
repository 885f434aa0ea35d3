/** The page requested before sign-in, or `''`. The code that navigates there checks that it belongs to this portal. */
export const wantedIn = (search: string): string => new URLSearchParams(search).get('next') ?? ''

/** The URL of another page before sign-in that keeps the requested page. */
export function withWanted(path: string, search: string): string {
  const next = wantedIn(search)
  return next ? `${path}?${new URLSearchParams({ next })}` : path
}
