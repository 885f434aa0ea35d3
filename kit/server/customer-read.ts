import type { Db, Trx } from './db.ts'
import type { FoundSession } from './session.ts'

/** Data of one customer, which a route can read in the statement that looks up its visitor. `values` narrow what is read. */
export type CustomerRead<Values, Data> = {
  /** Reads for a customer who is known already. */
  of(db: Db | Trx, userId: string, values: Values): Promise<Data>
  /** Looks up the session with this token hash, and reads its customer's data in the same statement; `null` when nobody is signed in. */
  withVisitor(db: Db, tokenHash: string, values: Values): Promise<VisitorWithData<Data> | undefined>
}

export type VisitorWithData<Data> = { session: FoundSession; data: Data | null }
