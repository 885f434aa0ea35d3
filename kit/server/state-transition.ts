import { type Selectable, sql, type Updateable } from 'kysely'
import { findTransition, type TransitionTable } from '#kit/contract/transitions.ts'
import type { Db, Tables, Trx } from './db.ts'

type Row<Table extends keyof Tables> = Selectable<Tables[Table]>

type StateTable<
  Table extends keyof Tables,
  State extends string,
  Event extends string,
  Read extends string & keyof Row<Table>,
> = {
  table: Table
  column?: 'state' | 'status'
  transitions: TransitionTable<State, Event>
  /**
   * Columns that must still have the values that the caller read: the key, and any column whose change invalidates the event. If they
   * include the state, the event must be allowed in the state that was read. Otherwise, the row may be in any state that allows the event.
   */
  asRead: readonly Read[]
  also?: (to: State, row: Pick<Row<Table>, Read>) => Updateable<Tables[Table]>
}

const buildColumnAssignments = (columns: object) =>
  Object.entries(columns)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => sql`${sql.ref(name)} = ${value}`)

/**
 * Creates the only function that changes the state of a table's rows. It applies an event to a row as a compare-and-set, and can update
 * other columns at the same time. It returns the changed row, or null if another worker changed the row first.
 * @throws if the state is among the columns that were read and does not allow the event
 */
export function createStateTransition<
  Table extends keyof Tables,
  State extends string,
  Event extends string,
  Read extends string & keyof Row<Table>,
>({ table, column = 'state', transitions, asRead, also }: StateTable<Table, State, Event, Read>) {
  return async (
    db: Db | Trx,
    row: Pick<Row<Table>, Read>,
    event: Event,
    patch: Updateable<Tables[Table]> = {},
  ): Promise<Row<Table> | null> => {
    const { from, to } = findTransition(transitions, event)
    const read = Object.fromEntries(asRead.map((name) => [name, row[name]]))
    if (column in read && !from.some((state) => state === read[column]))
      throw new Error(`${table} that are ${String(read[column])} cannot take ${event}`)
    const assignments = buildColumnAssignments({ ...patch, [column]: to, ...also?.(to, row) })
    const { rows } = await sql<Row<Table>>`update ${sql.table(table)} set ${sql.join(assignments)}
      where ${sql.join(buildColumnAssignments(read), sql` and `)} and ${sql.ref(column)} in (${sql.join(from)})
      returning *`.execute(db)
    return rows[0] ?? null
  }
}
