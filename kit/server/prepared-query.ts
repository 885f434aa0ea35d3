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

const compiler: Db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

class QueryPlaceholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * Compiles a query on first use and reuses the SQL, because Kysely takes longer to build a large query than the database takes to run it.
 * `build` receives a placeholder for each value. It may only pass the placeholders on as values, because they do not contain the actual
 * text.
 */
export function preparedQuery<Arguments extends Record<string, string>, Row>(
  build: (db: Db, argument: Arguments) => SelectQueryBuilder<never, never, Row>,
): (db: Db | Trx, values: Arguments) => Promise<Row[]> {
  let compiled: { sql: string; parameters: readonly unknown[] } | null = null
  return async (db, values) => {
    const { sql, parameters } = (compiled ??= build(compiler, placeholders as Arguments).compile())
    const boundValues = parameters.map((each) => (each instanceof QueryPlaceholder ? values[each.name] : each))
    return (await db.executeQuery<Row>(CompiledQuery.raw(sql, boundValues))).rows
  }
}

const placeholders = new Proxy({}, { get: (_, name) => new QueryPlaceholder(String(name)) })
