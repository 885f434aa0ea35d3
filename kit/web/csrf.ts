const header = 'x-csrftoken'

let token = ''

/**
 * The CSRF token of this document's session. It comes from the page and from responses, never from the `csrftoken` cookie: any host of a
 * parent domain can set another cookie of that name.
 */
export const csrfToken = (): string => token

export function noteCsrfToken(next: string | null): void {
  if (next) token = next
}

/** The headers of a response, as `fetch` and `XMLHttpRequest` have them. */
type Reply = { status: number; header(name: string): string | null }

/**
 * Notes the token that a response brings, if any. True when the server refused the call only because it was sent with the token of an
 * earlier session: the call has changed nothing and can be repeated.
 */
export function isStaleToken({ status, header: read }: Reply, sent: string): boolean {
  const current = read(header)
  noteCsrfToken(current)
  return status === 403 && current !== null && current !== sent
}

type Call = Omit<RequestInit, 'headers'> & { headers: Record<string, string> }

/** `fetch` with the session's token. A call that was sent with a stale one is repeated once. */
export async function fetchWithToken(url: string, call: Call): Promise<Response> {
  const send = (): Promise<Response> =>
    fetch(url, { ...call, credentials: 'same-origin', headers: { ...call.headers, [header]: token } })
  const sent = token
  const response = await send()
  return isStaleToken({ status: response.status, header: (name) => response.headers.get(name) }, sent)
    ? noted(await send())
    : response
}

function noted(response: Response): Response {
  noteCsrfToken(response.headers.get(header))
  return response
}

/** Every value of a cookie, as one text. It changes when another tab of this browser signs in or out. */
export const cookieMark = (name: string): string =>
  document.cookie
    .split('; ')
    .filter((pair) => pair.startsWith(`${name}=`))
    .join('; ')
