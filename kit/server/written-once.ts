import {
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type SelectQueryBuilder,
} from 'kysely'
import type { Db, Tables, Trx } from './db.ts'

/** Writes statements, and sends none. */
const writer: Db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Stands for a value in a statement that is written before the value is known. */
class Argument {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A question that is asked so often that writing it anew would take longer than asking it: it is written at its first use. `build` gets
 * what stands for each argument, by its name, to be handed on as a value and for nothing else.
 */
export function writtenOnce<Arguments extends Record<string, string>, Row>(
  build: (db: Db, argument: Arguments) => SelectQueryBuilder<never, never, Row>,
): (db: Db | Trx, values: Arguments) => Promise<Row[]> {
  let written: { sql: string; parameters: readonly unknown[] } | null = null
  return async (db, values) => {
    const { sql, parameters } = (written ??= build(writer, named as Arguments).compile())
    const given = parameters.map((each) => (each instanceof Argument ? values[each.name] : each))
    return (await db.executeQuery<Row>(CompiledQuery.raw(sql, given))).rows
  }
}

const named = new Proxy({}, { get: (_, name) => new Argument(String(name)) })
