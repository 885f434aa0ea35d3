import { createContext, use, type ReactNode } from 'react'
import { pathOf, type Answer, type Api, type CallInput, type Endpoint, type OutputOf } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import { fetchWithToken } from './csrf.ts'
import { tellFault } from './fault.ts'
import { noteServerTime } from './server-time.ts'

const ApiContext = createContext<Api | null>(null)

export function ApiProvider({ api, children }: { api: Api; children: ReactNode }): ReactNode {
  return <ApiContext value={api}>{children}</ApiContext>
}

/**
 * The API as this side reaches it: over fetch in the browser, in process while a page is rendered.
 * @throws Error outside an ApiProvider
 */
export function useApi(): Api {
  const api = use(ApiContext)
  if (!api) throw new Error('useApi outside an ApiProvider')
  return api
}

export type BrowserApiOptions = {
  /** Put before every path; empty for the page's own origin. */
  origin?: string
  /** How long an answer may take, in milliseconds. */
  timeout?: number
  /** Told of every answer that says the visitor is not signed in (401), before the call throws. */
  onSignedOut?: () => void
}

/**
 * The API over fetch. An answer of 400 and up throws an ApiError with its JSON body (undefined when it was not JSON);
 * no answer in time, or a good one that is not JSON, throws an ApiError of status 0.
 */
export function browserApi({ origin = '', timeout = 60_000, onSignedOut }: BrowserApiOptions = {}): Api {
  return {
    async call<E extends Endpoint>(endpoint: E, input: CallInput): Promise<Answer<E>> {
      const response = await fetchWithToken(origin + addressOf(endpoint, input), {
        method: endpoint.method,
        headers: {
          accept: 'application/json',
          ...(input.body !== undefined && { 'content-type': 'application/json' }),
          ...input.headers,
        },
        body: input.body === undefined ? undefined : JSON.stringify(input.body),
        signal: AbortSignal.timeout(timeout),
      }).catch(() => null)
      if (!response) throw new ApiError(0, undefined)
      noteTimeOf(response)
      const body: unknown = await response.json().catch(() => undefined)
      if (response.status === 401) onSignedOut?.()
      if (response.status >= 500) tellFault('call', endpoint, response)
      if (response.status >= 400) throw new ApiError(response.status, body)
      if (body === undefined) throw new ApiError(0, undefined)
      return { status: response.status, data: body as OutputOf<E> }
    },
  }
}

function addressOf(endpoint: Endpoint, { params, query }: CallInput): string {
  const path = pathOf(endpoint, params as Record<string, string> | undefined)
  const search = new URLSearchParams(query as Record<string, string> | undefined).toString()
  return search ? `${path}?${search}` : path
}

function noteTimeOf(response: Response): void {
  const time = response.headers.get('x-server-time')
  // An answer that a cache may keep carries the time it was made, not the time it came.
  if (time && !/max-age=[1-9]/.test(response.headers.get('cache-control') ?? '')) noteServerTime(time)
}
