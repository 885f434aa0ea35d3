import { type CarrierAccess, createAnonymousAccess } from '#providers/tmf/access.ts'
import { describeCause } from '#providers/http/send-http.ts'
import { parseJsonOrUndefined } from '#providers/http/json.ts'

export type TmfOptions = {
  baseUrl: string
  timeoutMs: number
  access?: CarrierAccess
}

/** Maximum size of a list response in bytes. Some networks have no paging and return the whole list at once. */
const maxListBytes = 4 * 1024 * 1024

export type TmfResponse = { status: number; body: unknown; headers: Headers } | { why: string }

/** Creates a client for one of the network's APIs. A call without a body is a GET. Calls never throw. */
export function createTmfClient({
  baseUrl,
  timeoutMs,
  access = createAnonymousAccess(),
  api,
}: TmfOptions & { api: string }) {
  const base = baseUrl.replace(/(?<!\/)\/+$/, '') + api
  return async (path: string, body?: unknown, method: 'POST' | 'PATCH' = 'POST'): Promise<TmfResponse> => {
    try {
      const answer = await access({
        url: base + path,
        timeoutMs,
        ...(body === undefined
          ? { method: 'GET', headers: { Accept: 'application/json' }, maxBytes: maxListBytes }
          : {
              method,
              headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
              body: JSON.stringify(body),
            }),
      })
      return { status: answer.status, body: parseJsonOrUndefined(answer.body), headers: answer.headers }
    } catch (failure) {
      const cause = describeCause(failure)
      return { why: cause === 'TimeoutError' ? 'no answer in time' : `no answer: ${cause}` }
    }
  }
}

export type TmfClient = ReturnType<typeof createTmfClient>

export const isSuccess = (status: number): boolean => status >= 200 && status < 300
