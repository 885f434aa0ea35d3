import { sql } from 'kysely'
import type { Clock } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { Figure } from './figures.table.ts'

/** What one figure's question was answered. */
export type Reading = { figure: Figure; rows: Record<string, string | number | null>[] }

/** A group of figures, as it was read last. */
export type Group = {
  /** What is known now; null: the database could not say, and what it said before is not repeated. */
  readings(): Promise<Reading[] | null>
  /** Waits until nothing is being read any more. */
  settle(): Promise<void>
}

/** No question of ours may hold the database up for longer, nor may whoever asks for metrics wait for longer. */
const longestMs = 2_000

type Source = {
  db: Db
  clock: Clock
  /** Told of a reading that failed. */
  onFailure(error: unknown): void
}

/**
 * Figures that are read in one transaction, at most once in `everyMs` however many ask. `also` reads more in the same one.
 * A reading that takes too long goes on, and whoever asks later has its answer.
 */
export function groupOf(
  { db, clock, onFailure }: Source,
  { figures, everyMs, also }: { figures: readonly Figure[]; everyMs: number; also?(trx: Trx): Promise<void> },
): Group {
  let known: { at: number; readings: Reading[] | null } = { at: -Infinity, readings: null }
  let underWay: Promise<void> | null = null

  async function read(): Promise<void> {
    const readings = await db
      .transaction()
      .execute(async (trx) => {
        await sql.raw(`set local statement_timeout = ${longestMs}`).execute(trx)
        const now = clock.now()
        const answers: Reading[] = []
        for (const figure of figures) answers.push({ figure, rows: (await figure.ask(now).execute(trx)).rows })
        await also?.(trx)
        return answers
      })
      .catch((error: unknown) => {
        onFailure(error)
        return null
      })
    known = { at: performance.now(), readings }
  }

  return {
    async readings() {
      if (performance.now() - known.at >= everyMs)
        underWay ??= read().finally(() => {
          underWay = null
        })
      const isSoon = !underWay || (await inTime(underWay))
      // A question that is still open says more of the database than an old answer.
      return isSoon ? known.readings : null
    },
    settle: async () => void (await underWay),
  }
}

/** False once it is so late that nobody should wait any more. */
export async function inTime(asked: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), longestMs)
  return Promise.race([asked.then(() => true), late]).finally(() => clearTimeout(timer))
}
