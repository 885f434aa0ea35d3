import { type RawBuilder, sql } from 'kysely'
import { realNow, toDate } from './clock.ts'
import type { Db } from './db.ts'

/** The current instants on the product's clock, which a demo may have moved, and in real time. */
type Instants = { product: Date; real: Date }

/** A SQL condition that is true when there may be something to do. Several conditions are evaluated together. */
export type Due = (at: Instants) => RawBuilder<boolean>

/** True when a row is due on the product's clock by a column, which has an index. `only` restricts the rows. */
export const dueBy =
  (table: string, column: string, only: RawBuilder<unknown> = sql`true`): Due =>
  ({ product }) =>
    sql<boolean>`exists (select from ${sql.table(table)} where ${sql.ref(column)} <= ${product} and ${only})`

/** Like `dueBy`, in real time. */
export const dueInRealTimeBy =
  (table: string, column: string): Due =>
  ({ real }) =>
    sql<boolean>`exists (select from ${sql.table(table)} where ${sql.ref(column)} <= ${real})`

/** Evaluates the conditions in one statement, and returns the results in their order. */
export const askDue =
  (db: Db) =>
  async (dues: readonly Due[], now: Temporal.Instant): Promise<boolean[]> => {
    const at = { product: toDate(now), real: toDate(realNow()) }
    const conditions = sql.join(dues.map((due) => due(at)))
    const { rows } = await sql<{ due: boolean[] }>`select array[${conditions}] as due`.execute(db)
    return rows[0]?.due ?? []
  }
