export const readRequestedPage = (search: string): string => new URLSearchParams(search).get('next') ?? ''

export function addRequestedPage(path: string, search: string): string {
  const requestedPage = readRequestedPage(search)
  return requestedPage ? `${path}?${new URLSearchParams({ next: requestedPage })}` : path
}
