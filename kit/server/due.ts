import { type RawBuilder, sql } from 'kysely'
import { realNow, toDate } from './clock.ts'
import type { Db } from './db.ts'

/** The instants by which things are due: the product's, which a demo may have moved, and real time. */
type Instants = { product: Date; real: Date }

/** Whether there may be something to do, as a condition that is asked beside others. */
export type Due = (at: Instants) => RawBuilder<boolean>

/** Due on the product's clock by a column, which has an index; `only`: of rows of which this is true besides. */
export const dueBy =
  (table: string, column: string, only: RawBuilder<unknown> = sql`true`): Due =>
  ({ product }) =>
    sql<boolean>`exists (select from ${sql.table(table)} where ${sql.ref(column)} <= ${product} and ${only})`

/** The same in real time. */
export const dueInRealTimeBy =
  (table: string, column: string): Due =>
  ({ real }) =>
    sql<boolean>`exists (select from ${sql.table(table)} where ${sql.ref(column)} <= ${real})`

/** Asks in one statement which of the conditions hold. */
export const askDue =
  (db: Db) =>
  async (dues: readonly Due[], now: Temporal.Instant): Promise<boolean[]> => {
    const at = { product: toDate(now), real: toDate(realNow()) }
    const conditions = sql.join(dues.map((due) => due(at)))
    const { rows } = await sql<{ due: boolean[] }>`select array[${conditions}] as due`.execute(db)
    return rows[0]?.due ?? []
  }
