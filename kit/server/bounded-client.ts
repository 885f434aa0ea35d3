import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { startSuspendAwareTimer } from './suspend-aware-timer.ts'
import { createStandbyTimeoutError, createNoResponseError } from './statement-timeout.ts'
import type { Connections, createHostConnections } from './database-connections.ts'
import { createUnresponsiveHostError } from './database-hosts.ts'
import { getCurrentTimeouts, isBulkWork } from './database-timeouts.ts'
import type { StatementNames } from './statement-names.ts'

type ClientContext = {
  kept: ReturnType<typeof createHostConnections>
  names: StatementNames | undefined
  leave(): void
  releaseOnceOver(client: pg.PoolClient, over: Promise<unknown>): void
}

export function createBoundedClient(
  client: pg.PoolClient,
  connections: Connections,
  { kept, names, leave, releaseOnceOver }: ClientContext,
): PostgresPoolClient {
  const health = watchConnection(client)
  /**
   * The statement on this connection that is still running after its timeout, such as a commit waiting for its standby, or a statement
   * waiting for a free session behind a pooler.
   */
  let unfinishedStatement: Promise<unknown> | undefined

  async function diagnoseTimeout(asked: PendingStatement): Promise<Error> {
    const state = await connections.check()
    if (asked.isOver) return createNoResponseError()
    if (state === 'silent') kept.giveUp(connections)
    if (state === 'awaits standby' || state === 'busy') unfinishedStatement = asked.answer
    return health.fail(
      state === 'silent'
        ? createUnresponsiveHostError()
        : state === 'awaits standby'
          ? createStandbyTimeoutError()
          : createNoResponseError(),
    )
  }

  async function runStatement(statement: string, values: readonly unknown[]): Promise<unknown> {
    health.check()
    try {
      const name = values.length === 0 || isBulkWork() ? undefined : names?.of(statement)
      const result = await withStatementTimeout(
        client.query({ text: statement, values: [...values], name }),
        diagnoseTimeout,
      )
      health.check()
      return result
    } catch (error) {
      if (isReadOnlyError(error)) {
        health.fail(error)
        kept.doubt(connections)
      }
      if (hasChangedColumns(error)) names?.refuse(statement)
      throw error
    }
  }

  return {
    query: createQueryFunction(runInSequence(runStatement)),
    release(isBroken = false) {
      health.stop()
      leave()
      if (unfinishedStatement) return releaseOnceOver(client, unfinishedStatement)
      // A connection whose last BEGIN, COMMIT or ROLLBACK did not complete still has an open transaction, so it is not reused.
      const isOpen = client.getTransactionStatus() !== 'I'
      client.release(isBroken || health.hasFailed() || isOpen || connections !== kept.current())
    },
  }
}

function watchConnection(client: pg.PoolClient) {
  let failure: Error | undefined
  const fail = (error: Error): Error => (failure ??= error)
  /*
   * When a server gives up waiting for its standby, it acknowledges a commit that the standby does not have, and sends a notice. The
   * notice's message is translated, so we identify it by its routine.
   */
  const checkNotice = ({ routine }: { routine: string | undefined }): void =>
    void (routine === 'SyncRepWaitForLSN' && fail(createStandbyTimeoutError()))
  // Without this listener, the next statement would report only that the connection was closed, not why.
  client.on('error', fail).on('notice', checkNotice)
  return {
    fail,
    hasFailed: () => failure !== undefined,
    check(): void {
      if (failure) throw failure
    },
    stop: () => client.off('error', fail).off('notice', checkNotice),
  }
}

type RunStatement = (statement: string, values: readonly unknown[]) => Promise<unknown>

/**
 * Runs a connection's statements one after another, as the driver requires. A rollback can be requested while an earlier statement in the
 * same transaction is still running.
 */
function runInSequence(run: RunStatement): RunStatement {
  let previousStatement: Promise<unknown> = Promise.resolve()
  return (statement, values) => {
    const answer = previousStatement.then(() => run(statement, values))
    previousStatement = answer.catch(() => {})
    return answer
  }
}

function createQueryFunction(run: RunStatement) {
  function query<R>(statement: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(statement: string | object, values: readonly unknown[] = []): unknown {
    if (typeof statement !== 'string') throw new Error('Cursors are not supported.')
    return run(statement, values)
  }
  return query
}

type PendingStatement = { answer: Promise<unknown>; isOver: boolean }

function withStatementTimeout<T>(answer: Promise<T>, whyLate: (asked: PendingStatement) => Promise<Error>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const pendingStatement = { answer, isOver: false }
  const timer = startSuspendAwareTimer(
    getCurrentTimeouts().statementMs,
    () => void whyLate(pendingStatement).then(reject),
  )
  answer.then(resolve, reject)
  return promise.finally(() => {
    pendingStatement.isOver = true
    timer.clear()
  })
}

const hasErrorCode =
  (code: string) =>
  (error: unknown): error is Error =>
    error instanceof Error && 'code' in error && error.code === code

const isReadOnlyError = hasErrorCode('25006')
const hasChangedColumns = hasErrorCode('0A000')
