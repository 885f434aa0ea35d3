import * as v from 'valibot'
import type { Endpoint, EndpointParams, EndpointQuery } from '../contract/endpoint.ts'
import { createSizeCheck } from './input-limits.ts'
import type { Db, Trx } from './db.ts'
import { isStorable, parseRequestPart } from './parse-request-part.ts'
import type { FoundSession, SignedInUser } from './session.ts'

export type CustomerDataReader<Values, Data> = {
  of(db: Db | Trx, userId: string, values: Values): Promise<Data>
  /**
   * Looks up the session with this token hash and reads its customer's data in the same statement. Returns undefined if there is no such
   * session; the data is `null` if nobody is signed in.
   */
  withVisitor(db: Db, tokenHash: string, values: Values): Promise<VisitorWithData<Data> | undefined>
}

export type VisitorWithData<Data> = { session: FoundSession; data: Data | null }

export type ReadOptions<E extends Endpoint, Values, Data> = {
  /**
   * Customer data to read in the statement that looks up the session. Not allowed on a route with rate limits, because the limits must be
   * checked first. This is a function because the route table is also built without the application's read functions.
   */
  read?: () => CustomerDataReader<Values, Data>
  values?: (call: { params: EndpointParams<E>; query: EndpointQuery<E> }) => Values
}

/**
 * Creates a function that looks up the session and reads a request's data in one statement. Returns `null` if parts of the request are
 * malformed; the session is then looked up on its own, and the route's checks reject the request in their usual order.
 */
export type ReaderFactory = (sent: {
  params: unknown
  query: unknown
}) => ((db: Db, tokenHash: string) => Promise<VisitorWithData<unknown> | undefined>) | null

/**
 * Builds the reader for a route that reads customer data.
 * @throws if the route counts limits or changes anything, because its data would be read before its checks
 */
export function createReader<E extends Endpoint, Values, Data>(
  endpoint: E,
  { read, values, limits }: ReadOptions<E, Values, Data> & { limits?: unknown },
): ReaderFactory {
  if (!read || !values || limits || endpoint.method !== 'GET' || endpoint.csrf)
    throw new Error(`${endpoint.path} does more than read: its data cannot be read before its checks`)
  const findOversizedParts = createSizeCheck(endpoint)
  return (sent) => {
    if (Object.values(findOversizedParts({ ...sent, body: undefined })).some((excess) => excess !== null)) return null
    const params = endpoint.params ? v.safeParse(endpoint.params, sent.params) : null
    const query = parseRequestPart(endpoint.query, sent.query)
    const isReadable =
      (params === null || (params.success && isStorable(params.output))) && Object.keys(query.errors).length === 0
    if (!isReadable) return null
    const queryValues = values({ params: params?.output as EndpointParams<E>, query: query.value as EndpointQuery<E> })
    return (db, tokenHash) => read().withVisitor(db, tokenHash, queryValues)
  }
}

/** Reads a request's data for the signed-in customer. It never returns another customer's data. */
export async function readCustomerData<E extends Endpoint, Values, Data>(
  db: Db,
  { user, found }: { user: SignedInUser | null; found: VisitorWithData<unknown> | undefined },
  { read, values }: ReadOptions<E, Values, Data>,
  parts: { params: unknown; query: unknown },
): Promise<unknown> {
  if (!read || !values || !user) return null
  if (found?.session.user?.id === user.id) return found.data
  return read().of(db, user.id, values(parts as { params: EndpointParams<E>; query: EndpointQuery<E> }))
}
