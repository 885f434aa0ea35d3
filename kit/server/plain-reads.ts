import type { QueryResult } from 'pg'

/** Asks for a visitor what only reads; null where that has to take a connection of its own. */
export type PlainRead = (statement: string, values: readonly unknown[]) => Promise<QueryResult> | null

const ways = new WeakMap<object, PlainRead>()

/** Statements that are written already may go this way, and past what has nothing to do for them. A transaction has none. */
export const readPlainlyWith = (db: object, read: PlainRead): void => void ways.set(db, read)

export const readPlainly = (db: object, ...asked: Parameters<PlainRead>): ReturnType<PlainRead> =>
  ways.get(db)?.(...asked) ?? null
