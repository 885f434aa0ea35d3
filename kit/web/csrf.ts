/**
 * The CSRF token for this document's session. It comes from the page and from responses, never from the `csrftoken` cookie, because any
 * host in a parent domain can set a second cookie with that name.
 */
export const getCsrfToken = (): string => token

let token = ''

export function setCsrfToken(next: string | null): void {
  token = next || token
}

type Call = Omit<RequestInit, 'headers'> & { headers: Record<string, string> }

/**
 * `fetch` with the session's CSRF token. A response may bring the next token. If a request is rejected because it used an earlier session's
 * token, it is repeated once. That is safe, because the 403 is sent before anything is changed.
 */
export async function fetchWithToken(url: string, call: Call, mayRepeat = true): Promise<Response> {
  const sent = token
  const headers = { ...call.headers, 'x-csrftoken': sent }
  const response = await fetch(url, { ...call, credentials: 'same-origin', headers })
  setCsrfToken(response.headers.get('x-csrftoken'))
  const isStale = response.status === 403 && sent !== token
  return isStale && mayRepeat ? fetchWithToken(url, call, false) : response
}
