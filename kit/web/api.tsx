import { createContext, use, type ReactNode } from 'react'
import {
  buildPath,
  type ApiResponse,
  type Api,
  type RequestInput,
  type Endpoint,
  type EndpointOutput,
} from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import { fetchWithToken } from './csrf.ts'
import { reportFault } from './fault.ts'
import { setServerTime } from './server-time.ts'

const ApiContext = createContext<Api | null>(null)

export function ApiProvider({ api, children }: { api: Api; children: ReactNode }): ReactNode {
  return <ApiContext value={api}>{children}</ApiContext>
}

/**
 * Returns this environment's API: over fetch in the browser, or in process while the server renders a page.
 * @throws Error outside an ApiProvider
 */
export function useApi(): Api {
  const api = use(ApiContext)
  if (!api) throw new Error('useApi outside an ApiProvider')
  return api
}

export type BrowserApiOptions = {
  origin?: string
  /** Timeout for each request, in milliseconds. */
  timeout?: number
  onSignedOut?: () => void
}

/**
 * Creates the API over fetch. A response with status 400 or above throws an ApiError with the response's JSON body (undefined if it was not
 * JSON). If there is no response (no connection, or a timeout), or a successful response is not JSON, the call throws an ApiError with
 * status 0.
 */
export function createBrowserApi({ origin = '', timeout = 60_000, onSignedOut }: BrowserApiOptions = {}): Api {
  return {
    async call<E extends Endpoint>(endpoint: E, input: RequestInput): Promise<ApiResponse<E>> {
      const response = await fetchWithToken(origin + buildRequestUrl(endpoint, input), {
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
      if (isUnexpectedError(response.status, body)) reportFault('call', endpoint, response)
      if (response.status >= 400) throw new ApiError(response.status, body)
      if (body === undefined) throw new ApiError(0, undefined)
      return { status: response.status, data: body as EndpointOutput<E> }
    },
  }
}

/**
 * Statuses of errors that the portal handles: field errors, missing access, missing and outdated data, a network that does not respond, and
 * too many requests. All other errors are reported (specification, section 8).
 */
const handledStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404, 409, 412, 424, 429])

const isUnexpectedError = (status: number, body: unknown): boolean =>
  status >= 400 && (!handledStatuses.has(status) || (status === 400 && body === undefined))

function buildRequestUrl(endpoint: Endpoint, { params, query }: RequestInput): string {
  const path = buildPath(endpoint, params as Record<string, string> | undefined)
  const search = new URLSearchParams(query as Record<string, string> | undefined).toString()
  return search ? `${path}?${search}` : path
}

function recordServerTime(response: Response): void {
  const time = response.headers.get('x-server-time')
  // A cached response carries the time at which it was created, not the time at which it arrived.
  if (time && !/max-age=[1-9]/.test(response.headers.get('cache-control') ?? '')) setServerTime(time)
}
