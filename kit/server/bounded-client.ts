import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { whenAwakeFor } from './awake-timer.ts'
import { notAtStandby, unanswered } from './statement-timeout.ts'
import type { Connections, keepConnections } from './database-connections.ts'
import { silent } from './database-hosts.ts'
import { boundsInForce, isForManyRows } from './statement-bounds.ts'
import type { StatementNames } from './statement-names.ts'

type Around = {
  kept: ReturnType<typeof keepConnections>
  names: StatementNames | undefined
  leave(): void
  releaseOnceOver(client: pg.PoolClient, over: Promise<unknown>): void
}

export function boundedClient(
  client: pg.PoolClient,
  connections: Connections,
  { kept, names, leave, releaseOnceOver }: Around,
): PostgresPoolClient {
  const health = watchHealth(client)
  /**
   * A statement that still runs after its timeout: a commit that waits for its standby, or a statement behind a pooler without a free
   * session.
   */
  let ongoing: Promise<unknown> | undefined

  async function whyLate(asked: Asked): Promise<Error> {
    const state = await connections.check()
    if (asked.isOver) return unanswered()
    if (state === 'silent') kept.giveUp(connections)
    if (state === 'awaits standby' || state === 'busy') ongoing = asked.answer
    return health.fail(state === 'silent' ? silent() : state === 'awaits standby' ? notAtStandby() : unanswered())
  }

  async function run(statement: string, values: readonly unknown[]): Promise<unknown> {
    health.check()
    try {
      const name = values.length === 0 || isForManyRows() ? undefined : names?.of(statement)
      const result = await inTime(client.query({ text: statement, values: [...values], name }), whyLate)
      health.check()
      return result
    } catch (error) {
      if (isReadOnly(error)) {
        health.fail(error)
        kept.doubt(connections)
      }
      if (hasOtherColumns(error)) names?.refuse(statement)
      throw error
    }
  }

  return {
    query: queryWith(oneAtATime(run)),
    release(isBroken = false) {
      health.stop()
      leave()
      if (ongoing) return releaseOnceOver(client, ongoing)
      // A transaction is still open if its begin, commit or rollback did not complete.
      const isOpen = client.getTransactionStatus() !== 'I'
      client.release(isBroken || health.hasFailed() || isOpen || connections !== kept.current())
    },
  }
}

function watchHealth(client: pg.PoolClient) {
  let failure: Error | undefined
  const fail = (error: Error): Error => (failure ??= error)
  // A server that stops waiting for a standby acknowledges a commit that the standby lacks. The notice's message is translated; the routine
  // is not.
  const heed = ({ routine }: { routine: string | undefined }): void =>
    void (routine === 'SyncRepWaitForLSN' && fail(notAtStandby()))
  // Without this, the next statement would report only that the connection has ended, not why.
  client.on('error', fail).on('notice', heed)
  return {
    fail,
    hasFailed: () => failure !== undefined,
    check(): void {
      if (failure) throw failure
    },
    stop: () => client.off('error', fail).off('notice', heed),
  }
}

type Run = (statement: string, values: readonly unknown[]) => Promise<unknown>

/** A rollback can be requested while another statement of its transaction runs. The driver needs one statement after the other. */
function oneAtATime(run: Run): Run {
  let before: Promise<unknown> = Promise.resolve()
  return (statement, values) => {
    const answer = before.then(() => run(statement, values))
    before = answer.catch(() => {})
    return answer
  }
}

function queryWith(run: Run) {
  function query<R>(statement: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(statement: string | object, values: readonly unknown[] = []): unknown {
    if (typeof statement !== 'string') throw new Error('Cursors are not supported.')
    return run(statement, values)
  }
  return query
}

type Asked = { answer: Promise<unknown>; isOver: boolean }

function inTime<T>(answer: Promise<T>, whyLate: (asked: Asked) => Promise<Error>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const asked = { answer, isOver: false }
  const timer = whenAwakeFor(boundsInForce().statementMs, () => void whyLate(asked).then(reject))
  answer.then(resolve, reject)
  return promise.finally(() => {
    asked.isOver = true
    timer.clear()
  })
}

const hasCode =
  (code: string) =>
  (error: unknown): error is Error =>
    error instanceof Error && 'code' in error && error.code === code

const isReadOnly = hasCode('25006')
const hasOtherColumns = hasCode('0A000')
