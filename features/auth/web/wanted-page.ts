export const wantedIn = (search: string): string => new URLSearchParams(search).get('next') ?? ''

export function withWanted(path: string, search: string): string {
  const next = wantedIn(search)
  return next ? `${path}?${new URLSearchParams({ next })}` : path
}
