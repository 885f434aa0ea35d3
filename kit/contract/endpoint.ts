import type { GenericSchema, InferOutput } from 'valibot'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type CallInput = { params?: unknown; query?: unknown; body?: unknown; headers?: Record<string, string> }

type Shape = {
  method: Method
  /** `/api/…/` with `:name` parameters; always ends in `/`. */
  path: `/${string}/`
  summary: string
  params?: GenericSchema
  query?: GenericSchema
  body?: GenericSchema
  output: GenericSchema
  /** Schemas of other statuses that have a body of their own, by status. A 400 with `code` is for a call that is no form. */
  statuses?: Record<number, GenericSchema>
  /** Maximum size of the body in bytes; 16 KB by default. */
  maxBytes?: number
  tooLarge?: string
  clearsBrowser?: true
  /** Set for a GET that changes something, so that it needs the CSRF token, too. */
  csrf?: true
  /** `Cache-Control` of a response that is the same for everybody. The default is `no-store`. */
  cache?: string
}

export type Endpoint = Shape

export function endpoint<const E extends Shape>(declaration: E): E {
  return declaration
}

type Parsed<E, K extends 'params' | 'query' | 'body'> = E extends { [P in K]: infer S extends GenericSchema }
  ? InferOutput<S>
  : undefined

export type ParamsOf<E extends Endpoint> = Parsed<E, 'params'>
export type QueryOf<E extends Endpoint> = Parsed<E, 'query'>
export type BodyOf<E extends Endpoint> = Parsed<E, 'body'>
export type OutputOf<E extends Endpoint> = InferOutput<E['output']>

type Wanted<E extends Endpoint, K extends 'params' | 'query' | 'body'> = E extends { [P in K]: GenericSchema }
  ? { [P in K]: unknown }
  : unknown

type InputOf<E extends Endpoint> = Wanted<E, 'params'> &
  Wanted<E, 'body'> & { query?: Record<string, string>; headers?: Record<string, string> }

export type Answer<E extends Endpoint> = { status: number; data: OutputOf<E> }

export type Api = {
  /** @throws ApiError for every response of 400 and up, and when there was no response */
  call<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<Answer<E>>
}

export function pathOf(endpoint: Endpoint, params: Record<string, string | number> = {}): string {
  return endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`${endpoint.path} needs ${name}`)
    return encodeURIComponent(value)
  })
}
