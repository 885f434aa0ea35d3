export const requestedPageIn = (search: string): string => new URLSearchParams(search).get('next') ?? ''

export function withRequestedPage(path: string, search: string): string {
  const requestedPage = requestedPageIn(search)
  return requestedPage ? `${path}?${new URLSearchParams({ next: requestedPage })}` : path
}
