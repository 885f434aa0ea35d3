import { realNow, toDate } from './clock.ts'
import type { Db, Trx } from './db.ts'
import { hashToken } from './secrets.ts'

declare module './db.ts' {
  interface Tables {
    browser_failures: { device_hash: string; failures: number; failed_at: Date }
  }
}

/** After so many failed logins in a row a browser is no longer known. */
const maxFailuresInRow = 10

/** The lifetime of the cookie that makes a browser known. */
const cookieDays = 365

/**
 * Counts a failed login of a known browser before its password is compared, so that parallel calls share the ten tries.
 * Answers false, and counts nothing, when the browser has used them up.
 */
export async function countBrowserFailure(db: Db, deviceId: string): Promise<boolean> {
  const row = await db
    .insertInto('browser_failures')
    .values({ device_hash: hashToken(deviceId), failures: 1, failed_at: toDate(realNow()) })
    .onConflict((conflict) =>
      conflict
        .column('device_hash')
        .doUpdateSet((set) => ({
          failures: set('browser_failures.failures', '+', 1),
          failed_at: set.ref('excluded.failed_at'),
        }))
        .where('browser_failures.failures', '<', maxFailuresInRow),
    )
    .returning('failures')
    .executeTakeFirst()
  return row !== undefined
}

/** Takes back one failure, for a password that was not compared in the end. */
export async function uncountBrowserFailure(db: Db, deviceId: string): Promise<void> {
  await db
    .updateTable('browser_failures')
    .set((set) => ({ failures: set('failures', '-', 1) }))
    .where('device_hash', '=', hashToken(deviceId))
    .where('failures', '>', 0)
    .execute()
}

/** Begins the count anew after a login that succeeded. */
export async function clearBrowserFailures(db: Db, deviceId: string): Promise<void> {
  await db.deleteFrom('browser_failures').where('device_hash', '=', hashToken(deviceId)).execute()
}

/** Whether a browser has failed so often in a row that it is no longer known. */
export async function hasFailedTooOften(db: Db | Trx, deviceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('browser_failures')
    .select('failures')
    .where('device_hash', '=', hashToken(deviceId))
    .executeTakeFirst()
  return row !== undefined && row.failures >= maxFailuresInRow
}

/** Removes counts a year after their last failure, when the browser has deleted its cookie. A copy of the cookie has no end by time. */
export async function purgeBrowserFailures(db: Db): Promise<void> {
  await db
    .deleteFrom('browser_failures')
    .where('failed_at', '<', toDate(realNow().subtract({ hours: 24 * cookieDays })))
    .execute()
}
