import * as v from 'valibot'
import type { Endpoint, ParamsOf, QueryOf } from '../contract/endpoint.ts'
import { boundsOf } from './bounds.ts'
import type { Db, Trx } from './db.ts'
import { isStorable, readPart } from './read-part.ts'
import type { FoundSession, SignedIn } from './session.ts'

/** Data of one customer, which a route can read in the statement that looks up its visitor. `values` narrow what is read. */
export type CustomerRead<Values, Data> = {
  /** Reads for a customer who is known already. */
  of(db: Db | Trx, userId: string, values: Values): Promise<Data>
  /** Looks up the session with this token hash, and reads its customer's data in the same statement; `null` when nobody is signed in. */
  withVisitor(db: Db, tokenHash: string, values: Values): Promise<VisitorWithData<Data> | undefined>
}

export type VisitorWithData<Data> = { session: FoundSession; data: Data | null }

/** How a route names the data of the customer that it reads. */
export type ReadOptions<E extends Endpoint, Values, Data> = {
  /**
   * Data of the customer that are read in the statement that looks up the visitor. Not for a route with limits: they come first.
   * A function, because the table of routes is also built without the product that reads.
   */
  read?: () => CustomerRead<Values, Data>
  /** The values that `read` takes from the call. */
  values?: (call: { params: ParamsOf<E>; query: QueryOf<E> }) => Values
}

/**
 * Looks up a visitor and reads the data of a call in one statement. Null when the parts of the call are malformed: the visitor is then
 * looked up alone, and the route refuses the call in its usual order.
 */
export type ReaderOf = (sent: {
  params: unknown
  query: unknown
}) => ((db: Db, tokenHash: string) => Promise<VisitorWithData<unknown> | undefined>) | null

/**
 * The reader of a route that takes data.
 * @throws when the route counts limits or changes anything: its data would be read before its checks
 */
export function readerFor<E extends Endpoint, Values, Data>(
  endpoint: E,
  { read, values, limits }: ReadOptions<E, Values, Data> & { limits?: unknown },
): ReaderOf {
  if (!read || !values || limits || endpoint.method !== 'GET' || endpoint.csrf)
    throw new Error(`${endpoint.path} does more than read: its data cannot be read before its checks`)
  const excessOf = boundsOf(endpoint)
  return (sent) => {
    if (Object.values(excessOf({ ...sent, body: undefined })).some((excess) => excess !== null)) return null
    const params = endpoint.params ? v.safeParse(endpoint.params, sent.params) : null
    const query = readPart(endpoint.query, sent.query)
    const isReadable =
      (params === null || (params.success && isStorable(params.output))) && Object.keys(query.errors).length === 0
    if (!isReadable) return null
    const wanted = values({ params: params?.output as ParamsOf<E>, query: query.value as QueryOf<E> })
    return (db, tokenHash) => read().withVisitor(db, tokenHash, wanted)
  }
}

/** The data that were read with the visitor, or else data that are read now. Data of another customer never count. */
export async function dataFor<E extends Endpoint, Values, Data>(
  db: Db,
  { user, found }: { user: SignedIn | null; found: VisitorWithData<unknown> | undefined },
  { read, values }: ReadOptions<E, Values, Data>,
  parts: { params: unknown; query: unknown },
): Promise<unknown> {
  if (!read || !values || !user) return null
  if (found?.session.user?.id === user.id) return found.data
  return read().of(db, user.id, values(parts as { params: ParamsOf<E>; query: QueryOf<E> }))
}
