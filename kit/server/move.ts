import { type Selectable, sql, type Updateable } from 'kysely'
import { movesOf, type Transitions } from '#kit/contract/transitions.ts'
import type { Db, Tables, Trx } from './db.ts'

type Row<Table extends keyof Tables> = Selectable<Tables[Table]>

/** A table whose rows go from state to state. */
type Stateful<
  Table extends keyof Tables,
  State extends string,
  Event extends string,
  Read extends string & keyof Row<Table>,
> = {
  table: Table
  /** The column that holds the state: `state`, where nothing else is said. */
  column?: 'state' | 'status'
  transitions: Transitions<State, Event>
  /**
   * The columns that must still be as the caller has read them: the key, and others whose change would call the event off. When
   * they include the state, the event must fit the state that was read. When they do not, the row may be in any state that the
   * table of transitions allows for the event.
   */
  asRead: readonly Read[]
  /** What is written whenever a row comes to this state. */
  also?: (to: State, row: Pick<Row<Table>, Read>) => Updateable<Tables[Table]>
}

const pairs = (columns: object) =>
  Object.entries(columns)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => sql`${sql.ref(name)} = ${value}`)

/**
 * Makes the one function that changes the states of a table's rows. It applies an event to a row, with a patch of other
 * columns, as a compare-and-set. It answers the changed row, or null when another worker has changed the row first.
 * @throws when the state is among what was read, and the event cannot be taken in it
 */
export function mover<
  Table extends keyof Tables,
  State extends string,
  Event extends string,
  Read extends string & keyof Row<Table>,
>({ table, column = 'state', transitions, asRead, also }: Stateful<Table, State, Event, Read>) {
  return async (
    db: Db | Trx,
    row: Pick<Row<Table>, Read>,
    event: Event,
    patch: Updateable<Tables[Table]> = {},
  ): Promise<Row<Table> | null> => {
    const { from, to } = movesOf(transitions, event)
    const read = Object.fromEntries(asRead.map((name) => [name, row[name]]))
    if (column in read && !from.some((state) => state === read[column]))
      throw new Error(`${table} that are ${String(read[column])} cannot take ${event}`)
    const sets = pairs({ ...patch, [column]: to, ...also?.(to, row) })
    const { rows } = await sql<Row<Table>>`update ${sql.table(table)} set ${sql.join(sets)}
      where ${sql.join(pairs(read), sql` and `)} and ${sql.ref(column)} in (${sql.join(from)})
      returning *`.execute(db)
    return rows[0] ?? null
  }
}
