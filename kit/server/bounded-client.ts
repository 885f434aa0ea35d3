import type pg from 'pg'
import type { Asked } from './asked.ts'
import { callOffAfter } from './call-off.ts'
import { notAtStandby } from './called-off.ts'
import { commitOn } from './commit-on.ts'
import type { Connections, keepConnections } from './database-connections.ts'
import { queryBatch } from './query-batch.ts'
import type { Statement } from './query-part.ts'
import { readAllOn } from './read-all.ts'
import { boundsInForce, isForManyRows } from './statement-bounds.ts'
import type { StatementNames } from './statement-names.ts'

/** A connection that somebody has: nothing that is asked on it takes longer than it may. */
export type BoundedClient = {
  query(statement: string, values?: readonly unknown[]): Promise<pg.QueryResult>
  /** Has statements done one after the other in one way there and back, after one that fails none; answers what each answers. */
  queryAll(asked: readonly Asked[]): Promise<pg.QueryResult[]>
  /** Commits, with what is to be done before it. */
  commit(before: readonly Asked[]): Promise<pg.QueryResult>
  /** Reads that have nothing to do with each other, asked in one way there and back: one that fails fails alone. */
  readAll(asked: readonly Asked[]): Promise<PromiseSettledResult<pg.QueryResult>[]>
  release(isBroken?: boolean): void
}

type Around = {
  names: StatementNames | undefined
  kept: ReturnType<typeof keepConnections>
  leaveToItself(client: pg.PoolClient, committed: Promise<unknown>): void
}

/** A connection of a pool, as whoever takes it has it. */
export function boundedClient(
  client: pg.PoolClient,
  connections: Connections,
  { kept, leaveToItself, names }: Around,
): BoundedClient {
  let [isSpent, isLeft] = [false, false]
  const unheard = (): void => kept.giveUp(connections)
  const spend = (): void => void (isSpent = true)
  const callOff = () => callOffAfter(client, boundsInForce().statementMs, { called: spend, unheard })
  const heed = heeds(connections, { kept, names, spend, client })

  const send: Send = (asked) => sendKept(client, asked, names).finally(callOff().end)

  const sendCommit: Send = (asked) =>
    commitOn(client, asked.map(keptBy(names)), boundsInForce().statementMs, {
      unheard,
      left(committed) {
        isLeft = true
        leaveToItself(client, committed)
      },
    })

  /** Says what became of a connection by what became of what was asked on it. */
  async function heeding(asked: readonly Asked[], how: Send): Promise<pg.QueryResult[]> {
    if (isLeft) throw notAtStandby()
    try {
      const results = await how(asked)
      if (!connections.aloneWith.has(client) && results.length > 0) return results
      isSpent = true
      throw notAtStandby()
    } catch (error) {
      throw heed(asked, error)
    }
  }

  return {
    query: async (statement, values = []) => lastOf(await heeding([{ statement, values }], send)),
    queryAll: (asked) => heeding(asked, send),
    commit(before) {
      // A transaction that has failed it only ends.
      const isFailed = client.getTransactionStatus() === 'E'
      return (isFailed ? heeding([commit], send) : heeding([...before, commit], sendCommit)).then(lastOf)
    },
    readAll: (asked) =>
      readAllOn(client, asked, {
        statementOf: keptBy(names),
        answered: (read, results) => tellColumns(read, results, names),
        callOff,
        heed: (failed, error) => heed([failed], error),
        spend,
      }),
    release(isBroken = false) {
      if (isLeft) return
      // In a transaction still, when it could not even be begun as a whole.
      const isOpen = client.getTransactionStatus() !== 'I'
      client.release(isBroken || isSpent || isOpen || connections !== kept.current())
    },
  }
}

type Heeding = Pick<Around, 'kept' | 'names'> & { client: pg.PoolClient; spend(): void }

/** Takes note of a failure, and answers what is told of it. */
const heeds =
  (connections: Connections, { kept, names, client, spend }: Heeding) =>
  (asked: readonly Asked[], error: unknown): unknown => {
    if (isNoPrimary(error)) {
      spend()
      kept.doubt(connections)
    }
    if (namesNoColumn(error)) for (const { statement } of asked) names?.refuse(statement)
    // What ended the connection says more than that it has ended.
    return isLost(error) ? (connections.endedBy.get(client) ?? error) : error
  }

const plainly = (statement: string): Asked => ({ statement, values: [] })
const commit = plainly('commit')

type Send = (asked: readonly Asked[]) => Promise<pg.QueryResult[]>

const lastOf = (results: readonly pg.QueryResult[]): pg.QueryResult => results.at(-1) as pg.QueryResult

/** A plan that is kept was made for tables of another size: where there are many rows that costs more than to plan anew. */
const keptBy =
  (names: StatementNames | undefined) =>
  ({ statement, values }: Asked): Statement => {
    const found = isForManyRows() ? undefined : names?.of(statement)
    return { text: found?.text ?? statement, values, name: found?.name }
  }

async function sendKept(
  client: pg.PoolClient,
  asked: readonly Asked[],
  names?: StatementNames,
): Promise<pg.QueryResult[]> {
  const statements = asked.map(keptBy(names))
  const [only, ...others] = statements
  const isPlain = only && others.length === 0 && only.name === undefined
  const results = isPlain ? [await client.query(sendable(only))] : await queryBatch(client, statements)
  tellColumns(asked, results, names)
  return results
}

/** Has the names of statements know what those answer that have none. */
function tellColumns(asked: readonly Asked[], results: readonly pg.QueryResult[], names?: StatementNames): void {
  for (const [at, result] of results.entries())
    names?.answered(asked[at]?.statement ?? '', () => result.fields.map(({ name }) => name))
}

/** Without values it may be several statements. */
const sendable = ({ text, values }: Statement) => ({ text, values: values as unknown[] })

const isLost = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('Client has encountered a connection error')

const hasCode =
  (...codes: unknown[]) =>
  (error: unknown): boolean =>
    error instanceof Error && 'code' in error && codes.includes(error.code)

/** It takes writes no more. */
const isNoPrimary = hasCode('25006')
/** A column that a statement names is gone, or answers something else by now. */
const namesNoColumn = hasCode('42703', '0A000')
