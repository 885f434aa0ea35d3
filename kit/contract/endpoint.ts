import type { GenericSchema, InferOutput } from 'valibot'

/** HTTP methods the product uses. */
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What one API call takes: path parameters, query and JSON body. */
export type CallInput = { params?: unknown; query?: unknown; body?: unknown; headers?: Record<string, string> }

type Shape = {
  method: Method
  /** `/api/…/` with `:name` parameters; always ends in `/`. */
  path: `/${string}/`
  summary: string
  params?: GenericSchema
  query?: GenericSchema
  body?: GenericSchema
  /** Schema of the 200 body. */
  output: GenericSchema
  /** Other statuses this call answers with a body of its own, by status; a 400 of `code` is for a call that is no form. */
  statuses?: Record<number, GenericSchema>
  /** The longest body it reads, in bytes, where the usual 16 KB are too many. */
  maxBytes?: number
  /** The sentence that refuses a longer body. */
  tooLarge?: string
  /** Its answer has the browser forget what it keeps of the portal, but for its cookies. */
  clearsBrowser?: true
  /** A GET that changes something needs the CSRF token too. */
  csrf?: true
  /** `Cache-Control`, where an answer is the same for everybody; otherwise `no-store`. */
  cache?: string
}

/** One API call as data: server, browser and OpenAPI all read this. */
export type Endpoint = Shape

/** Declares an endpoint; keeps the literal types of its schemas. */
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

/** What a caller hands over: the raw values; the schema parses them on the server. */
type InputOf<E extends Endpoint> = Wanted<E, 'params'> &
  Wanted<E, 'body'> & { query?: Record<string, string>; headers?: Record<string, string> }

/** An answer of 2xx: its status (200 or 202) and its body. */
export type Answer<E extends Endpoint> = { status: number; data: OutputOf<E> }

/** How code on either side makes a call: over fetch in the browser, in process while rendering. */
export type Api = {
  /** @throws ApiError for every answer of 400 and up, and when no answer came. */
  call<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<Answer<E>>
}

/** The path with its parameters filled in, each encoded. */
export function pathOf(endpoint: Endpoint, params: Record<string, string | number> = {}): string {
  return endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`${endpoint.path} needs ${name}`)
    return encodeURIComponent(value)
  })
}
