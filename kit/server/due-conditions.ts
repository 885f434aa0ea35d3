import { type RawBuilder, sql } from 'kysely'
import { realNow, toDate } from './clock.ts'
import type { Db } from './db.ts'

type CurrentInstants = { product: Date; real: Date }

export type DueCondition = (at: CurrentInstants) => RawBuilder<boolean>

export const isDueByApplicationClock =
  (table: string, column: string, only: RawBuilder<unknown> = sql`true`): DueCondition =>
  ({ product }) =>
    isEarliestDue({ table, column, only, at: product })

export const isDueInRealTime =
  (table: string, column: string): DueCondition =>
  ({ real }) =>
    isEarliestDue({ table, column, only: sql`true`, at: real })

/**
 * Compares the earliest due time, which PostgreSQL reads from one end of an index. With `exists`, PostgreSQL would scan the table if it
 * expects many due rows. The scan takes a second if those rows have already been processed.
 */
const isEarliestDue = (due: {
  table: string
  column: string
  only: RawBuilder<unknown>
  at: Date
}): RawBuilder<boolean> =>
  sql<boolean>`coalesce(
    (select min(${sql.ref(due.column)}) from ${sql.table(due.table)} where ${due.only}) <= ${due.at}, false)`

/** Evaluates several due conditions in one statement. Returns the results in the order of `dues`. */
export const evaluateDueConditions =
  (db: Db) =>
  async (dues: readonly DueCondition[], now: Temporal.Instant): Promise<boolean[]> => {
    const at = { product: toDate(now), real: toDate(realNow()) }
    const conditions = sql.join(dues.map((due) => due(at)))
    const { rows } = await sql<{ due: boolean[] }>`select array[${conditions}] as due`.execute(db)
    return rows[0]?.due ?? []
  }
