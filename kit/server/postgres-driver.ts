import {
  AbortedTransactionError,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type pg from 'pg'
import type { Asked } from './asked.ts'
import type { BoundedClient } from './bounded-client.ts'
import { hearerOf } from './in-passing.ts'
import { boundsInForce, localBounds } from './statement-bounds.ts'

/** Where statements go. */
export type Way = {
  /** A connection of one's own. */
  connect(): Promise<BoundedClient>
  leave(): void
}

type Connection = DatabaseConnection & {
  begin(settings: TransactionSettings): void
  commit(): Promise<void>
  rollback(): Promise<void>
  release(): void
}

/**
 * Asks PostgreSQL in as few ways there and back as can be. A transaction begins with its first statement, and what is written in passing
 * leaves with what is asked next: each is one way. Of a transaction in which nothing is asked the server never hears.
 */
export function postgresDialect({ enter, end }: { enter(): Promise<Way>; end(): Promise<void> }): Dialect {
  const mine = (connection: DatabaseConnection): Connection => connection as Connection
  const driver: Driver = {
    init: () => Promise.resolve(),
    acquireConnection: async () => connectionOf(await enter()),
    beginTransaction: async (connection, settings) => mine(connection).begin(settings),
    commitTransaction: (connection) => mine(connection).commit(),
    rollbackTransaction: (connection) => mine(connection).rollback(),
    releaseConnection: async (connection) => mine(connection).release(),
    destroy: end,
  }
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

function connectionOf({ connect, leave }: Way): Connection {
  const line = lineOf(connect)
  let [isInTransaction, isBroken] = [false, false]
  return {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const asked = { statement: query.sql, values: query.parameters }
      const hear = isInTransaction ? hearerOf(query) : undefined
      if (hear) {
        line.waiting.push({ ...asked, hear })
        return { rows: [] }
      }
      try {
        return resultOf(await line.ask(asked))
      } catch (error) {
        throw alsoFrom(error, new Error())
      }
    },
    streamQuery() {
      throw new Error('nothing is read through a cursor')
    },
    begin({ isolationLevel, accessMode }) {
      isInTransaction = true
      const how = [isolationLevel && `isolation level ${isolationLevel}`, accessMode]
      const statement = ['begin', ...how].filter(Boolean).join(' ')
      line.waiting = [{ statement, values: [] }, localBounds(boundsInForce())]
    },
    async commit() {
      isInTransaction = false
      // Nothing was asked, nor written in passing.
      if (!line.isOwn() && line.waiting.length === 2) return
      const { command } = await line.commit()
      if (command === 'ROLLBACK') throw new AbortedTransactionError()
    },
    async rollback() {
      isInTransaction = false
      line.waiting = []
      if (!line.isOwn()) return
      await line.ask({ statement: 'rollback', values: [] }).catch((error: unknown) => {
        isBroken = true
        throw error
      })
    },
    release() {
      line.release(isBroken)
      leave()
    },
  }
}

function resultOf<Row>({ command, rowCount, rows }: pg.QueryResult): QueryResult<Row> {
  const hasChanged = /^(?:INSERT|UPDATE|DELETE|MERGE)$/.test(command)
  return { rows: rows ?? [], ...(hasChanged && { numAffectedRows: BigInt(rowCount ?? 0) }) }
}

/** What it was asked for stands above the driver, which is all that the error knows of. */
export function alsoFrom(error: unknown, here: Error): unknown {
  if (error instanceof Error) error.stack += `\n${here.stack?.split('\n').slice(1).join('\n')}`
  return error
}

/** What leaves with what is asked next, and who hears what it answers. */
type Waiting = Asked & { hear?: (result: QueryResult<unknown>) => void }

/** A connection that is taken when something is sent, and what is `waiting` to be sent with that. */
function lineOf(connect: Way['connect']) {
  let own: Promise<BoundedClient> | null = null
  const line = {
    waiting: [] as Waiting[],
    isOwn: (): boolean => own !== null,
    async ask(asked: Asked): Promise<pg.QueryResult> {
      const client = await (own ??= connect())
      const before = takeWaiting()
      if (before.length === 0) return client.query(asked.statement, asked.values)
      // Of several statements in one text the server takes no others with them.
      const isOne = !asked.statement.includes(';')
      const results = await client.queryAll(isOne ? [...before, asked] : before)
      for (const [at, { hear }] of before.entries()) hear?.(resultOf(results[at] as pg.QueryResult))
      return isOne ? (results.at(-1) as pg.QueryResult) : client.query(asked.statement)
    },
    async commit(): Promise<pg.QueryResult> {
      const client = await (own ??= connect())
      return client.commit(takeWaiting())
    },
    release(isBroken: boolean): void {
      own?.then(
        (client) => client.release(isBroken),
        () => {},
      )
    },
  }
  const takeWaiting = (): Waiting[] => line.waiting.splice(0)
  return line
}
