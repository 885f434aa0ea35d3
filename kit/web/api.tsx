import { createContext, use, type ReactNode } from 'react'
import {
  pathOf,
  type ApiResponse,
  type Api,
  type CallInput,
  type Endpoint,
  type OutputOf,
} from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import { fetchWithToken } from './csrf.ts'
import { reportFault } from './fault.ts'
import { noteServerTime } from './server-time.ts'

const ApiContext = createContext<Api | null>(null)

export function ApiProvider({ api, children }: { api: Api; children: ReactNode }): ReactNode {
  return <ApiContext value={api}>{children}</ApiContext>
}

/**
 * Returns the API of this environment: over fetch in the browser, and in process while the server renders a page.
 * @throws Error outside an ApiProvider
 */
export function useApi(): Api {
  const api = use(ApiContext)
  if (!api) throw new Error('useApi outside an ApiProvider')
  return api
}

export type BrowserApiOptions = {
  origin?: string
  /** Timeout of each call, in milliseconds. */
  timeout?: number
  onSignedOut?: () => void
}

/**
 * Creates the API over fetch. A response of 400 and up throws an ApiError with its JSON body (undefined if it was not JSON). A missing
 * response (no connection, or a timeout) and a successful response that is not JSON throw an ApiError of status 0.
 */
export function browserApi({ origin = '', timeout = 60_000, onSignedOut }: BrowserApiOptions = {}): Api {
  return {
    async call<E extends Endpoint>(endpoint: E, input: CallInput): Promise<ApiResponse<E>> {
      const response = await fetchWithToken(origin + requestUrl(endpoint, input), {
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
      recordServerTime(response)
      const body: unknown = await response.json().catch(() => undefined)
      if (response.status === 401) onSignedOut?.()
      if (response.status >= 500) reportFault('call', endpoint, response)
      if (response.status >= 400) throw new ApiError(response.status, body)
      if (body === undefined) throw new ApiError(0, undefined)
      return { status: response.status, data: body as OutputOf<E> }
    },
  }
}

function requestUrl(endpoint: Endpoint, { params, query }: CallInput): string {
  const path = pathOf(endpoint, params as Record<string, string> | undefined)
  const search = new URLSearchParams(query as Record<string, string> | undefined).toString()
  return search ? `${path}?${search}` : path
}

function recordServerTime(response: Response): void {
  const time = response.headers.get('x-server-time')
  // A cached response carries the time when it was made, not the time when it arrived.
  if (time && !/max-age=[1-9]/.test(response.headers.get('cache-control') ?? '')) noteServerTime(time)
}
