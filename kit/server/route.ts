import * as v from 'valibot'
import type { BodyOf, Endpoint, OutputOf, ParamsOf, QueryOf } from '../contract/endpoint.ts'
import { type FieldErrors, sentenceOf } from '../contract/errors.ts'
import { boundsOf } from './bounds.ts'
import { cardNumbersIn } from './card-numbers-in.ts'
import { dataFor, readerFor, type ReaderOf, type ReadOptions, type VisitorWithData } from './customer-read.ts'
import type { Db } from './db.ts'
import { countUse, type Limit } from './limits.ts'
import { isStorable, readPart } from './read-part.ts'
import { forbidden, invalid, notFound, Refusal, unauthorised } from './refusal.ts'
import type { Access, Admitted, BrowserIdentity, Visit } from './visit.ts'

/** A call with its parts parsed by the endpoint's schemas. */
type Call<E extends Endpoint, A extends Access, Found = undefined, Data = undefined> = {
  visit: Admitted<A>
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  found: Found
  /** What the route's `read` found; null for a visitor who is not signed in. */
  data: A extends 'anyone' ? Data | null : Data
  idempotencyKey: string | null
  /** What the log calls the request; null while a page is rendered. */
  requestId: string | null
}

/** A body with a status other than 200, as the contract declares it; or one after which the browser goes on with other cookies. */
type Reply<E extends Endpoint> =
  | { status: 202; body: unknown }
  | { status: 200; body: OutputOf<E>; cookies: BrowserIdentity }

/** What a call is answered with; `cookies`: what the browser has to go on with, when that is not what it came with. */
export type Answered = {
  status: number
  /** A stream goes out as it comes, with `headers` that say what it is. */
  body: unknown
  headers?: Record<string, string>
  cookies?: BrowserIdentity
}

type Options<E extends Endpoint, A extends Access, Found, Values, Data> = ReadOptions<E, Values, Data> & {
  access: A
  /** In place of the endpoint's own schema, where it differs by market. Asked with each call: the table is read without one, too. */
  body?: () => E['body']
  /** Uses counted before anything else is looked at; a part with something over its bound is undefined here. */
  limits?: (raw: RawCall) => Limit[] | Promise<Limit[]>
  /** Its limits count for a page that is rendered with its answer, too: for what could be guessed that way. */
  countsPages?: true
  /** Finds what the path names; null answers 404, before the body is looked at. */
  find?: (call: { visit: Admitted<A>; params: ParamsOf<E> }) => Promise<Found | null>
  /**
   * What only the server can say of the fields that the schema finds right; asked where it finds others wrong, so that the map
   * is whole at the first try. Where all are right, the handler says the same.
   */
  alsoWrong?: (call: AlsoRight<E, A, Found>) => Promise<FieldErrors>
}

/** A call of which some fields are right and others are not: those are left out. */
type AlsoRight<E extends Endpoint, A extends Access, Found> = {
  visit: Admitted<A>
  params: ParamsOf<E>
  found: Found
  body: Partial<BodyOf<E>>
}

/** A request before parsing. */
export type RawCall = {
  visit: Visit
  params: unknown
  query: unknown
  body: unknown
  /** What the route's `read` found in the statement that looked up the visitor. */
  read?: VisitorWithData<unknown> | undefined
  idempotencyKey: string | null
  requestId: string | null
}

/** An endpoint joined to the code that answers it. */
export type Route = {
  endpoint: Endpoint
  readerOf?: ReaderOf
  answer(db: Db, raw: RawCall): Promise<Answered>
}

/**
 * Joins an endpoint to its handler. The checks come in the order 429, 401, 403, 404, 400; CSRF came before, 409 is the handler's, and
 * so is the 404 of a route with `read`.
 */
export function route<
  const E extends Endpoint,
  const A extends Access,
  Found = undefined,
  Values = undefined,
  Data = undefined,
>(
  endpoint: E,
  options: Options<E, A, Found, Values, Data>,
  handler: (call: Call<E, A, Found, Data>) => OutputOf<E> | Promise<OutputOf<E> | Reply<E>>,
): Route {
  const excessOf = boundsOf(endpoint)
  const { read } = options
  return {
    endpoint,
    ...(read && { readerOf: readerFor(endpoint, options) }),
    async answer(db, sent) {
      const excess = excessOf(sent)
      // What is over its bound is not read at all: not by the limits either, which come before its refusal.
      const raw: RawCall = {
        ...sent,
        params: unless(excess.params, sent.params),
        query: unless(excess.query, sent.query),
        body: unless(excess.body, sent.body),
      }
      if (options.limits && (!raw.visit.inProcess || options.countsPages)) await countUse(db, await options.limits(raw))
      const visit = admitted(options.access, raw.visit)
      if (excess.params) throw notFound()
      const params = parsePath(endpoint, raw.params)
      const found = options.find ? await options.find({ visit, params: params as ParamsOf<E> }) : undefined
      if (found === null) throw notFound()
      const unread = excess.query || excess.body ? { ...excess.query, ...excess.body } : cardNumbersIn(raw)
      if (unread) throw refusedBy(endpoint, unread)
      const [query, body] = [readPart(endpoint.query, raw.query), readPart(options.body?.() ?? endpoint.body, raw.body)]
      const errors = { ...query.errors, ...body.errors }
      if (!isEmpty(errors)) {
        const right = { visit, params, found, body: body.right } as AlsoRight<E, A, Found>
        throw refusedBy(endpoint, { ...(await options.alsoWrong?.(right)), ...errors })
      }
      const result = await handler({
        visit,
        params,
        query: query.value,
        body: body.value,
        found,
        data: await dataFor(db, { user: sent.visit.user, found: sent.read }, options, { params, query: query.value }),
        idempotencyKey: raw.idempotencyKey,
        requestId: raw.requestId,
      } as Call<E, A, Found, Data>)
      return isReply(result) ? result : { status: 200, body: result }
    },
  }
}

const isEmpty = (errors: FieldErrors): boolean => Object.keys(errors).length === 0

const unless = (excess: FieldErrors | null, part: unknown): unknown => (excess ? undefined : part)

/** The guard of every call, and the one place that asks whether a user is signed in. */
function admitted<A extends Access>(access: A, visit: Visit): Admitted<A> {
  if (access !== 'anyone') {
    if (!visit.user) throw unauthorised()
    if (access === 'verified' && !visit.user.emailVerified) throw forbidden('Please confirm your email address first.')
  }
  return visit as Admitted<A>
}

function parsePath(endpoint: Endpoint, params: unknown): unknown {
  if (!endpoint.params) return undefined
  const result = v.safeParse(endpoint.params, params)
  if (!result.success || !isStorable(result.output)) throw notFound()
  return result.output
}

/** The whole map, or one sentence in `code` where the contract says that a 400 of this call looks so. */
function refusedBy({ statuses }: Endpoint, errors: FieldErrors): Refusal {
  if (!statuses?.[400]) return invalid(errors)
  const [entry] = Object.values(errors).flat()
  return new Refusal(400, { code: entry && sentenceOf(entry) })
}

/** No contract's output has both a `status` of HTTP's and a `body`. */
function isReply<E extends Endpoint>(result: OutputOf<E> | Reply<E>): result is Reply<E> {
  if (typeof result !== 'object' || result === null || !('status' in result) || !('body' in result)) return false
  return result.status === 202 || (result.status === 200 && 'cookies' in result)
}
