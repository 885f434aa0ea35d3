import { sql, type Selectable } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { ReportKind } from '../error-reports.contract.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    browser_errors: BrowserErrorTable
  }
}

type BrowserErrorTable = {
  fingerprint: string
  kind: ReportKind
  name: string
  message: string
  top_frame: string | null
  page: string
  build: string
  first_seen: Date
  last_seen: Date
  count: number
}
export type BrowserError = Selectable<BrowserErrorTable>

type ErrorOccurrence = Pick<BrowserError, 'fingerprint' | 'kind' | 'name' | 'message' | 'top_frame' | 'page' | 'build'>

/** Maximum distinct errors in the table. Beyond that, the least recently seen error is deleted. */
export const maxErrors = 1_000

export async function countErrorOccurrence(trx: Trx, error: ErrorOccurrence): Promise<void> {
  const now = toDate(realNow())
  const { count } = await trx
    .insertInto('browser_errors')
    .values({ ...error, first_seen: now, last_seen: now, count: 1 })
    .onConflict((conflict) =>
      conflict.column('fingerprint').doUpdateSet({
        kind: error.kind,
        build: error.build,
        last_seen: now,
        count: sql<number>`browser_errors.count + 1`,
      }),
    )
    .returning('count')
    .executeTakeFirstOrThrow()
  if (count > 1) return
  await trx
    .deleteFrom('browser_errors')
    .where('fingerprint', 'in', (from) =>
      from
        .selectFrom('browser_errors')
        .select('fingerprint')
        .orderBy('last_seen', 'desc')
        .orderBy('fingerprint')
        .offset(maxErrors),
    )
    .execute()
}

export const listErrors = (db: Db, maxRows: number): Promise<BrowserError[]> =>
  db
    .selectFrom('browser_errors')
    .selectAll()
    .orderBy('last_seen', 'desc')
    .orderBy('fingerprint')
    .limit(maxRows)
    .execute()
