import { type RawBuilder, sql } from 'kysely'
import { realNow, toDate } from './clock.ts'
import type { Db } from './db.ts'

type Instants = { product: Date; real: Date }

export type DueCondition = (at: Instants) => RawBuilder<boolean>

export const isDueByApplicationClock =
  (table: string, column: string, only: RawBuilder<unknown> = sql`true`): DueCondition =>
  ({ product }) =>
    sql<boolean>`exists (select from ${sql.table(table)} where ${sql.ref(column)} <= ${product} and ${only})`

export const isDueInRealTime =
  (table: string, column: string): DueCondition =>
  ({ real }) =>
    sql<boolean>`exists (select from ${sql.table(table)} where ${sql.ref(column)} <= ${real})`

/** Evaluates several due conditions in one statement. Returns the results in the order of `dues`. */
export const evaluateDueConditions =
  (db: Db) =>
  async (dues: readonly DueCondition[], now: Temporal.Instant): Promise<boolean[]> => {
    const at = { product: toDate(now), real: toDate(realNow()) }
    const conditions = sql.join(dues.map((due) => due(at)))
    const { rows } = await sql<{ due: boolean[] }>`select array[${conditions}] as due`.execute(db)
    return rows[0]?.due ?? []
  }
