import * as v from 'valibot'
import type { BodyOf, Endpoint, OutputOf, ParamsOf, QueryOf } from '../contract/endpoint.ts'
import { looksLikeCardNumber } from '../contract/card-number.ts'
import { type FieldErrors, formMessages } from '../contract/errors.ts'
import { boundsOf } from './bounds.ts'
import type { Db } from './db.ts'
import { countUse, type Limit } from './limits.ts'
import { forbidden, invalid, notFound, unauthorised } from './refusal.ts'
import type { Access, Admitted, BrowserIdentity, Visit } from './visit.ts'

/** A call with its parts parsed by the endpoint's schemas. */
type Call<E extends Endpoint, A extends Access, Found = undefined> = {
  visit: Admitted<A>
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  found: Found
  idempotencyKey: string | null
  /** What the log calls the request; null while a page is rendered. */
  requestId: string | null
}

/** A body with a status other than 200, as the contract declares it; or one after which the browser goes on with other cookies. */
type Reply<E extends Endpoint> =
  | { status: 202; body: unknown }
  | { status: 200; body: OutputOf<E>; cookies: BrowserIdentity }

/** What a call is answered with; `cookies`: what the browser has to go on with, when that is not what it came with. */
export type Answered = { status: number; body: unknown; cookies?: BrowserIdentity }

type Options<E extends Endpoint, A extends Access, Found> = {
  access: A
  /** Uses counted before anything else is looked at; a part with something over its bound is undefined here. */
  limits?: (raw: RawCall) => Limit[] | Promise<Limit[]>
  /** Finds what the path names; null answers 404, before the body is looked at. */
  find?: (call: { visit: Admitted<A>; params: ParamsOf<E> }) => Promise<Found | null>
}

/** A request before parsing. */
export type RawCall = {
  visit: Visit
  params: unknown
  query: unknown
  body: unknown
  idempotencyKey: string | null
  requestId: string | null
}

/** An endpoint joined to the code that answers it. */
export type Route = {
  endpoint: Endpoint
  answer(db: Db, raw: RawCall): Promise<Answered>
}

/**
 * Joins an endpoint to its handler. The checks come in the order 429, 401, 403, 404, 400; CSRF came before, 409 is the handler's.
 */
export function route<const E extends Endpoint, const A extends Access, Found = undefined>(
  endpoint: E,
  options: Options<E, A, Found>,
  handler: (call: Call<E, A, Found>) => Promise<OutputOf<E> | Reply<E>>,
): Route {
  const excessOf = boundsOf(endpoint)
  return {
    endpoint,
    async answer(db, sent) {
      const excess = excessOf(sent)
      // What is over its bound is not read at all: not by the limits either, which come before its refusal.
      const raw: RawCall = {
        ...sent,
        params: unless(excess.params, sent.params),
        query: unless(excess.query, sent.query),
        body: unless(excess.body, sent.body),
      }
      if (!raw.visit.inProcess && options.limits) await countUse(db, await options.limits(raw))
      const visit = admitted(options.access, raw.visit)
      if (excess.params) throw notFound()
      const params = parsePath(endpoint, raw.params)
      const found = options.find ? await options.find({ visit, params: params as ParamsOf<E> }) : undefined
      if (found === null) throw notFound()
      if (excess.query || excess.body) throw invalid({ ...excess.query, ...excess.body })
      refuseCardNumbers(raw)
      const query = parse(endpoint.query, raw.query)
      const body = parse(endpoint.body, raw.body)
      const result = await handler({
        visit,
        params,
        query,
        body,
        found,
        idempotencyKey: raw.idempotencyKey,
        requestId: raw.requestId,
      } as Call<E, A, Found>)
      return isReply(result) ? result : { status: 200, body: result }
    },
  }
}

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

function parse(schema: v.GenericSchema | undefined, value: unknown): unknown {
  if (!schema) return undefined
  // The library's own words repeat what was sent: where a contract has none of its own, ours stand.
  const result = v.safeParse(schema, value ?? {}, { message: formMessages.unreadable })
  if (!result.success) throw invalid(fieldErrors(result.issues))
  const unstorable = Object.entries(result.output ?? {}).filter(([, part]) => !isStorable(part))
  if (unstorable.length > 0)
    throw invalid(
      Object.fromEntries(unstorable.map(([field]) => [field, ['Please remove the characters that can’t be read.']])),
    )
  return result.output
}

/** PostgreSQL keeps no NUL and no half of a surrogate pair. No keyboard makes either, so no rule of a form speaks of them. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).every(([key, inner]) => isStorable(key) && isStorable(inner))
  return true
}

/** The whole map: every field's sentences, `__all__` for what belongs to none. */
export function fieldErrors(issues: readonly v.BaseIssue<unknown>[]): FieldErrors {
  const errors: FieldErrors = {}
  for (const issue of issues) {
    const field = issue.path ? String(issue.path[0].key) : '__all__'
    const entries = (errors[field] ??= [])
    if (!entries.includes(issue.message)) entries.push(issue.message)
  }
  return errors
}

/** A card number in clear must not come near a log or a table, whatever field it is typed into. */
function refuseCardNumbers(raw: RawCall): void {
  const errors: FieldErrors = {}
  for (const part of [raw.params, raw.query, raw.body]) {
    if (typeof part !== 'object' || part === null) continue
    for (const [field, value] of Object.entries(part)) {
      if (holdsCardNumber(value)) errors[field] = ['Please don’t enter a card number here.']
      if (looksLikeCardNumber(field)) errors['__all__'] = ['Please don’t enter a card number here.']
    }
  }
  if (raw.idempotencyKey && looksLikeCardNumber(raw.idempotencyKey))
    errors['__all__'] = ['Please don’t enter a card number here.']
  if (Object.keys(errors).some((field) => looksLikeCardNumber(field)))
    throw invalid({ __all__: ['Please don’t enter a card number here.'] })
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

function holdsCardNumber(value: unknown): boolean {
  if (typeof value === 'string') return looksLikeCardNumber(value)
  if (typeof value === 'number') return looksLikeCardNumber(String(value))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).some(([key, inner]) => looksLikeCardNumber(key) || holdsCardNumber(inner))
  return false
}

/** No contract's output has both a `status` of HTTP's and a `body`. */
function isReply<E extends Endpoint>(result: OutputOf<E> | Reply<E>): result is Reply<E> {
  if (typeof result !== 'object' || result === null || !('status' in result) || !('body' in result)) return false
  return result.status === 202 || (result.status === 200 && 'cookies' in result)
}
