import { randomBytes } from 'node:crypto'

export type Answer = { status: number; body: any; headers: Headers } // oxlint-disable-line typescript/no-explicit-any

export type Visitor = {
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  send(
    method: string,
    path: string,
    init?: { body?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> },
  ): Promise<Answer>
  cookie(name: string): string | undefined
  setCookie(name: string, value: string): void
  cookies(): [name: string, value: string][]
}

/**
 * Returns the name that one of Fantail's cookies has at this URL. Over TLS, it starts with `__Host-`, so that no other host can set the
 * cookie.
 */
export const getCookieName = (url: string, name: string): string =>
  url.startsWith('https:') && name.startsWith('fantail') ? `__Host-${name}` : name

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Returns a visitor who has just opened the portal at `url`. `firstLook` is the path of the request that sets the visitor's cookies,
 * `always` contains headers for every request, and `timeoutMs` limits how long to wait for a response.
 */
export function newVisitor(
  url: string,
  firstLook = '/api/account/',
  always: Record<string, string> = {},
  { timeoutMs }: { timeoutMs?: number } = {},
): Visitor {
  const jar = new Map<string, string>()
  async function send(
    method: string,
    path: string,
    init: { body?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(path, url), {
      method,
      redirect: 'manual',
      headers: { ...(cookie && { cookie }), ...always, ...init.headers },
      ...(init.body !== undefined && { body: init.body }),
      ...(timeoutMs !== undefined && { signal: AbortSignal.timeout(timeoutMs) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    // Unlike `response.text()`, this keeps a byte order mark.
    const text = decoder.decode(await response.arrayBuffer())
    const isJson = response.headers.get('content-type')?.includes('application/json')
    return { status: response.status, body: isJson && text ? JSON.parse(text) : text, headers: response.headers }
  }

  return {
    send,
    get: (path, headers) => send('GET', path, headers ? { headers } : {}),
    async post(path, body = {}, headers = {}) {
      // Start with a GET, so that the visitor has the same cookies as any browser before its first POST.
      if (!jar.has('csrftoken')) await send('GET', firstLook)
      return send('POST', path, {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'x-csrftoken': jar.get('csrftoken') ?? '', ...headers },
      })
    },
    cookie: (name) => jar.get(getCookieName(url, name)),
    setCookie: (name, value) => void jar.set(getCookieName(url, name), value),
    cookies: () => [...jar],
  }
}

export const newEmail = (): string => `ana.${randomBytes(6).toString('hex')}@example.nz`
