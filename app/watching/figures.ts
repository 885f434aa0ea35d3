import { sql } from 'kysely'
import type { Clock } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { Figure } from './figures.table.ts'

export type FigureReading = { figure: Figure; rows: Record<string, string | number | null>[] }

export type FigureGroup = {
  /** Reads the metrics' current values. `null` if the database could not provide them; older values are never reused. */
  readings(): Promise<FigureReading[] | null>
  settle(): Promise<void>
}

/** Milliseconds after which our database statements are cancelled, and a metrics request stops waiting for them. */
const maxReadMs = 2_000

type FigureSource = {
  db: Db
  clock: Clock
  onFailure(error: unknown): void
}

/**
 * Reads metrics from the database in one transaction, at most once every `everyMs`, however many callers there are.
 * `also` runs in the same transaction. A read that takes too long carries on, and later callers get its result.
 */
export function createFigureGroup(
  { db, clock, onFailure }: FigureSource,
  { figures, everyMs, also }: { figures: readonly Figure[]; everyMs: number; also?(trx: Trx): Promise<void> },
): FigureGroup {
  let known: { at: number; readings: FigureReading[] | null } = { at: -Infinity, readings: null }
  let underWay: Promise<void> | null = null

  async function read(): Promise<void> {
    const readings = await db
      .transaction()
      .execute(async (trx) => {
        await sql.raw(`set local statement_timeout = ${maxReadMs}`).execute(trx)
        const now = clock.now()
        const collectedReadings: FigureReading[] = []
        for (const figure of figures)
          collectedReadings.push({ figure, rows: (await figure.ask(now).execute(trx)).rows })
        await also?.(trx)
        return collectedReadings
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
      const isInTime = !underWay || (await settlesWithinTimeout(underWay))
      // If the query does not finish in time, the database is slow, and returning an older result would hide that.
      return isInTime ? known.readings : null
    },
    settle: async () => void (await underWay),
  }
}

export async function settlesWithinTimeout(asked: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), maxReadMs)
  return Promise.race([asked.then(() => true), late]).finally(() => clearTimeout(timer))
}
