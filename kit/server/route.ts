import * as v from 'valibot'
import type { EndpointBody, Endpoint, EndpointOutput, EndpointParams, EndpointQuery } from '../contract/endpoint.ts'
import { type FieldErrors, getErrorEntryMessage } from '../contract/errors.ts'
import { createSizeCheck } from './input-limits.ts'
import { findCardNumberErrors } from './card-number-errors.ts'
import {
  readCustomerData,
  createReader,
  type ReaderFactory,
  type ReadOptions,
  type VisitorWithData,
} from './customer-data-reader.ts'
import type { Db } from './db.ts'
import { countLimitUse, type Limit } from './limits.ts'
import { isStorable, parseRequestPart } from './parse-request-part.ts'
import { forbidden, badRequest, notFound, HttpError, unauthorised } from './http-error.ts'
import type { RouteAccess, AuthorisedContext, BrowserIdentity, RequestContext } from './request-context.ts'

type Call<E extends Endpoint, A extends RouteAccess, Found = undefined, Data = undefined> = {
  visit: AuthorisedContext<A>
  params: EndpointParams<E>
  query: EndpointQuery<E>
  body: EndpointBody<E>
  found: Found
  data: A extends 'anyone' ? Data | null : Data
  idempotencyKey: string | null
  /** The request's id in the log; `null` while a page is being rendered. */
  requestId: string | null
}

type Reply<E extends Endpoint> =
  | { status: 202; body: unknown }
  | { status: 200; body: EndpointOutput<E>; cookies: BrowserIdentity }

export type RouteResponse = {
  status: number
  body: unknown
  headers?: Record<string, string>
  cookies?: BrowserIdentity
}

type Options<E extends Endpoint, A extends RouteAccess, Found, Values, Data> = ReadOptions<E, Values, Data> & {
  access: A
  /**
   * Replaces the endpoint's body schema where it differs by market. The function is called for each request, because the route table is
   * also read when no market is configured.
   */
  body?: () => E['body']
  /** Limits that are counted before any other check. A part of the request that exceeds its size limits is undefined here. */
  limits?: (raw: RawRequest) => Limit[] | Promise<Limit[]>
  /**
   * Set if the limits also apply while a page is rendered. Otherwise, a visitor could bypass them by loading pages, and so guess a secret
   * value.
   */
  countsPages?: true
  /** Finds the resource that the path refers to. If it returns `null`, the route responds with 404 before validating the body. */
  find?: (call: { visit: AuthorisedContext<A>; params: EndpointParams<E> }) => Promise<Found | null>
  /**
   * Checks that only the server can make, for the fields that the schema accepts. They run if other fields are invalid, so that the first
   * response lists all errors. If all fields are valid, the handler makes the same checks itself.
   */
  alsoWrong?: (call: ValidFields<E, A, Found>) => Promise<FieldErrors>
}

type ValidFields<E extends Endpoint, A extends RouteAccess, Found> = {
  visit: AuthorisedContext<A>
  params: EndpointParams<E>
  found: Found
  body: Partial<EndpointBody<E>>
}

export type RawRequest = {
  visit: RequestContext
  params: unknown
  query: unknown
  body: unknown
  read?: VisitorWithData<unknown> | undefined
  idempotencyKey: string | null
  requestId: string | null
}

export type Route = {
  endpoint: Endpoint
  readerOf?: ReaderFactory
  answer(db: Db, raw: RawRequest): Promise<RouteResponse>
}

/**
 * Connects an endpoint to its handler. CSRF is checked first; then the checks come in the order 429, 401, 403, 404, 400. The handler is
 * responsible for 409, and for the 404 of a route with `read`.
 */
export function route<
  const E extends Endpoint,
  const A extends RouteAccess,
  Found = undefined,
  Values = undefined,
  Data = undefined,
>(
  endpoint: E,
  options: Options<E, A, Found, Values, Data>,
  handler: (call: Call<E, A, Found, Data>) => EndpointOutput<E> | Promise<EndpointOutput<E> | Reply<E>>,
): Route {
  const findOversizedParts = createSizeCheck(endpoint)
  return {
    endpoint,
    ...(options.read && { readerOf: createReader(endpoint, options) }),
    async answer(db, sent) {
      const oversizedParts = findOversizedParts(sent)
      /* An oversized part of the request is never read, not even to count rate limits, which happens before the part is rejected. */
      const raw: RawRequest = {
        ...sent,
        params: dropIfOversized(oversizedParts.params, sent.params),
        query: dropIfOversized(oversizedParts.query, sent.query),
        body: dropIfOversized(oversizedParts.body, sent.body),
      }
      if (options.limits && (!raw.visit.inProcess || options.countsPages))
        await countLimitUse(db, await options.limits(raw))
      const visit = authorise(options.access, raw.visit)
      if (oversizedParts.params) throw notFound()
      const params = parsePath(endpoint, raw.params)
      const found = options.find ? await options.find({ visit, params: params as EndpointParams<E> }) : undefined
      if (found === null) throw notFound()
      const unreadableErrors =
        oversizedParts.query || oversizedParts.body
          ? { ...oversizedParts.query, ...oversizedParts.body }
          : findCardNumberErrors(raw)
      if (unreadableErrors) throw createBadRequest(endpoint, unreadableErrors)
      const query = parseRequestPart(endpoint.query, raw.query)
      const body = parseRequestPart(options.body?.() ?? endpoint.body, raw.body)
      const errors = { ...query.errors, ...body.errors }
      if (!isEmpty(errors)) {
        const right = { visit, params, found, body: body.right } as ValidFields<E, A, Found>
        throw createBadRequest(endpoint, { ...(await options.alsoWrong?.(right)), ...errors })
      }
      const result = await handler({
        visit,
        params,
        query: query.value,
        body: body.value,
        found,
        data: await readCustomerData(db, { user: sent.visit.user, found: sent.read }, options, {
          params,
          query: query.value,
        }),
        idempotencyKey: raw.idempotencyKey,
        requestId: raw.requestId,
      } as Call<E, A, Found, Data>)
      return isReply(result) ? result : { status: 200, body: result }
    },
  }
}

const isEmpty = (errors: FieldErrors): boolean => Object.keys(errors).length === 0

const dropIfOversized = (excess: FieldErrors | null, part: unknown): unknown => (excess ? undefined : part)

/** Checks access for every request. No other code checks whether a user is signed in. */
function authorise<A extends RouteAccess>(access: A, visit: RequestContext): AuthorisedContext<A> {
  if (access !== 'anyone') {
    if (!visit.user) throw unauthorised()
    if (access === 'verified' && !visit.user.emailVerified) throw forbidden('Please confirm your email address first.')
  }
  return visit as AuthorisedContext<A>
}

function parsePath(endpoint: Endpoint, params: unknown): unknown {
  if (!endpoint.params) return undefined
  const result = v.safeParse(endpoint.params, params)
  if (!result.success || !isStorable(result.output)) throw notFound()
  return result.output
}

function createBadRequest({ statuses }: Endpoint, errors: FieldErrors): HttpError {
  if (!statuses?.[400]) return badRequest(errors)
  const [entry] = Object.values(errors).flat()
  return new HttpError(400, { code: entry && getErrorEntryMessage(entry) })
}

/** Whether a handler returned a complete reply rather than just a body. No contract's output has both an HTTP `status` and a `body`. */
function isReply<E extends Endpoint>(result: EndpointOutput<E> | Reply<E>): result is Reply<E> {
  if (typeof result !== 'object' || result === null || !('status' in result) || !('body' in result)) return false
  return result.status === 202 || (result.status === 200 && 'cookies' in result)
}
