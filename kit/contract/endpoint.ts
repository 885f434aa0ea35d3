import type { GenericSchema, InferOutput } from 'valibot'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type CallInput = { params?: unknown; query?: unknown; body?: unknown; headers?: Record<string, string> }

type EndpointDeclaration = {
  method: Method
  /** Path of the endpoint. It begins with `/api/`, may contain `:name` parameters and always ends in `/`. */
  path: `/${string}/`
  summary: string
  params?: GenericSchema
  query?: GenericSchema
  body?: GenericSchema
  output: GenericSchema
  /** Response schemas of further statuses that have a body of their own, by status. A 400 with `code` answers a call that is not a form. */
  statuses?: Record<number, GenericSchema>
  /** Maximum size of the request body in bytes; 16 KB by default. */
  maxBytes?: number
  tooLarge?: string
  clearsBrowser?: true
  /** Set for a GET that changes something, so that the call needs the CSRF token, too. */
  csrf?: true
  /** `Cache-Control` of a response that is the same for everybody. The default is `no-store`. */
  cache?: string
}

export type Endpoint = EndpointDeclaration

export function endpoint<const E extends EndpointDeclaration>(declaration: E): E {
  return declaration
}

type ParsedPart<E, K extends 'params' | 'query' | 'body'> = E extends { [P in K]: infer S extends GenericSchema }
  ? InferOutput<S>
  : undefined

export type ParamsOf<E extends Endpoint> = ParsedPart<E, 'params'>
export type QueryOf<E extends Endpoint> = ParsedPart<E, 'query'>
export type BodyOf<E extends Endpoint> = ParsedPart<E, 'body'>
export type OutputOf<E extends Endpoint> = InferOutput<E['output']>

type RequiredInput<E extends Endpoint, K extends 'params' | 'query' | 'body'> = E extends { [P in K]: GenericSchema }
  ? { [P in K]: unknown }
  : unknown

type InputOf<E extends Endpoint> = RequiredInput<E, 'params'> &
  RequiredInput<E, 'body'> & { query?: Record<string, string>; headers?: Record<string, string> }

export type ApiResponse<E extends Endpoint> = { status: number; data: OutputOf<E> }

export type Api = {
  /** @throws ApiError for every response of 400 and up, and when there was no response */
  call<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<ApiResponse<E>>
}

export function pathOf(endpoint: Endpoint, params: Record<string, string | number> = {}): string {
  return endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`${endpoint.path} needs ${name}`)
    return encodeURIComponent(value)
  })
}
