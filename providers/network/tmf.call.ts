export type TmfOptions = {
  /** Origin, with a path if there is one, in front of `/tmf-api/`. */
  baseUrl: string
  /** For one call, its answer's body included. */
  timeoutMs: number
  /** Sent as the `Authorization` header. */
  authorization?: string
}

/** An answer with its JSON body (undefined when it was none), or why there was no answer. */
export type TmfAnswer = { status: number; body: unknown; headers: Headers } | { why: string }

/** Calls one of the network's APIs, such as `/tmf-api/serviceOrdering/v4`; with a body it is a POST. It throws for nothing. */
export function createCall({ baseUrl, timeoutMs, authorization, api }: TmfOptions & { api: string }) {
  const base = baseUrl.replace(/(?<!\/)\/+$/, '') + api
  return async (path: string, body?: unknown): Promise<TmfAnswer> => {
    try {
      const response = await fetch(base + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          Accept: 'application/json',
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(authorization === undefined ? {} : { Authorization: authorization }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      return { status: response.status, body: jsonOrNothing(await response.text()), headers: response.headers }
    } catch (failure) {
      return { why: reasonOf(failure) }
    }
  }
}

export type TmfCall = ReturnType<typeof createCall>

export const isSuccess = (status: number): boolean => status >= 200 && status < 300

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function reasonOf(failure: unknown): string {
  if (!(failure instanceof Error)) return 'no answer'
  if (failure.name === 'TimeoutError') return 'no answer in time'
  return failure.cause instanceof Error ? `no answer: ${failure.cause.message}` : `no answer: ${failure.message}`
}
