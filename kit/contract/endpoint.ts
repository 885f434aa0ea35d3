import type { GenericSchema, InferOutput } from 'valibot'

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type RequestInput = { params?: unknown; query?: unknown; body?: unknown; headers?: Record<string, string> }

type EndpointDeclaration = {
  method: HttpMethod
  /** Path of the endpoint. It starts with `/api/`, may contain `:name` parameters and always ends with `/`. */
  path: `/${string}/`
  summary: string
  params?: GenericSchema
  query?: GenericSchema
  body?: GenericSchema
  output: GenericSchema
  /**
   * Schemas for other response statuses that have a body, keyed by status. A 400 response with `code` in its body is for requests that
   * don't submit a form.
   */
  statuses?: Record<number, GenericSchema>
  /** Maximum size of the request body in bytes; 16 KB by default. */
  maxBytes?: number
  tooLarge?: string
  clearsBrowser?: true
  /** Set for a GET that changes state, so that it also requires the CSRF token. */
  csrf?: true
  /** `Cache-Control` value for a response that is the same for everyone. The default is `no-store`. */
  cache?: string
}

export type Endpoint = EndpointDeclaration

export function endpoint<const E extends EndpointDeclaration>(declaration: E): E {
  return declaration
}

type ParsedRequestPart<E, K extends 'params' | 'query' | 'body'> = E extends { [P in K]: infer S extends GenericSchema }
  ? InferOutput<S>
  : undefined

export type EndpointParams<E extends Endpoint> = ParsedRequestPart<E, 'params'>
export type EndpointQuery<E extends Endpoint> = ParsedRequestPart<E, 'query'>
export type EndpointBody<E extends Endpoint> = ParsedRequestPart<E, 'body'>
export type EndpointOutput<E extends Endpoint> = InferOutput<E['output']>

type RequiredInput<E extends Endpoint, K extends 'params' | 'query' | 'body'> = E extends { [P in K]: GenericSchema }
  ? { [P in K]: unknown }
  : unknown

type EndpointInput<E extends Endpoint> = RequiredInput<E, 'params'> &
  RequiredInput<E, 'body'> & { query?: Record<string, string>; headers?: Record<string, string> }

export type ApiResponse<E extends Endpoint> = { status: number; data: EndpointOutput<E> }

export type Api = {
  /** @throws ApiError for any response with status 400 or above, and when no response arrives */
  call<E extends Endpoint>(endpoint: E, input: EndpointInput<E>): Promise<ApiResponse<E>>
}

export function buildPath(endpoint: Endpoint, params: Record<string, string | number> = {}): string {
  return endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`${endpoint.path} needs ${name}`)
    return encodeURIComponent(value)
  })
}
