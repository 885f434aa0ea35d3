import pg from 'pg'
import type { Asked } from './asked.ts'
import { queryUpToFailure } from './query-batch.ts'
import type { Statement } from './query-part.ts'

type Around = {
  /** As it is sent. */
  statementOf(asked: Asked): Statement
  /** Told of what came. */
  answered(asked: readonly Asked[], results: readonly pg.QueryResult[]): void
  /** Calls all of it off once it has taken as long as it may. */
  callOff(): { end(): void }
  /** Takes note of a failure, and answers what is told of it. */
  heed(failed: Asked, error: unknown): unknown
  /** The connection is used for nothing more. */
  spend(): void
}

/** Reads that have nothing to do with each other, asked on a connection in one way there and back: one that fails fails alone. */
export async function readAllOn(
  client: pg.ClientBase,
  asked: readonly Asked[],
  around: Around,
): Promise<PromiseSettledResult<pg.QueryResult>[]> {
  // Nothing stood behind the one that failed.
  if (asked.length === 0) return []
  const ended = around.callOff()
  const { results, error } = await queryUpToFailure(client, asked.map(around.statementOf)).finally(ended.end)
  around.answered(asked, results)
  const settled = results.map((value) => ({ status: 'fulfilled', value }) as const)
  const [failed, ...rest] = asked.slice(results.length)
  if (error === null || !failed) return settled
  const refused = { status: 'rejected', reason: around.heed(failed, error) } as const
  // What comes behind has not been looked at by the server.
  if (isOfOne(error)) return [...settled, refused, ...(await readAllOn(client, rest, around))]
  around.spend()
  return [...settled, refused, ...rest.map(() => refused)]
}

/** It says something of its own statement, and the server hears the next: it was neither called off, nor has the connection ended. */
const isOfOne = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code !== undefined && !/^(?:57|58|08|53|XX)/.test(error.code)
