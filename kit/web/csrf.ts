/**
 * The CSRF token of this document's session. It comes from the page and from responses, never from the `csrftoken` cookie: any host of a
 * parent domain can set another cookie of that name.
 */
export const csrfToken = (): string => token

let token = ''

export function setCsrfToken(next: string | null): void {
  token = next || token
}

type Call = Omit<RequestInit, 'headers'> & { headers: Record<string, string> }

/**
 * `fetch` with the session's CSRF token; a response may bring the next token. A call that was rejected with an earlier session's token is
 * repeated once. This is safe, because a 403 precedes every change.
 */
export async function fetchWithToken(url: string, call: Call, mayRepeat = true): Promise<Response> {
  const sent = token
  const headers = { ...call.headers, 'x-csrftoken': sent }
  const response = await fetch(url, { ...call, credentials: 'same-origin', headers })
  setCsrfToken(response.headers.get('x-csrftoken'))
  const isStale = response.status === 403 && sent !== token
  return isStale && mayRepeat ? fetchWithToken(url, call, false) : response
}
