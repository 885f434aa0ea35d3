import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { shareCommit, type Tables, type Trx } from './db.ts'
import { isInPassing, sendInPassing } from './in-passing.ts'

/**
 * Has what `ask` asks at once in a transaction leave in one way there and back, done one after the other in the order in which it was
 * asked. Should one of it fail, all of it does, with its error. What is asked only then leaves by itself.
 */
export const together = <T>(trx: Trx, ask: (at: Trx) => Promise<T>): Promise<T> => ask(jointOf(trx))

type Asked = { query: CompiledQuery; answer: PromiseWithResolvers<QueryResult<unknown>> }

const joints = new WeakMap<Trx, Trx>()
/** Those that `jointOf` has made: what is asked in one of them leaves with the rest. */
const isJoint = new WeakSet<Trx>()

/** The transaction, as those see it who ask together. */
function jointOf(trx: Trx): Trx {
  const known = isJoint.has(trx) ? trx : joints.get(trx)
  if (known) return known
  const connection = connectionOf(trx)
  const nothing = (): Promise<void> => Promise.resolve()
  const inTransaction = (): never => {
    throw new Error('what is asked together is asked in a transaction that there is')
  }
  const joint = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => ({
        init: nothing,
        acquireConnection: () => Promise.resolve(connection),
        beginTransaction: inTransaction,
        commitTransaction: inTransaction,
        rollbackTransaction: inTransaction,
        releaseConnection: nothing,
        destroy: nothing,
      }),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }) as unknown as Trx
  joints.set(trx, joint)
  isJoint.add(joint)
  shareCommit(trx, joint)
  return joint
}

function connectionOf(trx: Trx): DatabaseConnection {
  let turn: Asked[] = []

  function sendTurn(): void {
    const asked = turn
    turn = []
    sendAsOne(
      trx,
      asked.map(({ query }) => query),
    ).then(
      (results) => {
        for (const [at, { answer }] of asked.entries()) answer.resolve(results[at] as QueryResult<unknown>)
      },
      (error: unknown) => {
        for (const { answer } of asked) answer.reject(error)
      },
    )
  }

  return {
    executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      // It waits for whatever is sent next in any case.
      if (isInPassing(query)) return trx.executeQuery(query) as Promise<QueryResult<Row>>
      const answer = Promise.withResolvers<QueryResult<unknown>>()
      // All that is asked at once is there by then, however many promises stand before it: they go on first.
      if (turn.push({ query, answer }) === 1) process.nextTick(sendTurn)
      return answer.promise as Promise<QueryResult<Row>>
    },
    streamQuery() {
      throw new Error('nothing is read through a cursor')
    },
  }
}

/** All but the last wait for it. A database that lets nothing wait has answered each at once. */
async function sendAsOne(trx: Trx, queries: readonly CompiledQuery[]): Promise<QueryResult<unknown>[]> {
  const results: QueryResult<unknown>[] = []
  for (const [at, query] of queries.entries()) {
    if (at < queries.length - 1) sendInPassing(query, (heard) => (results[at] = heard))
    const answered = await trx.executeQuery(query)
    results[at] ??= answered
  }
  return results
}
