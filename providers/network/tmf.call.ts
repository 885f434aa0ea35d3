import { type Access, openWithoutCredentials } from '#providers/tmf/access.ts'
import { causeOf } from '#providers/http/send-http.ts'
import { jsonOrNothing } from '#providers/http/json.ts'

export type TmfOptions = {
  /** Origin, with a path if there is one, in front of `/tmf-api/`. */
  baseUrl: string
  /** For one call, its answer's body and a token for it included. */
  timeoutMs: number
  /** Without it the network is told nothing of who calls. */
  access?: Access
}

/** Maximum bytes of a list. Some networks know no pages and answer with all of it. */
const maxListBytes = 4 * 1024 * 1024

/** An answer with its JSON body (undefined when it was none), or why there was no answer. */
export type TmfAnswer = { status: number; body: unknown; headers: Headers } | { why: string }

/** Calls one of the network's APIs, such as `/tmf-api/serviceOrdering/v4`; with a body it is a POST, or a PATCH. It throws for nothing. */
export function createCall({
  baseUrl,
  timeoutMs,
  access = openWithoutCredentials(),
  api,
}: TmfOptions & { api: string }) {
  const base = baseUrl.replace(/(?<!\/)\/+$/, '') + api
  return async (path: string, body?: unknown, method: 'POST' | 'PATCH' = 'POST'): Promise<TmfAnswer> => {
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
      return { status: answer.status, body: jsonOrNothing(answer.body), headers: answer.headers }
    } catch (failure) {
      const cause = causeOf(failure)
      return { why: cause === 'TimeoutError' ? 'no answer in time' : `no answer: ${cause}` }
    }
  }
}

export type TmfCall = ReturnType<typeof createCall>

export const isSuccess = (status: number): boolean => status >= 200 && status < 300
