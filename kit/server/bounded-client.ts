import type pg from 'pg'
import { callOffAfter } from './call-off.ts'
import { notAtStandby } from './called-off.ts'
import { commitInItsTime, commitOn } from './commit-on.ts'
import type { Connections, keepConnections } from './database-connections.ts'
import { queryBatch, type Statement } from './query-batch.ts'
import { boundsInForce, isForManyRows } from './statement-bounds.ts'
import type { StatementNames } from './statement-names.ts'

/** What is asked: a statement with its values. */
export type Asked = { statement: string; values: readonly unknown[] }

/** A connection that somebody has: nothing that is asked on it takes longer than it may. */
export type BoundedClient = {
  query(statement: string, values?: readonly unknown[]): Promise<pg.QueryResult>
  /** Has statements done one after the other in one way there and back, after one that fails none; answers what each answers. */
  queryAll(asked: readonly Asked[]): Promise<pg.QueryResult[]>
  /** Commits, with what is to be done before it. */
  commit(before: readonly Asked[]): Promise<pg.QueryResult>
  /** What `ask` asks at once leaves as one piece; answers when all of it has come to its end. */
  inOneWrite(ask: () => Promise<unknown>[]): Promise<void>
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

  const send: Send = (asked) => {
    const ended = callOffAfter(client, boundsInForce().statementMs, { called: () => (isSpent = true), unheard })
    return sendKept(client, asked, names).finally(ended.end)
  }

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
      if (isNoPrimary(error)) {
        isSpent = true
        kept.doubt(connections)
      }
      if (namesNoColumn(error)) for (const { statement } of asked) names?.refuse(statement)
      // What ended the connection says more than that it has ended.
      throw isLost(error) ? (connections.endedBy.get(client) ?? error) : error
    }
  }

  return {
    query: async (statement, values = []) => lastOf(await heeding([{ statement, values }], send)),
    queryAll: (asked) => heeding(asked, send),
    async commit(before) {
      const end = commitInItsTime.map((statement) => ({ statement, values: [] }))
      // A transaction that has failed it only ends.
      if (client.getTransactionStatus() === 'E')
        return lastOf(await heeding([{ statement: 'commit', values: [] }], send))
      return lastOf(await heeding([...before, ...end], sendCommit))
    },
    inOneWrite: (ask) => inOneWrite(client, ask),
    release(isBroken = false) {
      if (isLeft) return
      // In a transaction still, when it could not even be begun as a whole.
      const isOpen = client.getTransactionStatus() !== 'I'
      client.release(isBroken || isSpent || isOpen || connections !== kept.current())
    },
  }
}

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
  const results =
    only && others.length === 0 ? [await client.query(sendable(only))] : await queryBatch(client, statements)
  for (const [at, { statement }] of asked.entries())
    if (statements[at]?.name === undefined)
      names?.answered(statement, () => (results[at]?.fields ?? []).map(({ name }) => name))
  return results
}

/** Without a name and without values it may be several statements. */
const sendable = ({ text, values, name }: Statement) => ({
  text,
  values: values as unknown[],
  ...(name !== undefined && { name }),
})

async function inOneWrite(client: pg.PoolClient, ask: () => Promise<unknown>[]): Promise<void> {
  const { stream } = (client as unknown as { connection: pg.Connection }).connection
  stream.cork()
  const asked = ask()
  stream.uncork()
  await Promise.allSettled(asked)
}

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
